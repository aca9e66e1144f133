import { expect, test } from 'vitest';
import { factsOf, factsOfAction } from '../../../src/sync/review/event-facts.ts';
import type { LedgerEntry, Plan, UpdateEvent } from '../../../src/sync/model/plan.ts';

// Neither an event that the feed brings back nor one that is over is among the coming events of the site.
test.each(['removed', 'kept'] as const)('a plan names the date of an event that is %s', (state) => {
  const entry = {
    slug: 'choir',
    title: 'Choir',
    state,
    startsAt: Date.UTC(2027, 0, 15, 18),
    endsAt: Date.UTC(2027, 0, 15, 20),
    fields: { start_date: { feed: '2027-01-15 19:00:00' }, timezone: { feed: 'Europe/Warsaw' } },
  } as unknown as LedgerEntry;
  const changes = { status: { from: 'trash', to: 'publish' } };
  const action = { kind: 'update', resource: 'events', slug: 'choir', title: 'Choir', changes, fields: {} };
  const { facts, after } = factsOfAction(action as unknown as UpdateEvent, entry);
  expect([facts.start, after?.start]).toEqual(['2027-01-15 19:00:00', '2027-01-15 19:00:00']);
});

const entryOf = (slug: string, missing: number) => ({
  slug,
  title: slug,
  state: 'kept',
  missing,
  startsAt: Date.UTC(2027, 0, 15, 18),
  endsAt: Date.UTC(2027, 0, 15, 20),
  fields: { start_date: { feed: '2027-01-15 19:00:00' }, timezone: { feed: 'Europe/Warsaw' } },
});

// If a review also counted it as staying, it would miss what all leaving events have in common.
test('an event counts either as leaving or as staying', () => {
  const plan = { actions: [], ledger: { choir: { entry: entryOf('choir', 1) }, jazz: { entry: entryOf('jazz', 1) } } };
  const ledger = new Map([
    ['choir', entryOf('choir', 0)],
    ['jazz', entryOf('jazz', 1)],
    ['market', entryOf('market', 0)],
  ]);
  const { leaving, stays, coming } = factsOf(
    plan as unknown as Plan,
    ledger as unknown as ReadonlyMap<string, LedgerEntry>,
    Date.UTC(2027, 0, 1),
  );
  expect([leaving, stays].map((facts) => facts.map(({ slug }) => slug))).toEqual([['choir'], ['jazz', 'market']]);
  expect(coming).toBe(3);
});
