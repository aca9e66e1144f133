import { expect, test } from 'vitest';
import { momentInWords, spanInWords } from '../../../../src/run/watch/moments.ts';

const NOW = Date.parse('2026-11-24T14:08:00+01:00');

test.each([
  ['2026-11-24T00:00:00+01:00', '00:00'],
  ['2026-11-23T23:59:00+01:00', 'yesterday 23:59'],
  ['2026-11-25T08:00:00+01:00', 'tomorrow 08:00'],
  ['2026-11-22T08:15:00+01:00', 'Sunday 08:15'],
  ['2026-11-30T08:00:00+01:00', 'Monday 08:00'],
  ['2026-12-01T08:00:00+01:00', '1 Dec'],
  ['2026-09-03T08:00:00+02:00', '3 Sept'],
  ['2025-11-24T14:08:00+01:00', '24 Nov 2025'],
])('%s is %s', (at, said) => expect(momentInWords(Date.parse(at), NOW, 'Europe/Warsaw')).toBe(said));

test.each([
  [-500, '0 s'],
  [3_000, '3 s'],
  [12 * 60_000, '12 min'],
  [47 * 3_600_000, '47 h'],
  [3 * 86_400_000, '3 days'],
])('%i ms are %s', (ms, said) => expect(spanInWords(ms)).toBe(said));
