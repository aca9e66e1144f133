import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { openBackend, type Backend } from '../../src/queue/backend.ts';
import { SYNC_QUEUE } from '../../src/queue/jobs.ts';
import { schedule } from '../../src/queue/schedulers.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

// A server that comes back does not answer everything at once: connections that listen may succeed before others.

let fresh: FreshDatabase;
let backend: Backend;
beforeEach(async () => {
  fresh = await freshDatabase();
  backend = await openBackend({ database: fresh.address }, 1, createLogger('fatal'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await backend.close();
  await fresh.close();
});

/** Waits before it refuses, like a real server: the queue asks again at once, and would block everything else. */
async function refuse(): Promise<never> {
  await sleep(1);
  throw new Error('the database system is starting up');
}

test('schedules go on after an outage, even if the first queries for the next job fail', async () => {
  let ticks = 0;
  const worker = await backend.worker(SYNC_QUEUE, async () => void (ticks += 1), { concurrency: 2 });
  await schedule(await backend.queue(SYNC_QUEUE), [{ source: 'town', everyMs: 1_000 }]);
  await until('a tick', () => ticks > 0);

  const connecting = vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(refuse);
  const asking = vi.spyOn(pg.Pool.prototype, 'query').mockImplementation(refuse);
  await endConnections();
  await until('an attempt to listen', () => connecting.mock.calls.length > 0);
  connecting.mockRestore();
  const asked = asking.mock.calls.length;
  // Both queries, when the next job is due and whether there is one already, follow the attempt to listen.
  await until('questions in vain', () => asking.mock.calls.length >= asked + 2);
  asking.mockRestore();

  const before = ticks;
  await until('ticks again', () => ticks > before);
  expect(worker.isRunning()).toBe(true);
});

async function endConnections(): Promise<void> {
  const { address } = fresh;
  const client = new pg.Client(
    'url' in address ? address.url : { host: address.socketDirectory, database: address.database, user: address.user },
  );
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
}
