import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mapWithPauses, pauses, withPauses } from '../../src/pauses.ts';

let now = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const workFor = (ms: number): void => {
  now += ms;
};

/** How often others had a turn while `work` ran. */
async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  await work();
  isOver = true;
  return turns;
}

it('a long list lets others have a turn, a short one does not', async () => {
  expect(await turnsWhile(() => mapWithPauses([15, 15, 15], workFor))).toBeGreaterThan(0);
  expect(await turnsWhile(() => mapWithPauses([5, 5, 5], workFor))).toBe(0);
});

it('a loop pauses after long work, and not again until there was more', async () => {
  const pauseIfDue = pauses();
  workFor(15);
  expect(pauseIfDue()).toBeUndefined();
  workFor(15);
  expect(await turnsWhile(async () => pauseIfDue())).toBeGreaterThan(0);
  workFor(15);
  expect(pauseIfDue()).toBeUndefined();
});

it('a generator runs to its end, and others have turns between its steps', async () => {
  const steps = function* (): Generator<void, string> {
    for (let step = 0; step < 3; step += 1) {
      workFor(15);
      yield;
    }
    return 'all';
  };
  let result: string | undefined;
  const turns = await turnsWhile(async () => {
    result = await withPauses(steps());
  });
  expect(result).toBe('all');
  expect(turns).toBeGreaterThan(0);
});
