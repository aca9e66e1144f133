import { expect, test } from 'vitest';
import { redisMemoryProblems } from '../../../src/queue/redis-memory.ts';

const info = (used: number, most: number, policy: string): string =>
  `# Memory\r\nused_memory:${used}\r\nmaxmemory:${most}\r\nmaxmemory_policy:${policy}\r\n`;

test.each([
  ['no limit', info(2_000_000, 0, 'allkeys-lru'), undefined],
  ['room', info(2_000_000, 3_000_000, 'noeviction'), undefined],
  ['a server that tells nothing', '', undefined],
  ['no room', info(2_000_000, 1_000_000, 'noeviction'), 'The memory of Redis is full (2000000 of 1000000 bytes)'],
  ['jobs that may go', info(1, 1_000_000, 'allkeys-lru'), 'Redis throws away what it holds'],
])('the memory of a Redis: %s', (_, text, message) => {
  const [problem] = redisMemoryProblems(text);
  expect(problem?.message.slice(0, message?.length)).toBe(message);
});
