import { expect, test } from 'vitest';
import { compare, type Levels } from '../soak/levels.ts';
import { dice, nextHour, publishersOf } from '../soak/publishers.ts';

const hours = (levels: (hour: number) => Levels): Levels[] => Array.from({ length: 40 }, (_, hour) => levels(hour));
const verdicts = (levels: (hour: number) => Levels): Record<string, boolean> =>
  Object.fromEntries(compare(hours(levels)).map(({ what, isLevel }) => [what, isLevel]));

test('a steady measure is level, and one that creeps up is not', () => {
  expect(verdicts((hour) => ({ steady: 200 + (hour % 7), creeping: 200 + 3 * hour }))).toEqual({
    steady: true,
    creeping: false,
  });
});

test('a history may grow steadily, but not faster and faster', () => {
  expect(verdicts((hour) => ({ 'rows of runs': 100 * hour, 'rows of jobs': 10 * hour * hour }))).toEqual({
    'rows of runs, more an hour': true,
    'rows of jobs, more an hour': false,
  });
});

test('one failed job is one too many', () => {
  expect(verdicts((hour) => ({ 'failed jobs': hour > 38 ? 1 : 0 }))).toEqual({ 'failed jobs': false });
});

const lived = (seed: number): unknown => {
  const publishers = publishersOf(['one', 'two', 'three'], 10);
  const throwDice = dice(seed);
  for (let hour = 1; hour <= 50; hour += 1) nextHour(publishers, hour, throwDice);
  return publishers;
};

test('a seed decides what happens', () => {
  expect(lived(7)).toEqual(lived(7));
  expect(lived(7)).not.toEqual(lived(8));
});
