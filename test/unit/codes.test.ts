import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FEED_ADVICE } from '../../src/feed-codes.ts';

// Made of a part that is written out, and one that tells what it is about.
const COMPOSED = /^(?:feed-(?:unknown-host|refused|unreachable|not-tls|tls|invalid)|(?:venue|organizer)-near-match)$/;

test('no code is declared that nothing gives', () => {
  const others = [...readFileSync('src/codes.ts', 'utf8').matchAll(/^  \| '([^']+)'/gm)].map(([, code]) => code!);
  const declared = [...Object.keys(FEED_ADVICE), ...others];
  const program = globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('codes.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(declared.length).toBeGreaterThan(200);
  expect(new Set(declared).size).toBe(declared.length);
  expect(declared.filter((code) => !COMPOSED.test(code) && !program.includes(`'${code}'`))).toEqual([]);
});
