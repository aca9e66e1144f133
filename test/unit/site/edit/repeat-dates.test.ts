import { describe, expect, test } from 'vitest';
import { repeatDays, REPEATS_MAX } from '../../../../src/site/edit/repeat-dates.ts';

describe('the dates of an event that is repeated', () => {
  test.each([
    ['2026-12-31', 'week', '2027-01-21', ['2027-01-07', '2027-01-14', '2027-01-21']],
    ['2026-12-31', 'fortnight', '2027-01-21', ['2027-01-14']],
    ['2027-01-31', 'month', '2027-05-31', ['2027-03-31', '2027-05-31']],
    ['2027-01-12', 'monthWeekday', '2027-04-30', ['2027-02-09', '2027-03-09', '2027-04-13']],
    ['2027-01-29', 'monthWeekday', '2027-07-31', ['2027-04-30', '2027-07-30']],
    ['2027-01-29', 'week', '2027-01-30', []],
    ['2027-01-29', 'week', 'whenever', []],
  ] as const)('%s, each %s until %s', (first, rhythm, until, days) => {
    expect(repeatDays(first, rhythm, until)).toEqual({ days, isCut: false });
  });

  test('have a maximum number, and are marked as cut beyond it', () => {
    const { days, isCut } = repeatDays('2027-01-01', 'week', '2200-01-01');
    expect([days.length, isCut]).toEqual([REPEATS_MAX, true]);
  });
});
