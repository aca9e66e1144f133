import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { growingWithNeed } from '../../../src/db/growth.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Work over a pool of at most `max` connections, of which `busyMax` keep the processors busy; it ends on demand. */
function workingOver(max: number, busyMax = max) {
  const removed: (() => void)[] = [];
  const pool = {
    options: { max },
    totalCount: 0,
    on: (_: 'remove', listener: () => void) => removed.push(listener),
  };
  const inTurn = growingWithNeed(pool, busyMax);
  const under = new Set<PromiseWithResolvers<void>>();
  return {
    begin: (count: number): void => {
      for (let index = 0; index < count; index += 1)
        void inTurn(async () => {
          const work = Promise.withResolvers<void>();
          under.add(work);
          await work.promise.finally(() => under.delete(work));
        }).catch(() => undefined);
    },
    underWay: async (): Promise<number> => {
      await vi.advanceTimersByTimeAsync(0);
      return under.size;
    },
    end: async (count: number, error?: Error): Promise<void> => {
      for (const work of [...under].slice(0, count)) {
        if (error) work.reject(error);
        else work.resolve();
      }
      await vi.advanceTimersByTimeAsync(0);
    },
    remove: (left: number): void => {
      pool.totalCount = left;
      for (const listener of removed) listener();
    },
  };
}

test('short statements run one after the other, whether they fail or not', async () => {
  const { begin, underWay, end } = workingOver(10);
  begin(6);
  for (let left = 6; left > 0; left -= 1) {
    expect(await underWay()).toBe(1);
    await vi.advanceTimersByTimeAsync(10);
    await end(1, left % 2 === 0 ? new Error('no table') : undefined);
  }
  expect(await underWay()).toBe(0);
});

test('one more runs once waits add up to a quarter of a second, of one or several, together or over time', async () => {
  const { begin, underWay, end } = workingOver(10);
  const after = async (ms: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(ms);
    return underWay();
  };
  begin(2);
  expect([await after(249), await after(2)]).toEqual([1, 2]);
  await end(2);
  begin(7);
  expect([await after(49), await after(2)]).toEqual([2, 3]);
  await end(3);
  await end(3);
  await end(1);
  for (let times = 0; times < 4; times += 1) {
    begin(4);
    expect(await after(60)).toBe(3);
    await end(3);
    await end(1);
  }
  begin(4);
  expect(await after(11)).toBe(4);
});

test('at the limit of the pool, all are passed on and wait there', async () => {
  const { begin, underWay } = workingOver(3);
  begin(8);
  await vi.advanceTimersByTimeAsync(40);
  expect(await underWay()).toBe(2);
  await vi.advanceTimersByTimeAsync(50);
  expect(await underWay()).toBe(8);
});

test('where the processors are busy, one more runs only once a single statement has waited long', async () => {
  const { begin, underWay, end } = workingOver(10, 2);
  const after = async (ms: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(ms);
    return underWay();
  };
  begin(6);
  expect(await after(60)).toBe(2);
  // Short statements: many wait all the time, each of them not for long.
  for (let times = 0; times < 20; times += 1) {
    await end(2);
    begin(2);
    expect(await after(10)).toBe(2);
  }
  // None of them ends: they wait for a lock.
  expect([await after(20), await after(20), await after(30), await after(20)]).toEqual([2, 3, 3, 4]);
});

test('when connections are closed, fewer statements run at once', async () => {
  const { begin, underWay, end, remove } = workingOver(10);
  begin(4);
  await vi.advanceTimersByTimeAsync(600);
  expect(await underWay()).toBe(4);
  await end(4);
  remove(2);
  begin(4);
  expect(await underWay()).toBe(2);
  await end(2);
  await end(2);
  remove(0);
  begin(4);
  expect(await underWay()).toBe(1);
});
