import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldState, Json, LedgerEntry } from '../../../src/sync/model/plan.ts';
import { storedFields, storedFieldsReader } from '../../../src/sync/model/stored-fields.ts';
import { repetitions } from '../../support/repetitions.ts';

const [NOON, LATER] = ['2027-01-15 12:00:00', '2027-01-16 12:00:00'] as const;
const time = fc.constantFrom(NOON, LATER);
// Few values, so that many entries are alike, or nearly alike.
const value = fc.constantFrom<Json[]>('', 'a', null, false, 1, [], ['a'], [1], [{ venue: 'Hall' }]);
const state: fc.Arbitrary<FieldState> = fc.oneof(
  fc.tuple(value, time).map(([same, at]): FieldState => ({
    by: 'feed',
    feed: same,
    sent: same,
    returned: same,
    at,
  })),
  fc.record(
    {
      by: fc.constantFrom('feed' as const, 'person' as const),
      feed: value,
      sent: value,
      returned: value,
      at: time,
      utc: time,
      conflict: fc.constant(true as const),
    },
    { requiredKeys: ['by', 'feed'] },
  ),
);
const fields: fc.Arbitrary<LedgerEntry['fields']> = fc.record(
  { title: state, tags: state, start_date: state, cost: state },
  { requiredKeys: [] },
);

test('entries that are read one after the other are as they were stored', () => {
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 12 }), (entries) => {
      const stored = JSON.parse(JSON.stringify(entries.map(storedFields))) as ReturnType<typeof storedFields>[];
      expect(stored.map(storedFieldsReader())).toEqual(entries);
    }),
    { numRuns: repetitions(2_000) },
  );
});

test('a field that is the same in the entry before is kept once', () => {
  const same = { by: 'feed', feed: [], sent: 'x', returned: '', at: NOON } as const;
  const entries = [{ tags: same }, { tags: { ...same } }, { tags: { ...same, returned: 'other' } }];
  const [first, second, third] = entries.map((entry) => storedFields(entry)).map(storedFieldsReader());
  expect(second?.tags).toBe(first?.tags);
  expect(third?.tags).not.toBe(first?.tags);
});
