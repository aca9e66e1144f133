import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countInWords, grouped, timesInWords } from '../../src/count-in-words.ts';

test.each([
  [countInWords(0, 'event'), '0 events'],
  [countInWords(1, 'event'), '1 event'],
  [countInWords(2, 'event'), '2 events'],
  [countInWords(1, 'good fetch', 'good fetches'), '1 good fetch'],
  [countInWords(2, 'good fetch', 'good fetches'), '2 good fetches'],
])('%s', (words, expected) => expect(words).toBe(expected));

test('large numbers are grouped, and "1 times" is never said', () => {
  expect(countInWords(12_345, 'event')).toBe('12,345 events');
  expect([1, 2, 20_000].map(timesInWords)).toEqual(['once', '2 times', '20,000 times']);
});

test('whole numbers are grouped as Intl groups them', () => {
  const english = new Intl.NumberFormat('en');
  fc.assert(fc.property(fc.maxSafeInteger(), (count) => grouped(count) === english.format(count)));
  expect([0, 999, 1_000, 999_999, 1_000_000].map(grouped)).toEqual(['0', '999', '1,000', '999,999', '1,000,000']);
});
