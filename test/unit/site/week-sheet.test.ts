import { expect, test } from 'vitest';
import { mostOfADay } from '../../../src/site/pages/views/week-sheet.ts';

test.each<[name: string, counts: readonly number[], room: number, most: number]>([
  ['all have room', [3, 9, 2], 36, 9],
  ['there is nothing', [0, 0, 0], 36, 1],
  ['full days share what quiet ones leave', [20, 1, 0, 20], 20, 8],
  ['a line says how many more there are', [10, 10], 20, 10],
  ['one line too many costs two', [10, 11], 20, 9],
  ['each day has one at least', [9, 9, 9], 0, 1],
])('lines of a day on a sheet: %s', (_, counts, room, most) => {
  expect(mostOfADay(counts, room)).toBe(most);
});
