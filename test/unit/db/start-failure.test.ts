import { expect, test } from 'vitest';
import { startFailure } from '../../../src/db/embedded/server.ts';

test.each([
  [
    'FATAL:  insufficient file descriptors available to start server process',
    'Allow more open files: "ulimit -n 1024"',
  ],
  ['initdb: error: could not write to file "pg_wal/xlogtemp.7": No space left on device', 'Make room on its disk.'],
  ['FATAL:  data directory "/data" has wrong ownership', 'Remove what is in its way'],
])('advice on a server that does not start: %s', (said, advice) => {
  const { message } = startFailure(said);
  expect(message).toContain(said);
  expect(message.split('\n').at(-1)?.slice(0, advice.length)).toBe(advice);
});
