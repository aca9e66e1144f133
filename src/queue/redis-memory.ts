import type { Problem } from '../problem.ts';

/**
 * What is wrong with the memory of a Redis, from its `INFO memory`: none is left, so that no source is read any more, or
 * it throws away jobs as it fills up.
 */
export function redisMemoryProblems(info: string): readonly Problem[] {
  const facts = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string | undefined]));
  const [used, most, policy] = [facts.get('used_memory'), facts.get('maxmemory'), facts.get('maxmemory_policy')];
  if (most === undefined || policy === undefined || Number(most) === 0) return [];
  if (policy !== 'noeviction')
    return [
      problem(
        `Redis throws away what it holds when its memory is full (maxmemory-policy is ${policy}), jobs included.`,
      ),
    ];
  return Number(used) < Number(most)
    ? []
    : [problem(`The memory of Redis is full (${used} of ${most} bytes): no source is read until it has room.`)];
}

const problem = (what: string): Problem => ({
  code: 'redis-memory',
  where: { field: 'REDIS_URL' },
  message: `${what} Set maxmemory-policy to noeviction, and maxmemory to 0 or to more than it needs.`,
});
