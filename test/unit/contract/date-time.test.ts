import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateTimeFromText } from '../../../src/contract/date-time.ts';

// Friday, 20 November 2026, 14:30:15 in Warsaw.
const clock = { now: Date.parse('2026-11-20T13:30:15Z'), timezone: 'Europe/Warsaw' };
const read = (text: string): string | undefined => {
  const at = dateTimeFromText(text, clock);
  return at && (at.offsetMinutes === undefined ? at.wall : `${at.wall} ${at.offsetMinutes}`);
};

const digits = (max: number, count: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(count, '0'));

describe('a point in time', () => {
  it.each([
    ['2027-01-10 18:00:00', '2027-01-10 18:00:00'],
    ['2027-01-10 18:00', '2027-01-10 18:00:00'],
    ['2027-01-10', '2027-01-10 00:00:00'],
    ['2027-1-9', '2027-01-09 00:00:00'],
    ['2027/01/10 18:00', '2027-01-10 18:00:00'],
    ['20270110', '2027-01-10 00:00:00'],
    ['20270110T180000', '2027-01-10 18:00:00'],
    ['20270110T180000Z', '2027-01-10 18:00:00 0'],
    ['2027-01-10T18:00:00Z', '2027-01-10 18:00:00 0'],
    ['2027-01-10T18:00:00.000Z', '2027-01-10 18:00:00 0'],
    ['2027-01-10T18:00:00+05:00', '2027-01-10 18:00:00 300'],
    ['2027-01-10T18:00:00-0330', '2027-01-10 18:00:00 -210'],
    ['2027-01-10 18:00 +2', '2027-01-10 18:00:00 120'],
    ['2027-01-10 18:00 UTC', '2027-01-10 18:00:00 0'],
    ['2027-01-10 18:00 GMT+1', '2027-01-10 18:00:00 60'],
    ['2027-01-10 18:00 America/New_York', '2027-01-10 18:00:00 -300'],
    ['2027-07-10 18:00 America/New_York', '2027-07-10 18:00:00 -240'],
    ['12/06/2026 3:00 pm', '2026-12-06 15:00:00'],
    ['12/06/2026 12:00 am', '2026-12-06 00:00:00'],
    ['25.12.2026 15:00', '2026-12-25 15:00:00'],
    ['25-12-2026', '2026-12-25 00:00:00'],
    ['10 January 2027 18:00', '2027-01-10 18:00:00'],
    ['10-Jan-2027', '2027-01-10 00:00:00'],
    ['Jan 10, 2027 at 6pm', '2027-01-10 18:00:00'],
    ['Sun, 10 Jan 2027 18:00:00 +0100', '2027-01-10 18:00:00 60'],
    ['2027-01-10 24:00', '2027-01-11 00:00:00'],
    ['2028-02-29', '2028-02-29 00:00:00'],
    ['1799600400', '2027-01-10 18:00:00 60'],
    ['@1799600400', '2027-01-10 18:00:00 60'],
    ['now', '2026-11-20 14:30:15'],
    ['today', '2026-11-20 00:00:00'],
    ['tomorrow', '2026-11-21 00:00:00'],
    ['tomorrow 9am', '2026-11-21 09:00:00'],
    ['yesterday noon', '2026-11-19 12:00:00'],
    ['18:00', '2026-11-20 18:00:00'],
    ['+2 days', '2026-11-22 14:30:15'],
    ['today +1 week', '2026-11-27 00:00:00'],
    ['3 hours ago', '2026-11-20 11:30:15'],
    ['+3 weekdays', '2026-11-25 14:30:15'],
    ['next month', '2026-12-20 14:30:15'],
    ['friday', '2026-11-20 00:00:00'],
    ['next friday 18:00', '2026-11-27 18:00:00'],
    ['last friday', '2026-11-13 00:00:00'],
    ['monday 9am', '2026-11-23 09:00:00'],
    [' 2027-01-10 ', '2027-01-10 00:00:00'],
    ['0099-12-31', '0099-12-31 00:00:00'],
  ])('%s is %s', (text, expected) => expect(read(text)).toBe(expected));

  it.each([
    '',
    ' ',
    'not a date',
    '2027-02-30',
    '2027-02-29',
    '2027-13-01',
    '25/12/2026',
    '0000-00-00',
    '0000-00-00 00:00:00',
    '0',
    '2027',
    '12345',
    '2027-01-10 25:00',
    '2027-01-10 24:01',
    '2027-01-10 18:60',
    '2027-01-10 13pm',
    '2027-01-10 0:30pm',
    '2027-01-10 2027-01-11',
    '18:00 19:00',
    '2027-01-10T18:00+99:00',
    '2027-01-10 18:00 Mars/Olympus',
    '2027-01-10 18:00 +01:00 Europe/Warsaw',
    '2027-01-10;',
    '+99999999999 years',
    '-1',
    '+5',
    'Z',
    'UTC+2',
    'Europe/Warsaw',
    'at',
    '@253402300800',
    '@-99999999999',
    '9'.repeat(101),
  ])('%s is not a point in time', (text) => expect(read(text)).toBeUndefined());

  it('is read back from the interface’s own format', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-30'), noInvalidDate: true }),
        (date) => {
          const wall = date.toISOString().slice(0, 19).replace('T', ' ');
          expect(dateTimeFromText(wall, clock)).toEqual({ wall });
        },
      ),
    );
  });

  it('never throws, whatever it is given', () => {
    const words = fc.constantFrom(
      'next',
      'last',
      'friday',
      'T',
      '+',
      '-',
      '99',
      '2027-01-10',
      '12:30',
      'pm',
      'UTC',
      'ago',
      'days',
      '/',
      '.',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((some) => some.join(' ')),
        ),
        (text) => {
          expect(dateTimeFromText(text, clock)?.wall ?? 'none').toMatch(/^(?:none|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$/);
        },
      ),
    );
  });

  it('is the same with a space or a T before the time of day', () => {
    fc.assert(
      fc.property(
        digits(9_999, 4),
        fc.tuple(digits(13, 2), digits(32, 2)),
        fc.tuple(digits(25, 2), digits(61, 2), digits(61, 2)),
        (year, day, time) => {
          const [date, hour] = [[year, ...day].join('-'), time.join(':')];
          expect(read(`${date} ${hour}`)).toBe(read(`${date}T${hour}`));
        },
      ),
    );
  });
});
