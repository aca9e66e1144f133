import { Redis } from 'ioredis';
import type { BackendAddress } from '../../src/queue/backend.ts';
import type { DatabaseAddress } from '../../src/db/database.ts';

/**
 * A place for the queues of a single test: its own database, or the Redis database with this number, which is emptied.
 */
export type QueueHome = (database: DatabaseAddress) => Promise<BackendAddress>;

/** The back ends that a suite runs on; reports it if Redis is not among them. */
export function queueHomes(redisDatabase: number): readonly (readonly [name: string, home: QueueHome])[] {
  const redisUrl = process.env['TEST_REDIS_URL'];
  if (redisUrl === undefined || redisUrl === '') {
    process.stderr.write('NOT RUN: the queue on Redis (set TEST_REDIS_URL, for example redis://127.0.0.1:6379)\n');
    return [['PostgreSQL', onPostgresql]];
  }
  return [
    ['PostgreSQL', onPostgresql],
    ['Redis', () => onRedis(redisUrl, redisDatabase)],
  ];
}

const onPostgresql: QueueHome = (database) => Promise.resolve({ database });

async function onRedis(url: string, number: number): Promise<BackendAddress> {
  const address = new URL(url);
  address.pathname = `/${number}`;
  const redis = new Redis(address.href);
  await redis.flushdb();
  await redis.quit();
  return { redisUrl: address.href };
}
