import { expect, test } from 'vitest';
import { quotedIn } from '../../../src/look/words/quoted.ts';

test.each([
  ['en', '“jazz”'],
  ['de-AT', '„jazz“'],
  ['pl', '„jazz”'],
  ['fr', '“jazz”'],
])('%s quotes as its readers do', (language, quoted) => {
  expect(quotedIn(language)('jazz')).toBe(quoted);
});
