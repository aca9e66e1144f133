import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Made of a part that is written out, and one that tells what it is about.
const COMPOSED = /^(?:feed-(?:unknown-host|refused|unreachable|not-tls|tls|invalid)|(?:venue|organizer)-near-match)$/;

test('no code is declared that nothing gives', () => {
  const declared = [...readFileSync('src/codes.ts', 'utf8').matchAll(/^  \| '([^']+)'/gm)].map(([, code]) => code!);
  const others = globSync('src/**/*.ts')
    .filter((file) => !/codes\.ts$|publisher-advice\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(declared.length).toBeGreaterThan(200);
  expect(new Set(declared).size).toBe(declared.length);
  expect(declared.filter((code) => !COMPOSED.test(code) && !others.includes(`'${code}'`))).toEqual([]);
});
