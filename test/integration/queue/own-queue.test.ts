import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { openBackend } from '../../../src/queue/backend.ts';
import { makeOwnQueue } from '../../../src/queue/own-queue.ts';
import { until } from '../../support/until.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

// A process opens no more of the queue than it needs, however often it asks.

const log = createLogger('silent');

let fresh: FreshDatabase;
const warnings: string[] = [];
const onWarning = ({ message }: Error): void => {
  warnings.push(message);
};
beforeEach(async () => {
  fresh = await freshDatabase();
  warnings.length = 0;
  process.on('warning', onWarning);
});
afterEach(async () => {
  process.off('warning', onWarning);
  await fresh.close();
});

test('a queue that is requested twice is opened once', async () => {
  const backend = await openBackend({ database: fresh.address }, 1, log);
  const [one, other] = await Promise.all([backend.queue('sync'), backend.queue('sync')]);
  expect(one).toBe(other);
  expect(await backend.queue('write')).not.toBe(one);
  await backend.close();
});

test('many sites cause no memory leak warning of Node.js', async () => {
  const sites = Array.from({ length: 12 }, (_, index) => `site-${index}`);
  const own = makeOwnQueue({ database: fresh.address }, () => sites, log);
  expect(new Set((await own.jobs()).map(({ queue }) => queue)).size).toBe(sites.length + 2);
  expect(warnings).toEqual([]);
  await own.close();
});

test('requests during an outage of the database leave nothing behind, and work again after it', async () => {
  const { database } = fresh.address as { readonly database: string };
  const own = makeOwnQueue({ database: fresh.address }, () => ['town'], log);
  await own.backend();
  const server = await freshDatabase({ empty: true });
  await server.database.pool.query(`alter database ${database} with allow_connections false`);
  await server.database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database,
  ]);
  for (let turn = 0; turn < 15; turn += 1)
    await expect(own.jobs()).rejects.toThrow(/not currently accepting|terminat|EPIPE|ECONNRESET/);
  await server.database.pool.query(`alter database ${database} with allow_connections true`);
  // A connection that was tried during the outage may still be about to fail.
  await until('the queue to answer', async () => (await own.jobs().catch(() => [])).length > 0);
  expect(warnings).toEqual([]);
  await own.close();
  await server.close();
});
