import { expect, test } from 'vitest';
import { madeOnce, markLasting } from '../../../src/site/made-once.ts';

test('a value made of a lasting object is made once, and so is one made of that value', () => {
  const twice = madeOnce(({ value }: { readonly value: number }, factor: number) => ({ value: value * factor }));
  const text = madeOnce(({ value }: { readonly value: number }) => [String(value)]);
  const event = { value: 3 };
  markLasting(event);
  const made = twice(event, 2);
  expect(made).toEqual({ value: 6 });
  expect(twice(event, 2)).toBe(made);
  expect(text(made)).toBe(text(twice(event, 2)));
});

test('a value made of any other object is made each time', () => {
  const twice = madeOnce(({ value }: { readonly value: number }) => ({ value: value * 2 }));
  const event = { value: 3 };
  const made = twice(event);
  expect(twice(event)).toEqual(made);
  expect(twice(event)).not.toBe(made);
  markLasting(event);
  expect(twice(event)).toBe(twice(event));
});
