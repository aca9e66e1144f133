import { expect, test } from 'vitest';
import { EVERYTHING } from '../../../../src/selection/selection.ts';
import { keptTables } from '../../../../src/site/store/kept-tables.ts';
import type { EventTables } from '../../../../src/site/store/series.ts';
import type { SeriesDates } from '../../../../src/site/store/series-dates.ts';

const datesOf = (key: string): SeriesDates => ({ key, starts: ['2027-01-10 18:00:00'], isCut: false });

/** Tables that record what they are asked; events with odd ids belong to a series, and 1999 fails. */
function asked() {
  const asks: unknown[] = [];
  const tables: EventTables = {
    daysBetween: async (...args) => {
      asks.push(args);
      return [{ day: args[0], ids: [asks.length], total: 1 }];
    },
    spansBetween: async () => [],
    daysAround: async (from) => {
      asks.push(from);
      if (from.startsWith('1999')) throw new Error('no such year');
      return { before: null, after: null };
    },
    namesOf: async () => ({ categories: new Map(), tags: new Map(), places: new Map(), organizers: new Map() }),
    seriesOf: async (ids, from) => {
      asks.push([from, ...ids]);
      return new Map(ids.filter((id) => id % 2 === 1).map((id) => [id, datesOf(`${from} ${id}`)]));
    },
    datesOf: async () => [],
    around: async () => undefined,
  };
  return { asks, at: keptTables(tables) };
}

test('the tables are asked once per revision and question', async () => {
  const { asks, at } = asked();
  const days = await at('1').daysBetween('2027-01-01', '2027-01-31', 4);
  expect(await at('1').daysBetween('2027-01-01', '2027-01-31', 4)).toBe(days);
  await at('1').daysBetween('2027-01-01', '2027-01-31', 4, { ...EVERYTHING, search: 'jazz' });
  expect(asks).toHaveLength(2);
  await at('2').daysBetween('2027-01-01', '2027-01-31', 4);
  await at('2').daysBetween('2027-01-01', '2027-01-31', 4);
  expect(asks).toHaveLength(3);
});

test('nothing is kept without a known revision, or after a failure', async () => {
  const { asks, at } = asked();
  for (let round = 0; round < 2; round += 1) await at(undefined).daysAround('2027-01-01', '2027-01-31');
  for (let round = 0; round < 2; round += 1)
    await expect(at('1').daysAround('1999-01-01', '1999-01-31')).rejects.toThrow('no such year');
  expect(asks).toHaveLength(4);
});

test('the series of an event is asked for once, whatever else is in a list', async () => {
  const { asks, at } = asked();
  const { seriesOf } = at('1');
  expect([...(await seriesOf([1, 2, 3], 'today')).keys()]).toEqual([1, 3]);
  expect([...(await seriesOf([2, 3, 4, 5], 'today')).keys()]).toEqual([3, 5]);
  expect((await seriesOf([1], 'tomorrow')).get(1)?.key).toBe('tomorrow 1');
  expect(asks).toEqual([
    ['today', 1, 2, 3],
    ['today', 4, 5],
    ['tomorrow', 1],
  ]);
});

test('the series and answers asked for longest ago are forgotten', async () => {
  const { asks, at } = asked();
  const { seriesOf, daysBetween } = at('1');
  await seriesOf([1], 'today');
  const many = Array.from({ length: 2_000 }, (_, index) => index + 2);
  expect((await seriesOf([1, ...many], 'today')).size).toBe(1_001);
  await seriesOf([1], 'today');
  expect(asks).toHaveLength(3);
  for (let day = 0; day <= 100; day += 1) await daysBetween('2027-01-01', '2027-01-31', day);
  await daysBetween('2027-01-01', '2027-01-31', 0);
  expect(asks).toHaveLength(105);
});
