import { expect, test } from 'vitest';
import { decodeEntities, withLoneAmpersands, withoutReferences } from '../../../src/html/references.ts';

test.each([
  [`&#${'0'.repeat(400)};`, '\ufffd'],
  [`&#${'9'.repeat(400)};`, '\ufffd'],
  [`&#x${'0'.repeat(400)};`, '\ufffd'],
  [`&#X${'f'.repeat(400)};`, '\ufffd'],
  [`&#${'0'.repeat(400)}65;BC`, 'ABC'],
  [`&#x${'0'.repeat(400)}41;BC`, 'ABC'],
  ['&#00000000065abcdefabcdef', 'Aabcdefabcdef'],
  ['&#123456789012;', '\ufffd'],
  ['&#128512; &amp;#123456789012;', '\u{1f600} &#123456789012;'],
])('a numeric character reference may have any number of digits (%#)', (text, expected) => {
  expect(decodeEntities(text)).toBe(expected);
});

test.each([
  ['https://a.example/?a=1&copy=2&region=de&x', 'https://a.example/?a=1&amp;copy=2&amp;region=de&amp;x'],
  ['R&amp;D &lt;3 &#38; &#x26; &eacute;', 'R&amp;D &lt;3 &#38; &#x26; &eacute;'],
  ['A & B &copying; &#; &#x; &# 1', 'A &amp; B &amp;copying; &amp;#; &amp;#x; &amp;# 1'],
])('a lone & is escaped in HTML, whatever follows it: %s', (html, expected) => {
  expect(withLoneAmpersands(html)).toBe(expected);
});

test.each([
  ['R&D, A & B', 'R&D, A & B'],
  ['R&amp;D', 'R&amp;amp;D'],
  ['&copy 1 &region &#38 &#x26;', '&amp;copy 1 &amp;region &amp;#38 &amp;#x26;'],
])('%s typed as text means itself', (text, expected) => {
  expect(withoutReferences(text)).toBe(expected);
  expect(decodeEntities(expected)).toBe(text);
});
