import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asJson, canonical, sameJson } from '../../../src/sync/model/json.ts';

// Few names and values, so that two of them are often equal, or nearly so.
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 1, 'a', ''),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0'), fc.oneof(tie('value'), fc.constant(undefined)), { maxKeys: 3 }),
  ),
}));

describe('two values', () => {
  test('are the same if and only if their canonical texts are', () => {
    const seen = { same: 0, other: 0 };
    fc.assert(
      fc.property(value, value, (one, other) => {
        const isSame = canonical(one) === canonical(other);
        seen[isSame ? 'same' : 'other'] += 1;
        expect(sameJson(one, other)).toBe(isSame);
      }),
      { numRuns: 5_000 },
    );
    expect(seen.same).toBeGreaterThan(100);
    expect(seen.other).toBeGreaterThan(100);
  });

  test('as JSON are the same as their parsed canonical text', () =>
    fc.assert(
      fc.property(value, (one) => {
        expect(JSON.stringify(asJson(one))).toBe(JSON.stringify(JSON.parse(canonical(one))));
      }),
    ));

  test('are the same despite another order of keys, or undefined members', () =>
    expect(sameJson({ a: [1, { b: 2 }], c: undefined, d: null }, { d: null, a: [1, { b: 2, e: undefined }] })).toBe(
      true,
    ));
});
