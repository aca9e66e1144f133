import { expect, test } from 'vitest';
import { scheduleInWords } from '../../../src/operator/sources/source-page.ts';
import { inFieldOrder } from '../../../src/sync/model/fields.ts';

test.each([
  [60_000, 'Every minute.'],
  [15 * 60_000, 'Every 15 minutes.'],
  [90 * 60_000, 'Every 90 minutes.'],
  [3_600_000, 'Every hour.'],
  [6 * 3_600_000, 'Every 6 hours.'],
  [2 * 86_400_000, 'Every 2 days.'],
  [7 * 86_400_000, 'Every week.'],
  [45_000, 'Every 45 seconds.'],
])('a schedule of %i ms is put into words', (everyMs, words) =>
  expect(scheduleInWords({ schedule: { everyMs } })).toBe(words),
);

test('changes are shown in the order of fields, not in that of the database', () =>
  expect(inFieldOrder({ end_date: 2, own: 4, start_date: 1, venue: 3 })).toEqual([
    ['start_date', 1],
    ['end_date', 2],
    ['venue', 3],
    ['own', 4],
  ]));
