import { expect, test } from 'vitest';
import { quotedIn } from '../../../src/look/words/quoted.ts';

test.each([
  ['en', '“jazz”'],
  ['de-AT', '„jazz“'],
  ['pl', '„jazz”'],
  ['fr', '“jazz”'],
])('quoted text in %s is %s', (language, quoted) => {
  expect(quotedIn(language)('jazz')).toBe(quoted);
});
