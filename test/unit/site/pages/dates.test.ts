import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayInWords, monthInWords } from '../../../../src/site/pages/frame/dates.ts';
import { isDay, isMonth, monthAfter, weeksOf } from '../../../../src/time.ts';

test.each([
  ['2027-01', 1, '2027-02'],
  ['2027-12', 1, '2028-01'],
  ['2027-01', -1, '2026-12'],
  ['2027-05', -17, '2025-12'],
  ['2027-05', 0, '2027-05'],
])('%s and %i months is %s', (month, count, expected) => {
  expect(monthAfter(month, count)).toBe(expected);
});

test('a month is in whole weeks from Monday', () => {
  expect(weeksOf('2027-02')).toEqual([
    ['2027-02-01', '2027-02-02', '2027-02-03', '2027-02-04', '2027-02-05', '2027-02-06', '2027-02-07'],
    ...[8, 15, 22].map((first) =>
      Array.from({ length: 7 }, (_, index) => `2027-02-${String(first + index).padStart(2, '0')}`),
    ),
  ]);
  expect(weeksOf('2026-11').map((week) => [week[0], week[6]])).toEqual([
    ['2026-10-26', '2026-11-01'],
    ['2026-11-02', '2026-11-08'],
    ['2026-11-09', '2026-11-15'],
    ['2026-11-16', '2026-11-22'],
    ['2026-11-23', '2026-11-29'],
    ['2026-11-30', '2026-12-06'],
  ]);
});

const month = fc
  .tuple(fc.integer({ min: 1900, max: 2899 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, number]) => `${year}-${String(number).padStart(2, '0')}`);

describe('for every month', () => {
  test('the weeks hold each of its days once, and neither the first nor the last week is without one', () =>
    fc.assert(
      fc.property(month, (one) => {
        const weeks = weeksOf(one);
        const days = weeks.flat().filter((day) => day.startsWith(one));
        expect(new Set(weeks.flat()).size).toBe(weeks.length * 7);
        expect([days[0], days.length >= 28, new Set(days).size]).toEqual([`${one}-01`, true, days.length]);
        expect([
          weeks[0]?.some((day) => day.startsWith(one)),
          weeks.at(-1)?.some((day) => day.startsWith(one)),
        ]).toEqual([true, true]);
        expect(weeks.flat()).toEqual(weeks.flat().toSorted());
      }),
    ));

  test('going forth and back gives the same month', () =>
    fc.assert(
      fc.property(month, fc.integer({ min: -500, max: 500 }), (one, count) => {
        expect(monthAfter(monthAfter(one, count), -count)).toBe(one);
      }),
    ));
});

test.each([
  ['2027-02-28', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2027-2-1', false],
  ['0027-01-01', false],
  ['', false],
  ['x', false],
])('%s is a day: %s', (text, is) => expect(isDay(text)).toBe(is));
test.each([
  ['2027-02', true],
  ['2027-13', false],
  ['2027-00', false],
  ['9999-01', false],
  ['2027-02-01', false],
])('%s is a month: %s', (text, is) => expect(isMonth(text)).toBe(is));

test.each([
  ['en', 'Saturday 10 April 2027', 'April 2027'],
  ['pl', 'sobota, 10 kwietnia 2027', 'kwiecień 2027'],
  ['de', 'Samstag, 10. April 2027', 'April 2027'],
  ['nonsense tag', 'Saturday 10 April 2027', 'April 2027'],
])('a day and a month in words in %s', (language, day, inMonth) => {
  expect([
    dayInWords('2027-04-10', language).replace('Saturday,', 'Saturday'),
    monthInWords('2027-04', language),
  ]).toEqual([day, inMonth]);
});
