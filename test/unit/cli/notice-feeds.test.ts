import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { noticeOf } from '../../../src/cli/web/notice-feeds.ts';
import { isPassing } from '../../../src/db/wait.ts';
import { createLogger } from '../../../src/log.ts';

const outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const missing = new Error('relation "site.revision" does not exist');
const broken = new Error('out of memory');

test.each<[what: string, notices: readonly (Error | null)[], logged: readonly string[]]>([
  ['nothing of an outage', [outage, outage, null], []],
  ['the first of several failures', [missing, missing, missing], [missing.message]],
  ['a failure once the database is back', [outage, outage, broken, broken], [broken.message]],
  ['a failure once, with an outage in between', [broken, outage, broken], [broken.message]],
  ['the next failure after a success', [broken, null, missing], [broken.message, missing.message]],
])('a notice logs %s', async (_, notices, expected) => {
  const logged: string[] = [];
  const log = createLogger(
    'error',
    new Writable({
      write: (line, _encoding, done) => {
        logged.push((JSON.parse(String(line)) as { error: { message: string } }).error.message);
        done();
      },
    }),
  );
  const left = [...notices];
  const notice = noticeOf(
    {
      notice: async () => {
        const error = left.shift();
        if (error) throw error;
      },
    },
    isPassing,
    log,
  );
  while (left.length > 0) await notice();
  expect(logged).toEqual(expected);
});
