import { expect, test, vi } from 'vitest';
import { vtimezoneLines } from '../../../src/ical/write/vtimezone.ts';
import { wrongInstants, ZONES } from '../../support/zone-check.ts';

// The tests in test/long try all zones over half a century.
test('every fifth IANA zone has the right offsets over the window of a feed', () => {
  const zones = ZONES.filter((_, index) => index % 5 === 0);
  expect(zones.length).toBeGreaterThan(80);
  const wrong = zones.flatMap((zone) => wrongInstants(zone, Date.UTC(2026, 7, 22), Date.UTC(2028, 4, 13)));
  expect(wrong).toEqual([]);
});

test('the TZID is the name that was asked for', () => {
  expect(
    vtimezoneLines('US/Eastern', Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)).filter((line) => line.startsWith('TZID:')),
  ).toEqual(['TZID:US/Eastern']);
});

test('a zone that the library does not have is written without output on the terminal', ({ onTestFinished }) => {
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  onTestFinished(() => said.mockRestore());
  expect(vtimezoneLines('us/eastern', Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1))).toContain('TZID:us/eastern');
  expect(said).not.toHaveBeenCalled();
});

test('rules are yearly where they repeat, and their ends are in UTC', () => {
  const lines = vtimezoneLines('Europe/Warsaw', Date.UTC(1994, 0, 1), Date.UTC(2028, 0, 1));
  expect(lines.filter((line) => line.startsWith('RRULE'))).toEqual([
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'RRULE:FREQ=YEARLY;BYMONTH=9;BYDAY=-1SU;UNTIL=19950924T010000Z',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  ]);
});

test('the library is used if it is right for the whole period, not if it only knows today’s rules', () => {
  expect(isLibrary('Europe/Warsaw', Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1))).toBe(true);
  expect(isLibrary('America/New_York', Date.UTC(2005, 0, 1), Date.UTC(2028, 0, 1))).toBe(false);
});

const isLibrary = (zone: string, from: number, to: number): boolean =>
  vtimezoneLines(zone, from, to).some((line) => line.startsWith('LAST-MODIFIED:'));
