import { expect, test } from 'vitest';
import { digestOf, endDigest, entityTag, namesStrongTag, namesTag, startDigest } from '../../src/etag.ts';

test('a body has the same tag whole or in pieces, and another body has another', () => {
  const whole = digestOf('BEGIN:VCALENDAR');
  expect(whole).toMatch(/^[\w-]{27}$/);
  expect(digestOf(Buffer.from('BEGIN:VCALENDAR'))).toBe(whole);
  expect(endDigest(startDigest().update('BEGIN:').update('VCALENDAR'))).toBe(whole);
  expect(entityTag('BEGIN:VCALENDAR')).toBe(`"${whole}"`);
  expect(digestOf('BEGIN:VCALENDAR\n')).not.toBe(whole);
});

test.each<[string | null, boolean]>([
  [null, false],
  ['', false],
  ['"a"', true],
  ['W/"b"', true],
  ['"x", W/"y" , "a"', true],
  ['*', true],
  ['"x", *', true],
  ['a', false],
  ['"ab"', false],
  ['"a-gzip"', false],
])('If-None-Match: %s names "a" or "b": %s', (header, isNamed) =>
  expect(namesTag(header, ['"a"', '"b"'])).toBe(isNamed),
);

test.each<[string, boolean]>([
  ['', false],
  ['"a"', true],
  ['W/"a"', false],
  ['"x", W/"y" , "b"', true],
  ['*', true],
  ['a', false],
  ['"ab"', false],
])('If-Match: %s names "a" or "b": %s', (header, isNamed) =>
  expect(namesStrongTag(header, ['"a"', '"b"'])).toBe(isNamed),
);
