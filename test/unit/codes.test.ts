import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FEED_ADVICE } from '../../src/feed-codes.ts';

// Codes that the program puts together from two parts.
const COMPOSED = /^(?:feed-(?:unknown-host|refused|unreachable|not-tls|tls|invalid)|(?:venue|organizer)-near-match)$/;

test('each code is declared once and used by the program', () => {
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
