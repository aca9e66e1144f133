import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../../src/db/jsonb.ts';

test('lone surrogates and NUL do not reach PostgreSQL, whatever is beside them', () => {
  expect(
    JSON.parse(jsonText({ 'a\0': ['x\ud83d', '\ude00x', '😀\0', '\\ud83d', '\\', '\\\\u0000', '"\ud83d"'] })),
  ).toEqual({
    a: ['x\ufffd', '\ufffdx', '😀', '\\ud83d', '\\', '\\\\u0000', '"\ufffd"'],
  });
});

test('text with neither is written as JSON.stringify writes it', () => {
  const text = fc.string({ unit: fc.constantFrom('\\', 'u', 'd', '8', '0', '3', '"', 'é', '😀', '\n') });
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(jsonText(texts)).toBe(JSON.stringify(texts));
    }),
  );
});
