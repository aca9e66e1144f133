import { expect, test } from 'vitest';
import { entriesFromRows, type EntryRow } from '../../../src/run/state/ledger.ts';

const row = (number: number): EntryRow => ({
  slug: `event-${number}`,
  key: `key-${number}`,
  rung: 'uid',
  identity: `${number}@feed.example`,
  uid: `${number}@feed.example`,
  title: `Event ${number}`,
  startsAt: 0,
  endsAt: 0,
  id: number,
  state: 'kept',
  missing: 0,
  fields: JSON.stringify({ title: { same: `Event ${number}` }, description: { same: 'x'.repeat(500) } }),
});

test('others have their turns while a large ledger is loaded', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const entries = await entriesFromRows(Array.from({ length: 20_000 }, (_, number) => row(number)));
  clearImmediate(counting);
  expect(entries.size).toBe(20_000);
  expect(entries.get('event-7')).toMatchObject({ id: 7, fields: { title: { feed: 'Event 7' } } });
  // It waits for nothing, so that without a pause there would be no turn at all.
  expect(turns).toBeGreaterThan(0);
});
