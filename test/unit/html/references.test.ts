import { expect, test } from 'vitest';
import { decodeEntities } from '../../../src/html/references.ts';

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
])('the number of a character may have any digits (%#)', (text, expected) => {
  expect(decodeEntities(text)).toBe(expected);
});
