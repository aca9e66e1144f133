import { expect, test } from 'vitest';
import type { StoredBatch } from '../../../src/run/state/batches.ts';
import { makePlannedItems } from '../../../src/run/state/planned-items.ts';

const batch = (number: number, characters: number, isExact = true): StoredBatch => ({
  stage: 'events',
  number,
  items: [],
  characters,
  isExact,
});
const name = (run: string, number: number) => ({ run, stage: 'events', number }) as const;

test('batches are kept while there is room, and only those that are stored exactly', () => {
  const planned = makePlannedItems(100);
  const batches = [batch(0, 50), batch(1, 1, false), batch(2, 50), batch(3, 1)];
  planned.keep('run', batches);
  expect([0, 1, 2, 3].filter((number) => planned.of(name('run', number)))).toEqual([0, 2]);
  expect(planned.of(name('run', 2))).toBe(batches[2]!.items);
  expect(planned.of({ ...name('run', 2), stage: 'removals' })).toBeUndefined();
});

test('written batches are forgotten, one by one or all of a run', () => {
  const planned = makePlannedItems(100);
  planned.keep('run', [batch(0, 10), batch(1, 10)]);
  planned.keep('other', [batch(0, 10)]);
  planned.forget('run', { stage: 'events', number: 0 });
  expect([planned.of(name('run', 0)), planned.of(name('run', 1))]).toEqual([undefined, []]);
  planned.forget('run');
  expect([planned.of(name('run', 1)), planned.of(name('other', 0))]).toEqual([undefined, []]);
});

test('runs share the room, and later ones take that of the first', () => {
  const planned = makePlannedItems(100);
  const kept = () => ['first', 'second', 'third', 'fourth'].filter((run) => planned.of(name(run, 0)));
  planned.keep('first', [batch(0, 30)]);
  planned.keep('second', [batch(0, 30)]);
  planned.keep('third', [batch(0, 40)]);
  expect(kept()).toEqual(['first', 'second', 'third']);
  planned.keep('fourth', [batch(0, 30)]);
  expect(kept()).toEqual(['second', 'third', 'fourth']);
});
