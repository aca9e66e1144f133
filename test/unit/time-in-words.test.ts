import { expect, test } from 'vitest';
import { timeIn } from '../../src/time-in-words.ts';

test.each([
  ['Europe/Warsaw', '2027-01-15T12:05:09Z', '2027-01-15 13:05 CET'],
  ['Europe/Warsaw', '2027-07-15T12:05:09Z', '2027-07-15 14:05 CEST'],
  ['America/New_York', '2027-01-15T02:05:09Z', '2027-01-14 21:05 EST'],
  ['Asia/Kolkata', '2027-01-15T12:05:09Z', '2027-01-15 17:35 UTC+5:30'],
  ['America/Sao_Paulo', '2027-01-15T12:05:09Z', '2027-01-15 09:05 UTC-3'],
  ['UTC', '2027-01-15T12:05:09Z', '2027-01-15 12:05 UTC'],
  ['UTC+2', '2027-01-15T12:05:09Z', '2027-01-15 14:05 UTC+2'],
])('in %s %s is %s', (zone, instant, words) => expect(timeIn(zone)(new Date(instant))).toBe(words));

test('with seconds where they are wanted', () =>
  expect(timeIn('Europe/Warsaw', { seconds: true })(new Date('2027-01-15T12:05:09Z'))).toBe('2027-01-15 13:05:09 CET'));
