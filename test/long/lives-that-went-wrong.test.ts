import { describe, expect, test } from 'vitest';
import type { Command, Life, Seed } from '../support/machine/command.ts';
import { live } from '../support/machine/live.ts';
import { SITES, stageOn } from '../support/machine/stages.ts';

// Lives in which something went wrong once.

const seed = (more: Partial<Seed> = {}): Seed => ({
  title: 'Jazz 1',
  venue: 'Town Hall',
  text: 'As always',
  zone: 'Europe/Warsaw',
  state: 'CONFIRMED',
  categories: [],
  day: 5,
  hour: 18,
  hours: 1,
  series: null,
  ...more,
});
const sync: Command = { kind: 'sync', source: 0, full: false };
const loseLedger: Command = { kind: 'lose ledger', source: 0 };
const settle: Command = { kind: 'settle' };
/** The next write is carried out, and nobody hears of it. */
const away: Command = { kind: 'go away', isCarriedOut: true, after: 0, times: 60 };
const retitle = (at: number, title: string): Command => ({ kind: 'retitle', source: 0, at, title });
const drop = (at: number): Command => ({ kind: 'drop', source: 0, at });
const erase = (at: number): Command => ({ kind: 'erase', at });
const bringBack: Command = { kind: 'bring back', source: 0 };
const madeUnheard: readonly Command[] = [
  settle,
  { kind: 'add', source: 0, seed: seed({ title: 'Kino 1', day: 6 }) },
  away,
  sync,
];
const two = [seed(), seed({ title: 'Kino 1', day: 6 })];

interface Case {
  readonly name: string;
  readonly commands: readonly Command[];
  readonly first?: readonly Seed[];
  readonly settings?: Partial<Life['settings']>;
}

