import { describe, expect, test } from 'vitest';
import type { Command, Life, Seed } from '../support/machine/command.ts';
import { live } from '../support/machine/live.ts';
import { SITES, stageOn } from '../support/machine/stages.ts';

// Sequences of random commands in which something once went wrong.

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
/** The next write is carried out, but its answer is lost, and the site stays unreachable for a while. */
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
    name: 'a venue that could not be created is added to its event by the next run',
    commands: [{ kind: 'fault', fault: 'page', of: 'POST', after: 0, times: 5 }, sync],
  },
  {
    name: 'an event that a person trashed stays removed, even if the ledger is lost',
    commands: [sync, loseLedger, { kind: 'trash', at: 0 }],
  },
  {
    name: 'an event that no list shows is not duplicated when the ledger is lost',
    commands: [sync, loseLedger, { kind: 'hide', at: 0 }],
  },
  {
    name: 'a feed that reverts its changes after a run failed half-way is noticed',
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
    name: 'an event that takes place after all loses its tag, even if nothing else needs the list of tags',
    first: [seed({ state: 'CANCELLED' })],
    commands: [settle, { kind: 'set state', source: 0, at: 0, state: 'CONFIRMED' }],
  },
  {
    name: 'an event that has left the feed is ignored once a person removes it, even with missing: keep',
    first: [seed({ series: { every: 7, count: 5 } })],
    settings: { missing: 'keep' },
    commands: [settle, { kind: 'make single', source: 0, at: 0 }, settle, { kind: 'trash', at: 1 }],
  },
  {
    name: 'an event that has left the feed is ignored once a person erases it',
    first: [seed({ series: { every: 7, count: 3 } })],
    commands: [settle, { kind: 'make single', source: 0, at: 0 }, { kind: 'erase', at: 1 }],
  },
  {
    name: 'a person’s edit is still there after the event has left the feed and come back',
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
    name: 'an event that a person withdrew stays withdrawn after it has left the feed and come back',
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
    name: 'an event that a person withdrew comes out of the trash as a draft when the feed has it again',
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
    name: 'an event that a person withdrew comes out of the trash published if the feed decides',
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
    name: 'events found again without a ledger stay known, even if their first update fails and they are renamed meanwhile',
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
    name: 'a site restored from a backup is brought back to what the feed says',
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
    name: 'an event that leaves the feed while the ledger is lost is removed like any other',
    first: [seed(), seed({ title: 'Kino 1', day: 9 })],
    settings: { after: 2 },
    commands: [settle, loseLedger, { kind: 'drop', source: 0, at: 0 }],
  },
  {
    name: 'an event found when a create is repeated can be older than that create',
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
    name: 'events found without a ledger are removed if the feed is empty by now, without waiting for a full comparison',
    first: [seed({ series: { every: 7, count: 3 } })],
    commands: [sync, loseLedger, { kind: 'drop', source: 0, at: 0 }],
  },
  {
    name: 'a series shifted as a whole keeps its events, even if one had been moved between two others',
    first: [seed({ series: { every: 1, count: 4 } })],
    commands: [
      { kind: 'change one', source: 0, at: 0, index: 0, hours: 26, title: 'Kino 1' },
      settle,
      { kind: 'shift all', source: 0, hours: 1 },
    ],
  },
  {
    name: 'a series shifted as a whole keeps its events, even if one moves to the former time of another',
    first: [seed({ series: { every: 1, count: 4 } })],
    commands: [
      { kind: 'change one', source: 0, at: 0, index: 0, hours: 25, title: 'Kino 1' },
      settle,
      { kind: 'shift all', source: 0, hours: 1 },
    ],
  },
  {
    name: 'a series shifted as a whole keeps its events, even beside events that have left the feed and stay on the site',
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
    name: 'an event that moves keeps its identity, and is not taken for one that had left the feed before',
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
    name: 'a site that has lost all events of a feed that is empty by now does not block runs for ever',
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
    name: 'an event lost by the site that is no longer in the feed does not block runs for ever',
    first: [1, 2, 3, 4, 5, 6].map((day) => seed({ day, title: `Kino ${day}` })),
    commands: [{ kind: 'back up' }, settle, { kind: 'restore' }, ...[0, 0, 0, 0].map(drop), settle, settle],
  },
  ...[32, 36].map((effects): Case => ({
    name: `an edit made after a process was killed stays (killed after ${effects} effects)`,
    commands: [
      settle,
      { kind: 'make a series', source: 0, at: 0, every: 1, count: 6 },
      { kind: 'shift all', source: 0, hours: -1 },
      { kind: 'kill', source: 0, full: false, effects },
      { kind: 'edit', at: 0, field: 'cost' },
    ],
  })),
  {
    name: 'undoing a run restores titles as they were written, not as they were rendered',
    first: [seed({ title: 'It\'s "on" - live... 1' })],
    commands: [settle, retitle(0, 'Jazz 1'), { kind: 'undo', source: 0, syncs: true, again: true }, settle],
  },
  {
    name: 'undoing a run that marked events as cancelled restores titles as they were written',
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
    name: 'undoing a run that found a hidden event leaves that event in place',
    commands: [sync, { kind: 'hide', at: 0 }, loseLedger, { kind: 'undo', source: 0, syncs: true, again: false }],
  },
  {
    name: 'an event restored by an undo and then trashed by a person is ignored, even if the feed is empty',
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
    name: 'an event found without a ledger and edited while its removal was held stays known',
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
    name: 'an event that we removed while the site served stale lists comes back with the feed',
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
    name: 'a change that a stale list hid is written again, and not taken for an edit',
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
    name: 'an event restored by an undo and then trashed by a person is ignored',
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
    name: 'an edit of one field of the times stays when the feed changes another of them',
    commands: [
      sync,
      { kind: 'freeze lists' },
      { kind: 'edit', at: 0, field: 'when' },
      { kind: 'rezone', source: 0, at: 0, zone: 'UTC' },
      { kind: 'sync', source: 0, full: true },
    ],
  },
  {
    name: 'unchanged events found without a ledger are known, even if the rest of the run had to be approved',
    first: [seed(), seed({ series: { every: 1, count: 2 } })],
    commands: [sync, { kind: 'renew all UIDs', source: 0 }, loseLedger],
  },
  {
    name: 'a stale list of an event found without a ledger is not taken for an edit',
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
    name: 'undoing a run that rewrote existing values because of a stale list keeps those values',
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
    name: 'an event that a person removed stays removed, even if the site is restored to the moment after that',
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
    name: 'an event that a person withdrew comes out of the trash as a draft, even after it was marked as cancelled',
    settings: { missing: 'cancel' },
    commands: [settle, { kind: 'withdraw', at: 0 }, drop(0), settle, { kind: 'trash', at: 0 }, bringBack],
  },
  {
    name: 'an update whose answer was lost is undone like any other',
    first: [seed({ series: { every: 1, count: 2 } })],
    commands: [
      sync,
      { kind: 'replace', source: 0, at: 0, venue: 'Park' },
      { kind: 'fault', fault: '502 done', of: 'POST', after: 0, times: 5 },
      { kind: 'undo', source: 0, syncs: true, again: true },
    ],
  },
  {
    name: 'an event that moves after its UID was renewed keeps its identity, and is not taken for a former date of its series',
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
    name: 'undoing a run that published an event whose create got no answer, and which a person withdrew, leaves it withdrawn',
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
    name: 'an event whose create got no answer is found under another UID',
    commands: [...madeUnheard, { kind: 'renew UID', source: 0, at: 1 }, settle],
  },
  {
    name: 'an event whose create got no answer is removed if the feed has a different event by then',
    commands: [
      ...madeUnheard,
      { kind: 'renew UID', source: 0, at: 1 },
      retitle(1, 'Jazz 4'),
      { kind: 'move', source: 0, at: 1, days: 3, hours: 1 },
      settle,
    ],
  },
  {
    name: 'an event whose create got no answer is removed if the feed no longer has it',
    commands: [...madeUnheard, drop(1), settle],
  },
  {
    name: 'looking for an event whose create got no answer is repeated while the site is unreachable',
    commands: [...madeUnheard, drop(1), sync, sync, { kind: 'days pass', days: 1 }, sync, settle],
  },
  {
    name: 'an event whose create got no answer, and that a person trashed, stays removed',
    commands: [...madeUnheard, { kind: 'trash', at: 1 }, settle],
  },
  {
    name: 'a duplicate of an event that no list shows is removed by the next run',
    commands: [settle, { kind: 'hide', at: 0 }, loseLedger, away, sync, settle],
  },
  {
    name: 'the result of an update whose answer was lost is not taken for an edit',
    commands: [settle, retitle(0, 'Jazz 2'), away, sync, retitle(0, 'Jazz 3'), settle],
  },
  {
    name: 'the result of an update whose answer was lost is reverted when the feed reverts it',
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
    name: 'the result of an update whose answer was lost is not taken for an edit in the trash either',
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
    name: 'an edit on top of an update whose answer was lost stays',
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
    name: 'a user without the right to publish does not carry on a run that was cut off',
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
    name: `an event whose removal got no answer comes back with the feed (${missing})`,
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
    name: 'a site whose events were all erased gets them back as new posts with the former slugs',
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
