import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANES_MAX, lanesOf } from '../../../../src/site/pages/views/lanes.ts';
import { dayAfter } from '../../../../src/time.ts';

const MONDAY = '2026-12-07';
const WEEK = Array.from({ length: 7 }, (_, index) => dayAfter(MONDAY, index));

const span = (id: number, first: number, last: number) => ({
  id,
  first: dayAfter(MONDAY, first),
  last: dayAfter(MONDAY, last),
});

describe('the bars of a week', () => {
  test.each([
    ['none', [], [], {}],
    ['one that lasts beyond the week on both sides', [span(1, -30, 30)], ['1: 1+7 from on'], {}],
    ['one before and one after', [span(1, -3, -1), span(2, 7, 9)], [], {}],
    ['two consecutive ones in one lane', [span(1, -2, 1), span(2, 2, 4)], ['1: 1+2 from', '1: 3+3'], {}],
    [
      'the longest on top, and of equal ones the earlier',
      [span(3, 2, 3), span(2, 0, 6), span(1, -9, 9)],
      ['1: 1+7 from on', '2: 1+7', '3: 3+2'],
      {},
    ],
    [
      'a fourth one that is only counted',
      [span(1, -9, 9), span(2, -9, 9), span(3, -9, 9), span(4, -9, 9)],
      ['1: 1+7 from on', '2: 1+7 from on', '3: 1+7 from on'],
      Object.fromEntries(WEEK.map((day) => [day, 1])),
    ],
    [
      'those that begin or end in the week before one that does not',
      [span(1, -9, 9), span(2, -9, 9), span(3, -9, 2), span(4, 1, 9)],
      ['1: 1+7 from on', '2: 1+3 from', '3: 2+6 on'],
      Object.fromEntries(WEEK.map((day) => [day, 1])),
    ],
  ])('%s', (_, spans, bars, left) => {
    const lanes = lanesOf(WEEK, spans);
    const told = lanes.bars.map(
      (bar) => `${bar.lane}: ${bar.at + 1}+${bar.days}${bar.isFromBefore ? ' from' : ''}${bar.goesOn ? ' on' : ''}`,
    );
    expect([told, Object.fromEntries(lanes.left)]).toEqual([bars, left]);
  });

  const spans = fc
    .array(fc.tuple(fc.integer({ min: -20, max: 12 }), fc.integer({ min: 1, max: 40 })), { maxLength: 24 })
    .map((all) => all.map(([first, length], id) => span(id, first, first + length)));

  test('no two of them overlap, and on each day every event has a bar or is counted', () =>
    fc.assert(
      fc.property(spans, (all) => {
        const { bars, left, lanes } = lanesOf(WEEK, all);
        const used = bars.flatMap(({ lane, at, days }) =>
          Array.from({ length: days }, (_, index) => `${lane} ${WEEK[at + index]}`),
        );
        expect(new Set(used).size).toBe(used.length);
        expect(Math.max(0, ...bars.map(({ lane }) => lane))).toBe(lanes);
        expect(lanes).toBeLessThanOrEqual(LANES_MAX);
        for (const day of WEEK)
          expect(used.filter((place) => place.endsWith(day)).length + (left.get(day) ?? 0)).toBe(
            all.filter(({ first, last }) => first <= day && last >= day).length,
          );
      }),
    ));

  test('an event that lasts all week keeps its lane in every week in which all events have one', () =>
    fc.assert(
      fc.property(spans, (all) => {
        const long = [span(100, -60, 60), span(101, -50, 60)];
        const weeks = [WEEK, WEEK.map((day) => dayAfter(day, 7))].map((week) =>
          lanesOf(week, [...long, ...all.slice(0, 6)]),
        );
        const lanes = weeks
          .filter(({ left }) => left.size === 0)
          .map(({ bars }) => bars.filter(({ id }) => id >= 100).map(({ id, lane }) => `${id}: ${lane}`));
        expect(lanes).toEqual(lanes.map(() => ['100: 1', '101: 2']));
      }),
    ));
});
