import { expect, test } from 'vitest';
import { snoozeUntil } from '../../../../src/operator/frame/times.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['tomorrow', '2026-11-24T23:30:00+01:00', '2026-11-25T08:00:00+01:00'],
  // The clocks go forward that night.
  ['tomorrow', '2027-03-27T12:00:00+01:00', '2027-03-28T08:00:00+02:00'],
  ['monday', '2026-11-24T14:08:00+01:00', '2026-11-30T08:00:00+01:00'],
  ['monday', '2026-11-30T07:00:00+01:00', '2026-12-07T08:00:00+01:00'],
  ['monday', '2026-11-29T23:59:00+01:00', '2026-11-30T08:00:00+01:00'],
])('put off until %s at %s', (choice, now, until) =>
  expect(snoozeUntil(choice, at(now), 'Europe/Warsaw')).toBe(at(until)),
);

test('put off until something changes, a notice has no end', () =>
  expect(snoozeUntil('change', at('2026-11-24T14:08:00Z'), 'Europe/Warsaw')).toBeNull());
