import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inQuotes, isolated } from '../../../src/look/words/in-quotes.ts';
import { quotedIn } from '../../../src/look/words/quoted.ts';

test.each([
  ['Story time', '“Story time”'],
  ['Café №5 日本', '“Café №5 日本”'],
  ['קונצרט 2026', '“\u2068קונצרט 2026\u2069”'],
  ['حفلة', '“\u2068حفلة\u2069”'],
  ['ended \u202Eearly', '“\u2068ended early\u2069”'],
  ['A\u2069B', '“\u2068AB\u2069”'],
  ['𞤀𞤣𞤤𞤢𞤥', '“\u2068𞤀𞤣𞤤𞤢𞤥\u2069”'],
])('%j in quotation marks does not reorder the sentence around it', (text, quoted) =>
  expect(inQuotes(text)).toBe(quoted),
);

test('right-to-left text is isolated in every language', () =>
  expect(['en', 'de', 'pl'].map((language) => quotedIn(language)('קונצרט'))).toEqual(
    ['“”', '„“', '„”'].map((marks) => `${marks.charAt(0)}${isolated('קונצרט')}${marks.charAt(1)}`),
  ));

test('no other file puts a text into quotation marks', () =>
  expect(
    globSync('src/**/*.ts').filter(
      (file) =>
        !/src\/look\/words\/(?:in-quotes|quoted)\.ts$/.test(file) && /[“„]\$\{/.test(readFileSync(file, 'utf8')),
    ),
  ).toEqual([]));
