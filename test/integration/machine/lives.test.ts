import { describe, expect, test } from 'vitest';
import type { Command, Life, Seed } from '../../support/machine/command.ts';
import { live } from '../../support/machine/live.ts';
import { SITES, stageOn } from '../../support/machine/stages.ts';

// Lives in which something went wrong once.

const seed = (more: Partial<Seed> = {}): Seed => ({ title: 'Jazz 1', venue: 'Town Hall', text: 'As always', zone: 'Europe/Warsaw', state: 'CONFIRMED', categories: [], day: 5, hour: 18, hours: 1, series: null, ...more });
const sync: Command = { kind: 'sync', source: 0, full: false };
const loseLedger: Command = { kind: 'lose ledger', source: 0 };
const settle: Command = { kind: 'settle' };

interface Case { readonly name: string; readonly commands: readonly Command[]; readonly first?: readonly Seed[]; readonly settings?: Partial<Life['settings']> }

const LIVES: readonly Case[] = [
  { name: 'a venue that could not be made comes to its event with the next run', commands: [{ kind: 'fault', fault: 'page', of: 'POST', after: 0, times: 5 }, sync] },
  { name: 'what a person trashed stays removed, also when the ledger is lost', commands: [sync, loseLedger, { kind: 'trash', at: 0 }] },
  { name: 'an event that no list shows is not made twice when the ledger is lost', commands: [sync, loseLedger, { kind: 'hide', at: 0 }] },
  { name: 'a feed that goes back on itself after a run that failed half-way is seen', first: [seed(), seed({ title: 'Kino 1', day: 6 })], commands: [
    settle, { kind: 'retitle', source: 0, at: 0, title: 'Jazz 2' }, { kind: 'retitle', source: 0, at: 1, title: 'Kino 2' }, { kind: 'fault', fault: '500', of: 'POST', after: 1, times: 5 }, sync,
    { kind: 'retitle', source: 0, at: 0, title: 'Jazz 1' }, { kind: 'retitle', source: 0, at: 1, title: 'Kino 1' }] },
  { name: 'an event that takes place after all loses its tag, also where nothing else needs the list of tags', first: [seed({ state: 'CANCELLED' })], commands: [settle, { kind: 'set state', source: 0, at: 0, state: 'CONFIRMED' }] },
  { name: 'what the feed has no more is ignored once a person has removed it, also where it may stay', first: [seed({ series: { every: 7, count: 5 } })], settings: { missing: 'keep' }, commands: [settle, { kind: 'make single', source: 0, at: 0 }, settle, { kind: 'trash', at: 1 }] },
  { name: 'what the feed does not cover any more is ignored once a person has erased it', first: [seed({ series: { every: 7, count: 3 } })], commands: [settle, { kind: 'make single', source: 0, at: 0 }, { kind: 'erase', at: 1 }] },
  { name: 'an event that the site has lost and the feed has left holds no run up for ever', first: [1, 2, 3, 4, 5, 6].map((day) => seed({ day, title: `Kino ${day}` })), commands: [
    { kind: 'back up' }, settle, { kind: 'restore' }, ...[0, 0, 0, 0].map((at): Command => ({ kind: 'drop', source: 0, at })), settle, settle] },
];

describe.each(SITES)('on %s', (site) => {
  const stage = stageOn(site);
  test.each(LIVES)('$name', async ({ commands, first = [seed()], settings = {} }) => {
    const life: Life = { settings: { missing: 'trash', after: 1, authority: 'preserve', ...settings }, first: [...first], second: [], commands: [...commands] };
    await expect(live(stage(), life)).resolves.toBeUndefined();
  });
});
