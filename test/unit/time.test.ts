import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  abbreviationAt,
  DAY_MS,
  endOfGap,
  instantFromWall,
  isZone,
  offsetAt,
  wallFromInstant,
} from '../../src/time.ts';

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

const digits = (max: number, count = 2) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(count, '0'));

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

  it('agrees with Date in UTC, in every year from 0 to 9999', () => {
    fc.assert(
      fc.property(
        digits(9_999, 4),
        fc.tuple(digits(13), digits(32)),
        fc.tuple(digits(24), digits(60), digits(60)),
        (year, [month, day], time) => {
          const date = `${year}-${month}-${day}`;
          const instant = Date.parse(`${date}T${time.join(':')}Z`);
          // Date reads 30 February as a day in March, and 24:00 as the next day.
          const isThere = !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
          expect(instantFromWall(`${date} ${time.join(':')}`, 'UTC')).toBe(isThere ? instant : Number.NaN);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is the first instant with that wall time', () => {
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
  it.each([
    ['9999-12-31T23:30:00Z', '10000-01-01 00:30:00'],
    ['1969-12-31T22:59:59.999Z', '1969-12-31 23:59:59'],
    ['0001-01-01T00:00:00Z', '0001-01-01 01:24:00'],
  ])('writes %s in Warsaw as %s', (instant, wall) => {
    expect(wallFromInstant(Date.parse(instant), 'Europe/Warsaw')).toBe(wall);
  });

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

describe('offsetAt', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));

  it("is luxon's in every zone, from the first year to the last", () => {
    const seconds = fc.integer({ min: Date.parse('0001-01-01') / 1000, max: Date.parse('9999-12-31') / 1000 });
    fc.assert(
      fc.property(
        zones,
        fc.oneof(
          instants,
          seconds.map((one) => one * 1000 + 1),
        ),
        (zone, instant) => {
          expect(offsetAt(instant, zone)).toBe(IANAZone.create(zone).offset(instant));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is luxon's at every half hour of the days on which clocks change", () => {
    let changes = 0;
    fc.assert(
      fc.property(zones, fc.integer({ min: 1900, max: 2060 }), (zone, year) => {
        const luxon = IANAZone.create(zone);
        const [from, to] = [Date.parse(`${year}-01-01`), Date.parse(`${year + 1}-01-01`)];
        for (let day = from; day < to; day += DAY_MS) {
          if (luxon.offset(day) === luxon.offset(day + DAY_MS)) continue;
          changes += 1;
          for (let at = day - DAY_MS; at <= day + 2 * DAY_MS; at += 1_800_000)
            expect([at, offsetAt(at, zone), offsetAt(at - 1, zone)]).toEqual([
              at,
              luxon.offset(at),
              luxon.offset(at - 1),
            ]);
        }
      }),
      { numRuns: 60 },
    );
    expect(changes).toBeGreaterThan(0);
  });

  it('is NaN without an instant', () => {
    expect(offsetAt(Number.NaN, 'Europe/Warsaw')).toBeNaN();
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

it.each([
  ['2027-03-28 02:30:00', 'Europe/Berlin', '2027-03-28 03:00:00'],
  ['2027-03-28 02:00:00', 'Europe/Berlin', '2027-03-28 03:00:00'],
  ['2027-03-28 03:00:00', 'Europe/Berlin', undefined],
  ['2027-10-31 02:30:00', 'Europe/Berlin', undefined],
  ['2027-10-03 02:10:00', 'Australia/Lord_Howe', '2027-10-03 02:30:00'],
  ['2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-31 00:00:00'],
  ['2027-02-30 02:30:00', 'Europe/Berlin', undefined],
])('the gap around %s in %s, if there is one, ends at %s', (wall, zone, next) => {
  expect(endOfGap(wall, zone)).toBe(next);
});
