import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endOf, shortened, shortenedToWords, startOf } from '../../../src/html/shortened.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAGS = '🇵🇱🇩🇪🇫🇷';
/** An e with a combining accent. */
const ACCENTED = 'e\u0301';

describe('a text that is too long', () => {
  test.each([
    ['abcdef', 3, 'abc'],
    ['abc', 3, 'abc'],
    ['ab😀cd', 3, 'ab'],
    ['ab😀cd', 4, 'ab😀'],
    [`ab${FAMILY}cd`, 7, 'ab'],
    [`${FAMILY}${FAMILY}`, 20, FAMILY],
    [`ab${ACCENTED}cd`, 3, 'ab'],
    [`ab${ACCENTED}cd`, 4, `ab${ACCENTED}`],
    [FLAGS, 6, '🇵🇱'],
    ['ab\r\ncd', 3, 'ab'],
    ['क्षत्रिय', 3, 'क्ष'],
  ])('ends with a whole character or emoji: %j in %d', (text, most, start) => expect(startOf(text, most)).toBe(start));

  test('that is one endless character stays well-formed', () => {
    expect(startOf(`😀${'\u200d😀'.repeat(20)}`, 4).isWellFormed()).toBe(true);
    expect(startOf(`a${'\u0301'.repeat(20)}`, 4)).toHaveLength(4);
  });

  test.each([
    ['abcdef', 3, 'def'],
    ['ab😀', 1, ''],
    ['ab😀cd', 3, 'cd'],
    ['ab😀cd', 4, '😀cd'],
    [`ab${FAMILY}cd`, 9, 'cd'],
    [`ab${ACCENTED}cd`, 3, 'cd'],
  ])('begins with a whole character if its end is shown: %j in %d', (text, most, end) =>
    expect(endOf(text, most)).toBe(end),
  );

  test.each([
    ['a b c d', 7, 'a b c d'],
    ['a b c d', 6, 'a b c…'],
    ['a b c d', 5, 'a b…'],
    [`Day of ${FAMILY}`, 10, 'Day of…'],
  ])('shows that there is more: %j in %d', (text, most, shown) => expect(shortened(text, most)).toBe(shown));

  test.each([
    ['one two three', 9, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['one two three', 7, 'one…'],
    ['Donaudampfschiff', 6, 'Donau…'],
    [`one ${FAMILY} two`, 10, 'one…'],
  ])('ends between two words if possible: %j in %d', (text, most, shown) =>
    expect(shortenedToWords(text, most)).toBe(shown),
  );
});

test('no other file cuts a text and adds an ellipsis', () =>
  expect(
    globSync('src/**/*.ts').filter(
      (file) =>
        !file.endsWith('html/shortened.ts') &&
        /\.(?:slice|substring)\([^()]*\)\s*(?:\.toWellFormed\(\)|\}\s*…)/.test(readFileSync(file, 'utf8')),
    ),
  ).toEqual([]));
