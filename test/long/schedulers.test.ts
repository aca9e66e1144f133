import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { openBackend, type Backend } from '../../src/queue/backend.ts';
import { SYNC_QUEUE } from '../../src/queue/jobs.ts';
import { keepSchedules, schedule, type Schedule } from '../../src/queue/schedulers.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { queueHomes } from '../support/queue-backends.ts';
import { until } from '../support/until.ts';

// What the schedules of very many sources cost, in statements sent to the queue's back end.

const SOURCES = 5_000;
const SCHEDULES = Array.from({ length: SOURCES }, (_, index): Schedule =>
  index % 2 === 0
    ? { source: `source-${index}`, everyMs: 3_600_000 }
    : { source: `source-${index}`, cron: `${index % 60} 5 * * *`, timezone: 'Europe/Warsaw' },
);

const log = createLogger('fatal');

describe.each(queueHomes(13))('on %s', (name, home) => {
  let fresh: FreshDatabase;
  let backend: Backend;
  beforeEach(async () => {
    fresh = await freshDatabase();
    backend = await openBackend(await home(fresh.address), 1, log);
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await backend.close();
    await fresh.close();
  });

  /** How many statements this process sends meanwhile. */
  async function statements(work: () => Promise<unknown>): Promise<number> {
    const sent =
      name === 'Redis' ? vi.spyOn(Redis.prototype, 'sendCommand') : vi.spyOn(pg.Client.prototype, 'query' as never);
    const before = sent.mock.calls.length;
    await work();
    const count = sent.mock.calls.length - before;
    sent.mockRestore();
    return count;
  }

  test(`${SOURCES} sources: a start writes only changed schedules, and a check takes one statement`, async () => {
    const queue = await backend.queue(SYNC_QUEUE);
    const first = await statements(() => schedule(queue, SCHEDULES));
    const again = await statements(() => schedule(queue, SCHEDULES));
    const changed = SCHEDULES.map((one, index): Schedule =>
      index < 3 ? { source: one.source, everyMs: 60_000 } : one,
    ).slice(0, -1);
    const afterChange = await statements(() => schedule(queue, changed));
    expect(await queue.getJobSchedulersCount()).toBe(SOURCES - 1);

    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stop = keepSchedules(
      queue,
      () => changed,
      log,
      async () => undefined,
    );
    const asked = [vi.spyOn(queue, 'getJobSchedulersCount'), vi.spyOn(queue, 'getJobSchedulers')];
    const look = await statements(async () => {
      vi.advanceTimersByTime(15_000);
      const looked = (): Promise<unknown>[] =>
        asked.flatMap(({ mock }) =>
          (mock.results as { readonly value: unknown }[]).map(({ value }) => value as Promise<unknown>),
        );
      await until('the look', () => looked().length > 0);
      await Promise.all(looked());
    });
    process.stderr.write(
      `${name}, ${SOURCES} sources, statements: first start ${first}, next start ${again}, with 4 changes ${afterChange}, a look ${look}\n`,
    );
    expect({ again, look }).toEqual({ again: 1, look: 1 });
    // A change removes a scheduler and adds another.
    expect(afterChange).toBeLessThanOrEqual(1 + 2 * 4);
    expect(first).toBeLessThanOrEqual(SOURCES + 5);
    stop();
  });

  test('schedules that the queue has lost are restored', async () => {
    const queue = await backend.queue(SYNC_QUEUE);
    const few = SCHEDULES.slice(0, 20);
    await schedule(queue, few);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stop = keepSchedules(
      queue,
      () => few,
      log,
      async () => undefined,
    );
    await queue.obliterate({ force: true });
    expect(await queue.getJobSchedulersCount()).toBe(0);
    vi.advanceTimersByTime(15_000);
    await until('the schedules', async () => (await queue.getJobSchedulersCount()) === few.length);
    stop();
  });
});
