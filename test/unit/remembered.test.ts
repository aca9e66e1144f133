import { expect, test } from 'vitest';
import { remembered } from '../../src/remembered.ts';

function counting() {
  let made = 0;
  return { make: remembered((text) => `${text} ${(made += 1)}`), made: () => made };
}

test('the result for a text is made once', () => {
  const { make, made } = counting();
  expect([make('a'), make('b'), make('a'), make('')]).toEqual(['a 1', 'b 2', 'a 1', ' 3']);
  expect(made()).toBe(3);
});

test.each([
  ['many texts', Array.from({ length: 3_000 }, (_, index) => `text ${index}`)],
  ['long texts', Array.from({ length: 5 }, (_, index) => `${index}`.repeat(600_000))],
])('%s are forgotten in the end, but not the last one', (_, texts) => {
  const { make, made } = counting();
  for (const text of texts) make(text);
  const last = texts.at(-1) ?? '';
  expect([make(last).endsWith(String(texts.length)), made()]).toEqual([true, texts.length]);
  make(texts[0] ?? '');
  expect(made()).toBe(texts.length + 1);
});