const LIVES: readonly Case[] = [
  {
    name: 'a venue that could not be made comes to its event with the next run',
    commands: [{ kind: 'fault', fault: 'page', of: 'POST', after: 0, times: 5 }, sync],
  },
  {
    name: 'what a person trashed stays removed, also when the ledger is lost',
    commands: [sync, loseLedger, { kind: 'trash', at: 0 }],
  },
  {
    name: 'an event that no list shows is not made twice when the ledger is lost',
    commands: [sync, loseLedger, { kind: 'hide', at: 0 }],
  },
  {
    name: 'a feed that goes back on itself after a run that failed half-way is seen',
    first: two,
    commands: [
      settle,
      retitle(0, 'Jazz 2'),
      retitle(1, 'Kino 2'),
      { kind: 'fault', fault: '500', of: 'POST', after: 1, times: 5 },
      sync,
      retitle(0, 'Jazz 1'),
      retitle(1, 'Kino 1'),
    ],
  },
  {
    name: 'an event that takes place after all loses its tag, also where nothing else needs the list of tags',
    first: [seed({ state: 'CANCELLED' })],
    commands: [settle, { kind: 'set state', source: 0, at: 0, state: 'CONFIRMED' }],
  },
  {
    name: 'what the feed has no more is ignored once a person has removed it, also where it may stay',
    first: [seed({ series: { every: 7, count: 5 } })],
    settings: { missing: 'keep' },
    commands: [settle, { kind: 'make single', source: 0, at: 0 }, settle, { kind: 'trash', at: 1 }],
  },
  {
    name: 'what the feed does not cover any more is ignored once a person has erased it',
    first: [seed({ series: { every: 7, count: 3 } })],
    commands: [settle, { kind: 'make single', source: 0, at: 0 }, { kind: 'erase', at: 1 }],
  },
  {
    name: 'what a person wrote is still there when the event has left the feed and comes back',
    first: [seed({ series: { every: 1, count: 4 } })],
    settings: { missing: 'cancel' },
    commands: [
      sync,
      { kind: 'edit', at: 2, field: 'title' },
      { kind: 'make a series', source: 0, at: 0, every: 7, count: 2 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 4 },
    ],
  },
  {
    name: 'what a person withdrew stays withdrawn when the event has left the feed and comes back',
    first: [seed({ series: { every: 1, count: 4 } })],
    settings: { missing: 'draft' },
    commands: [
      sync,
      { kind: 'withdraw', at: 2 },
      { kind: 'make a series', source: 0, at: 0, every: 7, count: 2 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 4 },
    ],
  },
  {
    name: 'what a person withdrew comes out of the trash withdrawn when the feed has it again',
    first: [seed({ series: { every: 1, count: 4 } })],
    commands: [
      sync,
      { kind: 'withdraw', at: 2 },
      { kind: 'make a series', source: 0, at: 0, every: 7, count: 2 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 4 },
    ],
  },
  {
    name: 'what a person withdrew comes out of the trash published where the feed decides',
    first: [seed({ series: { every: 1, count: 4 } })],
    settings: { authority: 'feed' },
    commands: [
      sync,
      { kind: 'withdraw', at: 2 },
      { kind: 'make a series', source: 0, at: 0, every: 7, count: 2 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 4 },
    ],
  },
  {
    name: 'events that are found again without a ledger stay found, also when their first update fails and they are renamed meanwhile',
    first: [seed({ series: { every: 1, count: 3 } })],
    commands: [
      sync,
      { kind: 'edit', at: 1, field: 'description' },
      loseLedger,
      { kind: 'edit', at: 2, field: 'cost' },
      { kind: 'change one', source: 0, at: 0, index: 1, hours: -2, title: 'Kino 1' },
      { kind: 'fault', fault: 'page', of: 'POST', after: 0, times: 6 },
      sync,
    ],
  },
  {
    name: 'a site that is restored shows again what the feed says',
    first: [seed(), seed({ title: 'Kino 1', day: 6 })],
    commands: [
      settle,
      { kind: 'edit', at: 1, field: 'description' },
      { kind: 'back up' },
      { kind: 'retitle', source: 0, at: 0, title: 'Jazz 2' },
      { kind: 'move', source: 0, at: 1, days: 1, hours: 0 },
      { kind: 'set state', source: 0, at: 1, state: 'CANCELLED' },
      settle,
      { kind: 'restore' },
    ],
  },
  {
    name: 'what the feed left while the ledger was lost goes like anything else that it leaves',
    first: [seed(), seed({ title: 'Kino 1', day: 9 })],
    settings: { after: 2 },
    commands: [settle, loseLedger, { kind: 'drop', source: 0, at: 0 }],
  },
  {
    name: 'what is found when a create is repeated may be older than that create',
    first: [seed({ series: { every: 7, count: 4 } })],
    commands: [
      { kind: 'freeze lists' },
      sync,
      { kind: 'fault', fault: 'mute', of: 'POST', after: 4, times: 6 },
      loseLedger,
      { kind: 'rezone', source: 0, at: 15, zone: 'Asia/Kolkata' },
      sync,
    ],
  },
  {
    name: 'what is found without a ledger goes also when the feed is empty by now, without waiting for a whole comparison',
    first: [seed({ series: { every: 7, count: 3 } })],
    commands: [sync, loseLedger, { kind: 'drop', source: 0, at: 0 }],
  },
  {
    name: 'a series that is shifted as a whole keeps its events, also where one of them had been moved between two others',
    first: [seed({ series: { every: 1, count: 4 } })],
    commands: [
      { kind: 'change one', source: 0, at: 0, index: 0, hours: 26, title: 'Kino 1' },
      settle,
      { kind: 'shift all', source: 0, hours: 1 },
    ],
  },
  {
    name: 'a series that is shifted as a whole keeps its events, also where one comes to the time at which another was',
    first: [seed({ series: { every: 1, count: 4 } })],
    commands: [
      { kind: 'change one', source: 0, at: 0, index: 0, hours: 25, title: 'Kino 1' },
      settle,
      { kind: 'shift all', source: 0, hours: 1 },
    ],
  },
  {
    name: 'a series that is shifted as a whole keeps its events, also beside some that the feed has left and that stay',
    first: [seed({ series: { every: 7, count: 4 } })],
    settings: { missing: 'keep' },
    commands: [
      sync,
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 5 },
      { kind: 'change one', source: 0, at: 0, index: 0, hours: 23, title: 'Kino 1' },
      settle,
      { kind: 'shift all', source: 0, hours: 1 },
    ],
  },
  {
    name: 'an event that moves stays itself, and does not become one that the feed had left before',
    first: [
      seed({ series: { every: 1, count: 2 } }),
      seed({ title: 'Kino 1', day: 28, series: { every: 1, count: 5 } }),
    ],
    commands: [
      sync,
      { kind: 'renew UID', source: 0, at: 1 },
      { kind: 'make single', source: 0, at: 0 },
      settle,
      { kind: 'move', source: 0, at: 0, days: 6, hours: 2 },
    ],
  },
  {
    name: 'a site that has lost all events of a feed that is empty by now holds no run up for ever',
    first: [seed({ series: { every: 1, count: 5 } })],
    commands: [
      { kind: 'back up' },
      sync,
      { kind: 'drop', source: 0, at: 0 },
      { kind: 'restore' },
      settle,
      { kind: 'bring back', source: 0 },
    ],
  },
  {
    name: 'an event that the site has lost and the feed has left holds no run up for ever',
    first: [1, 2, 3, 4, 5, 6].map((day) => seed({ day, title: `Kino ${day}` })),
    commands: [{ kind: 'back up' }, settle, { kind: 'restore' }, ...[0, 0, 0, 0].map(drop), settle, settle],
  },
  ...[32, 36].map((effects): Case => ({
    name: `what a person wrote while a process lay dead stays (killed after ${effects} effects)`,
    commands: [
      settle,
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 6 },
      { kind: 'shift all', source: 0, hours: -1 },
      { kind: 'kill', source: 0, full: false, effects },
      { kind: 'edit', at: 0, field: 'cost' },
    ],
  })),
  {
    name: 'a run that is taken back leaves titles as they were written, not as they were shown',
    first: [seed({ title: 'It\'s "on" - live... 1' })],
    commands: [settle, retitle(0, 'Jazz 1'), { kind: 'undo', source: 0, syncs: true, again: true }, settle],
  },
  {
    name: 'a run that marked events as cancelled is taken back to titles as they were written',
    first: [seed({ title: 'It\'s "on" - live... 3', series: { every: 7, count: 3 } })],
    settings: { missing: 'cancel', after: 2 },
    commands: [
      { kind: 'kill', source: 0, full: true, effects: 63 },
      { kind: 'make single', source: 0, at: 0 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'undo', source: 0, syncs: true, again: false },
    ],
  },
  {
    name: 'to take back a run that found an event where no list shows it leaves that event',
    commands: [sync, { kind: 'hide', at: 0 }, loseLedger, { kind: 'undo', source: 0, syncs: true, again: false }],
  },
  {
    name: 'what an operator brought back, and a person trashed then, is ignored, also where the feed is empty',
    commands: [
      settle,
      drop(0),
      settle,
      { kind: 'undo', source: 0, syncs: false, again: false },
      { kind: 'trash', at: 0 },
      settle,
    ],
  },
  {
    name: 'what was found without a ledger, and edited while its removal was held, stays known',
    first: [
      seed({ title: 'Kino 2', day: 5, hour: 12, series: { every: 7, count: 2 } }),
      seed({ series: { every: 7, count: 2 } }),
    ],
    settings: { authority: 'site', of: 'categories site' },
    commands: [
      settle,
      { kind: 'shift all', source: 0, hours: 24 },
      loseLedger,
      sync,
      { kind: 'sync', source: 0, full: true },
      { kind: 'edit', at: 0, field: 'when' },
      { kind: 'approve' },
    ],
  },
  {
    name: 'what we removed behind an old list comes back with the feed',
    first: [seed({ title: 'Kino 3', day: 15, series: { every: 7, count: 5 } })],
    commands: [
      settle,
      { kind: 'freeze lists' },
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 3 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'approve' },
      { kind: 'make a series', source: 0, at: 0, every: 7, count: 6 },
      sync,
    ],
  },
  {
    name: 'what an old list hid is written again, and no word of a person',
    first: [
      seed({ title: 'Kino 4', day: 40, hour: 12, series: { every: 1, count: 3 } }),
      seed({ day: 2 }),
      seed({ day: 13, hour: 10, series: { every: 7, count: 4 } }),
      seed({ day: 35, series: { every: 1, count: 4 } }),
    ],
    settings: { missing: 'keep' },
    commands: [
      sync,
      { kind: 'freeze lists' },
      { kind: 'shift all', source: 0, hours: -24 },
      { kind: 'set state', source: 0, at: 2, state: 'CANCELLED' },
      { kind: 'sync', source: 0, full: true },
      { kind: 'shift all', source: 0, hours: 24 },
      sync,
    ],
  },
  {
    name: 'what an operator brought back, and a person trashed then, is ignored',
    first: [seed({ series: { every: 1, count: 4 } })],
    settings: { missing: 'draft' },
    commands: [
      settle,
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 3 },
      { kind: 'undo', source: 0, syncs: true, again: false },
      { kind: 'trash', at: 3 },
      settle,
    ],
  },
  {
    name: 'what a person wrote into one field of a time stays when the feed changes another one of it',
    commands: [
      sync,
      { kind: 'freeze lists' },
      { kind: 'edit', at: 0, field: 'when' },
      { kind: 'rezone', source: 0, at: 0, zone: 'UTC' },
      { kind: 'sync', source: 0, full: true },
    ],
  },
  {
    name: 'what is found without a ledger, and needs nothing, is known also where the rest of the run had to be approved',
    first: [seed(), seed({ series: { every: 1, count: 2 } })],
    commands: [sync, { kind: 'renew all UIDs', source: 0 }, loseLedger],
  },
  {
    name: 'what an old list shows of an event that was found without a ledger is no word of a person',
    commands: [
      sync,
      { kind: 'move', source: 0, at: 0, days: 6, hours: 2 },
      { kind: 'freeze lists' },
      loseLedger,
      { kind: 'sync', source: 0, full: true },
      { kind: 'move', source: 0, at: 0, days: 9, hours: 1 },
      { kind: 'sync', source: 0, full: true },
    ],
  },
  {
    name: 'a run that wrote what was there, behind an old list, is taken back to what was there',
    commands: [
      sync,
      { kind: 'freeze lists' },
      retitle(0, 'Jazz 2'),
      { kind: 'undo', source: 0, syncs: true, again: true },
      sync,
      { kind: 'thaw lists' },
      { kind: 'undo', source: 0, syncs: false, again: false },
    ],
  },
  {
    name: 'what a person removed stays removed, also when the site has lost all that came after',
    commands: [
      sync,
      { kind: 'erase', at: 0 },
      { kind: 'back up' },
      { kind: 'add', source: 0, seed: seed({ title: 'Kino 1', day: 23, series: { every: 7, count: 5 } }) },
      { kind: 'sync', source: 0, full: true },
      { kind: 'restore' },
    ],
  },
  {
    name: 'what a person withdrew comes out of the trash withdrawn, also when it had been marked as cancelled before',
    settings: { missing: 'cancel' },
    commands: [settle, { kind: 'withdraw', at: 0 }, drop(0), settle, { kind: 'trash', at: 0 }, bringBack],
  },
  {
    name: 'an update that was carried out without an answer is taken back like any other',
    first: [seed({ series: { every: 1, count: 2 } })],
    commands: [
      sync,
      { kind: 'replace', source: 0, at: 0, venue: 'Park' },
      { kind: 'fault', fault: '502 done', of: 'POST', after: 0, times: 5 },
      { kind: 'undo', source: 0, syncs: true, again: true },
    ],
  },
  {
    name: 'a single event of renewed UIDs that moves stays itself, and does not become one that its series had left',
    first: [
      seed({ state: 'CANCELLED', series: { every: 1, count: 5 } }),
      seed({ venue: 'Park', series: { every: 7, count: 2 } }),
    ],
    commands: [
      sync,
      { kind: 'renew all UIDs', source: 0 },
      { kind: 'sync', source: 0, full: true },
      { kind: 'make single', source: 0, at: 0 },
      settle,
      { kind: 'shift all', source: 0, hours: 24 },
    ],
  },
  {
    name: 'a run that publishes an event which was made without an answer, and withdrawn by a person, is taken back to what they did',
    first: [seed({ series: { every: 7, count: 2 } })],
    commands: [
      { kind: 'go away', isCarriedOut: true, after: 1, times: 27 },
      { kind: 'kill', source: 0, full: true, effects: 23 },
      { kind: 'undo', source: 0, syncs: true, again: true },
      { kind: 'withdraw', at: 13 },
      sync,
      { kind: 'undo', source: 0, syncs: false, again: false },
    ],
  },
  {
    name: 'an event that was made without an answer is found under another UID',
    commands: [...madeUnheard, { kind: 'renew UID', source: 0, at: 1 }, settle],
  },
  {
    name: 'an event that was made without an answer goes when it is quite another by then',
    commands: [
      ...madeUnheard,
      { kind: 'renew UID', source: 0, at: 1 },
      retitle(1, 'Jazz 4'),
      { kind: 'move', source: 0, at: 1, days: 3, hours: 1 },
      settle,
    ],
  },
  {
    name: 'an event that was made without an answer goes when the feed has it no more',
    commands: [...madeUnheard, drop(1), settle],
  },
  {
    name: 'the question for an event that was made without an answer stays open while the site is away',
    commands: [...madeUnheard, drop(1), sync, sync, { kind: 'days pass', days: 1 }, sync, settle],
  },
  {
    name: 'an event that was made without an answer, and trashed by a person, stays removed',
    commands: [...madeUnheard, { kind: 'trash', at: 1 }, settle],
  },
  {
    name: 'an event that was made beside one that no list shows goes with the next run',
    commands: [settle, { kind: 'hide', at: 0 }, loseLedger, away, sync, settle],
  },
  {
    name: 'what an update wrote without an answer is no word of a person',
    commands: [settle, retitle(0, 'Jazz 2'), away, sync, retitle(0, 'Jazz 3'), settle],
  },
  {
    name: 'what an update wrote without an answer goes when the feed takes it back',
    commands: [
      settle,
      retitle(0, 'Jazz 2'),
      { kind: 'sort', source: 0, at: 0, categories: [] },
      away,
      sync,
      retitle(0, 'Jazz 1'),
      settle,
    ],
  },
  {
    name: 'what an update wrote without an answer is no word of a person in the trash either',
    commands: [
      settle,
      retitle(0, 'Jazz 2'),
      away,
      sync,
      { kind: 'trash', at: 0 },
      settle,
      { kind: 'untrash', at: 0 },
      retitle(0, 'Jazz 3'),
      settle,
    ],
  },
  {
    name: 'what a person wrote over an update without an answer stays',
    commands: [
      settle,
      retitle(0, 'Jazz 2'),
      away,
      sync,
      { kind: 'edit', at: 0, field: 'title' },
      { kind: 'edit', at: 0, field: 'description' },
      retitle(0, 'Jazz 3'),
      settle,
    ],
  },
  {
    name: 'a run that was cut off is not carried on by a user who may not publish',
    first: two,
    commands: [
      settle,
      retitle(0, 'Jazz 2'),
      retitle(1, 'Kino 2'),
      { kind: 'lose queue', source: 0, full: true, effects: 45 },
      { kind: 'change role', role: 'contributor' },
      sync,
    ],
  },
  ...(['trash', 'draft', 'cancel'] as const).map((missing): Case => ({
    name: `an event that was taken away without an answer comes back with the feed (${missing})`,
    first: two,
    settings: { missing },
    commands: [settle, drop(0), away, sync, bringBack, settle],
  })),
  ...(['draft', 'cancel'] as const).map((missing): Case => ({
    name: `an event that a person trashed after its feed had lost it stays off (${missing})`,
    first: two,
    settings: { missing },
    commands: [settle, drop(0), sync, { kind: 'trash', at: 0 }, { kind: 'trash', at: 0 }, bringBack, settle],
  })),
  {
    name: 'a site whose events were all erased gets them back as other posts, under their former slugs',
    first: two,
    commands: [settle, erase(0), erase(0)],
  },
];

describe.each(SITES)('on %s', (site) => {
  const stage = stageOn(site);
  test.each(LIVES)('$name', async ({ commands, first = [seed()], settings = {} }) => {
    const life: Life = {
      settings: { missing: 'trash', after: 1, authority: 'preserve', of: '', ...settings },
      first: [...first],
      second: [],
      commands: [...commands],
    };
    await expect(live(stage(), life)).resolves.toBeUndefined();
  });
});
