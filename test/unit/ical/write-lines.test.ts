import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarColor } from '../../../src/ical/write/write-color.ts';
import {
  cleanText,
  escapeText,
  oneLine,
  parameterText,
  textOfLines,
  uriValue,
} from '../../../src/ical/write/write-lines.ts';

const octets = (line: string): number => Buffer.byteLength(line);

test.each([
  ['a'.repeat(75), 1],
  ['a'.repeat(76), 2],
  ['ą'.repeat(37), 1],
  ['ą'.repeat(38), 2],
  ['😀'.repeat(18), 1],
  ['😀'.repeat(19), 2],
  ['', 1],
])('%s is folded into %i lines', (line, count) => {
  const lines = textOfLines([line]).split('\r\n').slice(0, -1);
  expect(lines).toHaveLength(count);
  expect(lines.every((part) => octets(part) <= 75)).toBe(true);
});

test('a fold does not split an escape', () => {
  const lines = textOfLines([`SUMMARY:${'a'.repeat(66)}\\,b`]).split('\r\n');
  expect(lines).toEqual([`SUMMARY:${'a'.repeat(66)}`, ' \\,b', '']);
});

test('folded lines have at most 75 octets, and unfold to the original line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const line = `X-TEXT:${escapeText(text)}`;
      const lines = textOfLines([line]).split('\r\n');
      expect(lines.at(-1)).toBe('');
      expect(
        lines.every((part) => octets(part) <= 75 && part.isWellFormed() && !/(?<!\\)(?:\\\\)*\\$/.test(part)),
      ).toBe(true);
      expect(lines.slice(0, -1).join('\r\n').replaceAll('\r\n ', '')).toBe(line);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['a\u0000\u0008\u001bb\tc', 'ab\tc'],
  ['\ud83d x', '\ufffd x'],
  ['\ufeffx', 'x'],
])('cleanText of %j is %j', (text, clean) => expect(cleanText(text)).toBe(clean));

test.each([
  ['a;b,c\\d\ne', String.raw`a\;b\,c\\d\ne`],
  ['a\r\nATTENDEE:mailto:x@y', String.raw`a\nATTENDEE:mailto:x@y`],
  ['"a:b"', '"a:b"'],
])('escapeText of %j is %j', (text, escaped) => expect(escapeText(text)).toBe(escaped));

test('oneLine joins lines, and parameterText replaces what a parameter cannot hold', () => {
  expect(oneLine(' a\r\n  b\tc ')).toBe('a b c');
  expect(parameterText('the "Hall";\n:,\\x')).toBe("the 'Hall'; :,/x");
});

test.each([
  ['https://e.example/a;b,c?x=ż&y=1#z', 'https://e.example/a;b,c?x=%C5%BC&y=1#z'],
  ['https://e.example/a b"<>', 'https://e.example/a%20b%22%3C%3E'],
  ['https://e.example/\r\nX-EVIL:1', 'https://e.example/X-EVIL:1'],
  ['https://żółw.example/', 'https://xn--w-uga1v8h.example/'],
  ['javascript:alert(1)', undefined],
  ['/relative', undefined],
  ['https://', undefined],
  ['', undefined],
])('uriValue of %j is %j', (address, value) => expect(uriValue(address)).toBe(value));

test.each([
  ['RoyalBlue', { name: 'royalblue', hex: '#4169E1' }],
  ['#3366cc', { name: 'royalblue', hex: '#3366CC' }],
  ['#ffffff', { name: 'white', hex: '#FFFFFF' }],
  ['#fff', undefined],
  ['bluish', undefined],
  ['red\r\nX:1', undefined],
])('calendarColor of %j is %j', (text, color) => expect(calendarColor(text)).toEqual(color));
