import { expect, test } from 'vitest';
import { memoryProblems, redisProblems } from '../../../src/queue/redis-problems.ts';

const info = (used: number, most: number, policy: string): string =>
  `# Memory\r\nused_memory:${used}\r\nmaxmemory:${most}\r\nmaxmemory_policy:${policy}\r\n`;

test.each([
  ['no limit', info(2_000_000, 0, 'allkeys-lru'), undefined],
  ['room', info(2_000_000, 3_000_000, 'noeviction'), undefined],
  ['a server that reports nothing', '', undefined],
  ['no room', info(2_000_000, 1_000_000, 'noeviction'), 'The memory of Redis is full (2000000 of 1000000 bytes)'],
  ['a policy that may discard jobs', info(1, 1_000_000, 'allkeys-lru'), 'Redis discards data'],
])('the memory of a Redis: %s', (_, text, message) => {
  const [problem] = memoryProblems(text);
  expect(problem?.message.slice(0, message?.length)).toBe(message);
});

test('a Redis that refuses writes is a problem, with its reason', async () => {
  const said = "READONLY You can't write against a read only replica.";
  const copy = { info: async () => info(1, 0, 'noeviction'), del: () => Promise.reject(new Error(said)) };
  expect(await redisProblems(copy)).toMatchObject([
    { code: 'redis-read-only', message: expect.stringContaining(said.slice(0, -1)) as string },
  ]);
  expect(await redisProblems({ ...copy, del: async () => 0 })).toEqual([]);
});
