import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson, wellFormed } from '../../src/json.ts';

const LIMITS = { depth: 3, values: 5 };

test.each<[string, ReturnType<typeof readJson>]>([
  ['{"a":[{"b":1}]}', { kind: 'value', value: { a: [{ b: 1 }] } }],
  ['[[[[]]]]', { kind: 'too-deep', at: 3 }],
  [`[${'['.repeat(100_000)}`, { kind: 'too-deep', at: 3 }],
  ['[1,2,3,4,5]', { kind: 'value', value: [1, 2, 3, 4, 5] }],
  ['[1,2,3,4,5,6]', { kind: 'too-many', at: 10 }],
  [String.raw`["[[[[,,,,\"[[,,", "\\", ",,,"]`, { kind: 'value', value: ['[[[[,,,,"[[,,', '\\', ',,,'] }],
  ['"', { kind: 'not-json' }],
  ['', { kind: 'not-json' }],
  ['{"a":', { kind: 'not-json' }],
  ['x', { kind: 'not-json' }],
])('%j', (text, read) => expect(readJson(text, LIMITS)).toEqual(read));

test('all that fits is read as it is written', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      expect(readJson(text, { depth: 100, values: 10_000 })).toEqual({
        kind: 'value',
        value: JSON.parse(text) as unknown,
      });
    }),
  );
});

test('what is nested deeper than the limit is never read', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const depth = depthOf(value);
      const { kind } = readJson(JSON.stringify(value), { depth: 3, values: 10_000 });
      expect(kind).toBe(depth > 3 ? 'too-deep' : 'value');
    }),
  );
});

const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

describe('half a character', () => {
  test('becomes U+FFFD, wherever it is', () =>
    expect(wellFormed({ a: ['x\ud83d', { b: '\ude00' }], c: null, d: 1 })).toEqual({
      a: ['x\ufffd', { b: '\ufffd' }],
      c: null,
      d: 1,
    }));

  test('is all that changes: what has none stays the same object', () => {
    const whole = { a: ['😀'], b: { c: undefined } };
    expect(wellFormed(whole)).toBe(whole);
    const parts = [whole, 'x\ud83d'] as const;
    expect(wellFormed(parts)[0]).toBe(whole);
  });
});
