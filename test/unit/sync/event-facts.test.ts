import { expect, test } from 'vitest';
import { factsOfAction } from '../../../src/sync/review/event-facts.ts';
import type { LedgerEntry, UpdateEvent } from '../../../src/sync/model/plan.ts';

// An event that the feed brings back, and one that is over: neither is a coming event of the site.
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
