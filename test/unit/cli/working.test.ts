import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileWorking } from '../../../src/cli/progress/working.ts';

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

test('short work is not mentioned', async () => {
  const work = whileWorking(io(true), 'testing', () => after(900));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await work).toBe('done');
  expect(said).toEqual([]);
});

test('on a terminal, one line is overwritten, and gone at the end', async () => {
  const work = whileWorking(io(true), 'testing', async ({ tell }) => {
    tell({ done: 2, of: 8 });
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

test('when something else is counted, its rate starts afresh', async () => {
  const work = whileWorking(io(true), 'restoring', async ({ tell }) => {
    for (const done of [5e6, 10e6]) {
      tell({ done, of: 10e6, unit: 'bytes' });
      await after(1_000);
    }
    tell({ done: 0, of: 300, unit: 'rows', doing: 'site.events' });
    await after(1_000);
    tell({ done: 100, of: 300, unit: 'rows', doing: 'site.events' });
    return after(600);
  });
  await vi.advanceTimersByTimeAsync(3_600);
  await work;
  expect(said.filter((line, index) => line !== said[index - 1])).toEqual([
    '\r\u001b[K  restoring: 10 MB of 10 MB',
    '\r\u001b[K  restoring: 0 of 300 rows: site.events',
    '\r\u001b[K  restoring: 100 of 300 rows, 100 a second, 2 s left: site…',
    '\r\u001b[K  restoring: 100 of 300 rows, 67 a second, 3 s left: site.…',
    '\r\u001b[K',
  ]);
});

test('without other progress, the line shows what is being read and has most left', async () => {
  const work = whileWorking(io(true), 'planning', async ({ reads }) => {
    reads({ done: 50, of: 100, unit: 'venues of the site' });
    reads({ done: 100, of: 500, unit: 'events of the site' });
    return after(1_200);
  });
  await vi.advanceTimersByTimeAsync(1_200);
  await work;
  expect(said[0]).toBe('\r\u001b[K  planning: 100 of 500 events of the site, 100 a second, 4…');
});

test('without a terminal, a plain line comes every 30 seconds, also before a failure', async () => {
  const work = whileWorking(io(false), 'testing', async () => {
    await after(65_000);
    throw new Error('it broke');
  });
  await Promise.all([expect(work).rejects.toThrow('it broke'), vi.advanceTimersByTimeAsync(65_000)]);
  expect(said).toEqual(['  testing: 30 s\n', '  testing: 1 min\n']);
});
