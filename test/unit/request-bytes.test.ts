import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formSent, formText } from '../../src/request-bytes.ts';
import { repetitions } from '../support/repetitions.ts';

const FORM = 'application/x-www-form-urlencoded';
const written = fc.array(fc.constantFrom('+', '%2B', ' ', '%20', '=', '&', 'ż', '%C5%BC', '%', 'a', 'name'), {
  maxLength: 30,
});

test('a form whose pluses became spaces parses to the same fields', () => {
  fc.assert(
    fc.property(written, (pieces) => {
      const text = pieces.join('');
      expect([...new URLSearchParams(formText(Buffer.from(text)))]).toEqual([...new URLSearchParams(text)]);
    }),
    { numRuns: repetitions(2_000) },
  );
});

test('reading a form keeps encoded pluses, and does not change its bytes', async () => {
  const body = Buffer.from('title=C%2B%2B+and+Jazz&note=1+%2B+1');
  const before = body.toString();
  const sent = await formSent(
    new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': FORM } }),
    1_000,
  );
  expect(sent === 'too large' ? sent : sent.fields).toEqual([
    ['title', 'C++ and Jazz'],
    ['note', '1 + 1'],
  ]);
  formText(body);
  expect(body.toString()).toBe(before);
});
