import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printJson, type Io } from '../../src/cli/terminal/io.ts';
import { printableJson, readJson, wellFormed } from '../../src/json.ts';

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
])('reading %j', (text, read) => expect(readJson(text, LIMITS)).toEqual(read));

test('JSON within the limits is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      expect(readJson(text, { depth: 100, values: 10_000 })).toEqual({
        kind: 'value',
        value: JSON.parse(text) as unknown,
      });
    }),
  );
});

test('JSON nested deeper than the limit is never read', () => {
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

describe('half a surrogate pair', () => {
  test('becomes U+FFFD, wherever it is', () =>
    expect(wellFormed({ a: ['x\ud83d', { b: '\ude00' }], c: null, d: 1 })).toEqual({
      a: ['x\ufffd', { b: '\ufffd' }],
      c: null,
      d: 1,
    }));

  test('is all that changes: a value without one stays the same object', () => {
    const whole = { a: ['😀'], b: { c: undefined } };
    expect(wellFormed(whole)).toBe(whole);
    const parts = [whole, 'x\ud83d'] as const;
    expect(wellFormed(parts)[0]).toBe(whole);
  });
});

/** Characters that begin control sequences (ECMA-48, 5.2 and 5.3), end lines, or change their direction (UAX #9). */
const ORDERS =
  '\u001b]0;name\u0007 \u009b31m \u009d0;name\u009c \u0085 \u2028 \u2029 \u202e \u2066 \u200f \u061c \u007f \0';
const SHOWN = String.raw`{"title":"a ä 漢 🎭","list":[1,null,"\\n"]}`;

describe('JSON for a terminal', () => {
  test('has no control characters, and parses to the same value', () => {
    const value = { [ORDERS]: [ORDERS, { text: ORDERS }] };
    for (const text of [printableJson(value), printableJson(value, 2)]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200f\u202e\u2066]/u);
      expect(JSON.parse(text)).toEqual(value);
    }
  });

  test('keeps letters of any script, and its own line breaks', () => {
    expect(printableJson(JSON.parse(SHOWN))).toBe(SHOWN);
    expect(printableJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test('is how commands print it', () => {
    const printed: string[] = [];
    printJson({ out: (text: string) => printed.push(text) } as unknown as Io, { title: '\u009b31mred' });
    expect(printed).toEqual(['{\n  "title": "\\u009b31mred"\n}\n']);
  });
});
