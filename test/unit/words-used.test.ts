import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { en as FEED_WORDS } from '../../src/feeds/words/en.ts';
import { EN as FRAME_WORDS } from '../../src/look/words/en.ts';
import { EN as PAGE_WORDS } from '../../src/site/pages/words/en.ts';

const namesIn = (words: object): readonly string[] =>
  Object.entries(words).flatMap(([name, value]: readonly [string, unknown]) =>
    typeof value === 'object' && value !== null ? [name, ...namesIn(value)] : [name],
  );

test.each([
  ['look', FRAME_WORDS],
  ['site', PAGE_WORDS],
  ['feeds', FEED_WORDS],
])('every text of %s is used somewhere', (part, words) => {
  const code = ['look', 'selection', part]
    .flatMap((folder) => globSync(`src/${folder}/**/*.ts`))
    .filter((file) => !file.includes('/words/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const names = namesIn(words);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
