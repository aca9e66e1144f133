import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { abbreviationAt, instantFromWall, isZone, wallFromInstant } from '../../src/time.ts';

const ZONES = [
  'Europe/Warsaw',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Europe/Dublin',
  'UTC',
  'UTC+5.5',
  '-03:30',
];
const instants = fc
  .integer({ min: Date.parse('1975-01-01T00:00:00Z') / 1000, max: Date.parse('2060-01-01T00:00:00Z') / 1000 })
  .map((seconds) => seconds * 1000);

describe('instantFromWall', () => {
  it.each([
    ['2027-01-10 18:00:00', 'Europe/Warsaw', '2027-01-10T17:00:00Z'],
    ['2027-03-28 02:30:00', 'Europe/Warsaw', '2027-03-28T01:30:00Z'],
    ['2027-10-31 02:30:00', 'Europe/Warsaw', '2027-10-31T00:30:00Z'],
    ['2027-10-31 03:00:00', 'Europe/Warsaw', '2027-10-31T02:00:00Z'],
    ['2027-04-04 01:45:00', 'Australia/Lord_Howe', '2027-04-03T14:45:00Z'],
    ['2027-10-03 02:15:00', 'Australia/Lord_Howe', '2027-10-02T15:45:00Z'],
    ['2027-01-10 18:00:00', 'UTC+5.5', '2027-01-10T12:30:00Z'],
  ])('%s in %s is %s', (wall, zone, instant) => expect(instantFromWall(wall, zone)).toBe(Date.parse(instant)));

  it.each(['2027-02-30 10:00:00', '2027-13-01 10:00:00', '2027-01-10 24:00:00', '2027-01-10', ''])(
    'has no instant for "%s"',
    (wall) => expect(instantFromWall(wall, 'Europe/Warsaw')).toBeNaN(),
  );

  it('is the first instant with these digits', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
        const wall = wallFromInstant(instant, zone);
        const first = instantFromWall(wall, zone);
        expect(wallFromInstant(first, zone)).toBe(wall);
        expect(first).toBeLessThanOrEqual(instant);
      }),
    );
  });
});

describe('wallFromInstant', () => {
  it('writes what luxon writes', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES.filter((zone) => zone.includes('/'))), (instant, zone) => {
        expect(wallFromInstant(instant, zone)).toBe(
          DateTime.fromMillis(instant, { zone }).toFormat('yyyy-MM-dd HH:mm:ss'),
        );
      }),
    );
  });
});

describe('abbreviationAt', () => {
  it.each([
    ['2027-01-10', 'Europe/Warsaw', 'CET'],
    ['2027-07-10', 'Europe/Warsaw', 'CEST'],
    ['2027-07-10', 'America/New_York', 'EDT'],
    ['2027-10-30', 'Europe/Warsaw', 'CEST'],
    ['2027-10-31', 'Europe/Warsaw', 'CET'],
  ])('on %s in %s is %s', (day, zone, name) => expect(abbreviationAt(Date.parse(`${day}T12:00:00Z`), zone)).toBe(name));
});

describe('isZone', () => {
  it.each([
    ['Europe/Warsaw', true],
    ['UTC-3:30', true],
    ['+05:00', true],
    ['Mars/Olympus', false],
    ['UTC+15', false],
    ['', false],
  ])('%s: %s', (name, is) => expect(isZone(name)).toBe(is));
});
