import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileWorking, workInWords } from '../../../src/cli/terminal/working.ts';

const said: string[] = [];
const io = (isTerminal: boolean) => ({
  out: () => undefined,
  err: (text: string) => void said.push(text),
  isTerminal,
  columns: () => 60,
  now: () => 0,
  stopped: new Promise<void>(() => undefined),
});
beforeEach(() => {
  said.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = (ms: number): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(() => resolve('done'), ms);
  });

test.each([
  [12_000, undefined, '  testing: 12 s'],
  [20_000, { done: 30, of: 120 }, '  testing: 30 of 120, 1.5 a second, 1 min left'],
  [20_000, { done: 0, of: 1_200 }, '  testing: 0 of 1,200'],
  [20_000, { done: 120, of: 120 }, '  testing: 120 of 120'],
])('after %i ms with %j: %s', (ms, come, line) => expect(workInWords('testing', ms, come)).toBe(line));

test('short work is not mentioned', async () => {
  const work = whileWorking(io(true), 'testing', () => after(900));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await work).toBe('done');
  expect(said).toEqual([]);
});

test('on a terminal one line is written over, and gone at the end', async () => {
  const work = whileWorking(io(true), 'testing', async (count) => {
    count(2, 8);
    return after(2_200);
  });
  await vi.advanceTimersByTimeAsync(2_300);
  await work;
  expect(said).toEqual([
    '\r\u001b[K  testing: 2 of 8, 2.0 a second, 3 s left',
    '\r\u001b[K  testing: 2 of 8, 1.3 a second, 5 s left',
    '\r\u001b[K  testing: 2 of 8, 1.0 a second, 6 s left',
    '\r\u001b[K',
  ]);
});

test('elsewhere a plain line comes every 30 seconds, also before a failure', async () => {
  const work = whileWorking(io(false), 'testing', async () => {
    await after(65_000);
    throw new Error('it broke');
  });
  await Promise.all([expect(work).rejects.toThrow('it broke'), vi.advanceTimersByTimeAsync(65_000)]);
  expect(said).toEqual(['  testing: 30 s\n', '  testing: 1 min\n']);
});
