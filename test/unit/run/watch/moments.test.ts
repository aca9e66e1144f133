import { expect, test } from 'vitest';
import { atMoment, momentFrom, momentInWords, spanInWords } from '../../../../src/run/watch/moments.ts';

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
  ['14:20', 'at 14:20'],
  ['tomorrow 08:00', 'tomorrow 08:00'],
  ['yesterday 23:59', 'yesterday 23:59'],
  ['Sunday 08:15', 'on Sunday 08:15'],
  ['3 Sept', 'on 3 Sept'],
  ['3 Sept 10:00', 'on 3 Sept 10:00'],
])('in a sentence, %s is "%s"', (moment, said) => expect(atMoment(moment)).toBe(said));

test.each([
  [-500, '0 s'],
  [3_000, '3 s'],
  [12 * 60_000, '12 min'],
  [47 * 3_600_000, '47 h'],
  [3 * 86_400_000, '3 days'],
])('%i ms are %s', (ms, said) => expect(spanInWords(ms)).toBe(said));

test.each([
  ['tomorrow', '2026-11-25T00:00:00+01:00'],
  ['2026-12-01', '2026-12-01T00:00:00+01:00'],
  ['2026-12-01 08:30', '2026-12-01T08:30:00+01:00'],
  ['2027-06-01T08:30', '2027-06-01T08:30:00+02:00'],
  ['30m', '2026-11-24T14:38:00+01:00'],
  ['12h', '2026-11-25T02:08:00+01:00'],
  ['3d', '2026-11-27T14:08:00+01:00'],
  ['2w', '2026-12-08T14:08:00+01:00'],
])('"%s" is %s', (text, at) => expect(momentFrom(text, NOW, 'Europe/Warsaw')).toBe(Date.parse(at)));

test.each(['', 'later', '2026-02-30', '2026-12-01 25:00', '3 days', '-1d'])('"%s" is not a moment', (text) =>
  expect(momentFrom(text, NOW, 'Europe/Warsaw')).toBeUndefined(),
);

test('a day further away has its time of day on request', () => {
  const at = Date.parse('2026-09-03T08:00:00Z');
  expect(momentInWords(at, NOW, 'Europe/Warsaw', { hasClock: true })).toBe(
    `${momentInWords(at, NOW, 'Europe/Warsaw')} 10:00`,
  );
});
