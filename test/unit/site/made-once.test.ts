import { expect, test } from 'vitest';
import { madeOnce, markLasting } from '../../../src/site/made-once.ts';

test('what is made of what lasts is made once, and what is made of that, too', () => {
  const twice = madeOnce(({ value }: { readonly value: number }, factor: number) => ({ value: value * factor }));
  const text = madeOnce(({ value }: { readonly value: number }) => [String(value)]);
  const event = { value: 3 };
  markLasting(event);
  const made = twice(event, 2);
  expect(made).toEqual({ value: 6 });
  expect(twice(event, 2)).toBe(made);
  expect(text(made)).toBe(text(twice(event, 2)));
});

test('what is made of anything else is made anew', () => {
  const twice = madeOnce(({ value }: { readonly value: number }) => ({ value: value * 2 }));
  const event = { value: 3 };
  const made = twice(event);
  expect(twice(event)).toEqual(made);
  expect(twice(event)).not.toBe(made);
  markLasting(event);
  expect(twice(event)).toBe(twice(event));
});
