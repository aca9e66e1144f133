import type { Redis } from 'ioredis';
import type { Problem } from '../problem.ts';

/** What keeps a Redis server from working as a queue, although it answers. */
export async function redisProblems(redis: Pick<Redis, 'del' | 'info'>): Promise<readonly Problem[]> {
  const memory = memoryProblems(await redis.info('memory'));
  try {
    // Changes nothing, but is refused like any write: by a replica, or by a server that cannot save.
    await redis.del('{sync}:nothing');
    return memory;
  } catch (error) {
    return [...memory, refusal((error as Error).message)];
  }
}

/**
 * What is wrong with the memory of a Redis server, from its `INFO memory`: either it is full, so that no source is read
 * any more, or the server discards jobs as it fills up.
 */
export function memoryProblems(info: string): readonly Problem[] {
  const facts = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string | undefined]));
  const [used, most, policy] = [facts.get('used_memory'), facts.get('maxmemory'), facts.get('maxmemory_policy')];
  if (most === undefined || policy === undefined || Number(most) === 0) return [];
  if (policy !== 'noeviction')
    return [problem(`Redis discards data when its memory is full (maxmemory-policy is ${policy}), jobs included.`)];
  return Number(used) < Number(most)
    ? []
    : [problem(`The memory of Redis is full (${used} of ${most} bytes): no source is read until it has room.`)];
}

const problem = (what: string): Problem => ({
  code: 'redis-memory',
  where: { field: 'REDIS_URL' },
  message: `${what} Set maxmemory-policy to noeviction, and maxmemory to 0 or to more than it needs.`,
});

const refusal = (said: string): Problem => ({
  code: 'redis-read-only',
  where: { field: 'REDIS_URL' },
  message:
    `Redis answers, but accepts no writes, so no source is read: ${said.replace(/\.$/, '')}. ` +
    'Fix that, or name the primary server in REDIS_URL.',
});
