import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateDetails, eventTimes, type EventTimes } from '../../../../src/site/store/event-times.ts';
import { wallFromInstant } from '../../../../src/time.ts';

const at = (wall: string, offsetMinutes?: number) => (offsetMinutes === undefined ? { wall } : { wall, offsetMinutes });
const times = (asked: Parameters<typeof eventTimes>[0], former?: EventTimes) => {
  const result = eventTimes(asked, 'Europe/Warsaw', former);
  return 'wrong' in result
    ? result.wrong
    : [
        result.startWall,
        result.endWall,
        new Date(result.startAt).toISOString(),
        new Date(result.endAt).toISOString(),
        result.timezone,
      ];
};
const written = (instant: number) => at(wallFromInstant(instant, 'UTC'), 0);
const former: EventTimes = {
  startWall: '2027-01-10 18:00:00',
  endWall: '2027-01-10 20:00:00',
  startAt: Date.parse('2027-01-10T23:00:00Z'),
  endAt: Date.parse('2027-01-11T01:00:00Z'),
  timezone: 'America/New_York',
  allDay: false,
};

describe('eventTimes', () => {
  it.each([
    [
      "in the site's zone",
      { start_date: at('2027-01-10 18:00:00'), end_date: at('2027-01-10 20:00:00') },
      [
        '2027-01-10 18:00:00',
        '2027-01-10 20:00:00',
        '2027-01-10T17:00:00.000Z',
        '2027-01-10T19:00:00.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      "an empty zone is the site's",
      { start_date: at('2027-01-10 18:00:00'), end_date: at('2027-01-10 18:00:00'), timezone: '' },
      [
        '2027-01-10 18:00:00',
        '2027-01-10 18:00:00',
        '2027-01-10T17:00:00.000Z',
        '2027-01-10T17:00:00.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'an offset is applied',
      {
        start_date: at('2027-01-10 18:00:00', 0),
        end_date: at('2027-01-10 18:00:00', -300),
        timezone: 'Europe/Warsaw',
      },
      [
        '2027-01-10 19:00:00',
        '2027-01-11 00:00:00',
        '2027-01-10T18:00:00.000Z',
        '2027-01-10T23:00:00.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'a skipped time moves forward',
      { start_date: at('2027-03-28 02:30:00'), end_date: at('2027-03-28 04:00:00') },
      [
        '2027-03-28 03:30:00',
        '2027-03-28 04:00:00',
        '2027-03-28T01:30:00.000Z',
        '2027-03-28T02:00:00.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'an offset selects the second occurrence of an hour',
      { start_date: at('2027-10-31 02:30:00', 60), end_date: at('2027-10-31 04:00:00') },
      [
        '2027-10-31 02:30:00',
        '2027-10-31 04:00:00',
        '2027-10-31T01:30:00.000Z',
        '2027-10-31T03:00:00.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'whole days',
      { start_date: at('2027-05-01 10:00:00'), end_date: at('2027-05-03 00:00:00'), all_day: true },
      [
        '2027-05-01 00:00:00',
        '2027-05-03 23:59:59',
        '2027-04-30T22:00:00.000Z',
        '2027-05-03T21:59:59.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'an end before the start is refused',
      { start_date: at('2027-01-10 18:00:00'), end_date: at('2027-01-10 17:59:59') },
      'end_date',
    ],
    ['a missing start is refused', { end_date: at('2027-01-10 17:59:59') }, 'start_date'],
    [
      'the last day of the year 9999',
      { start_date: at('9999-12-31 23:00:00'), end_date: at('9999-12-31 23:59:59') },
      [
        '9999-12-31 23:00:00',
        '9999-12-31 23:59:59',
        '9999-12-31T22:00:00.000Z',
        '9999-12-31T22:59:59.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'a year of five digits is refused',
      { start_date: at('9999-12-31 23:30:00', 0), end_date: at('9999-12-31 23:30:00', 0) },
      'start_date',
    ],
    [
      'a zone abbreviation',
      { start_date: at('2027-01-10 18:00:00'), end_date: at('2027-07-10 20:00:00'), timezone: 'CEST' },
      ['2027-01-10 18:00:00', '2027-07-10 20:00:00', '2027-01-10T16:00:00.000Z', '2027-07-10T18:00:00.000Z', 'CEST'],
    ],
  ])('%s', (_, asked, expected) => expect(times(asked)).toEqual(expected));

  it.each([
    [
      'another zone keeps the local times',
      { timezone: 'Europe/Warsaw' },
      [
        '2027-01-10 18:00:00',
        '2027-01-10 20:00:00',
        '2027-01-10T17:00:00.000Z',
        '2027-01-10T19:00:00.000Z',
        'Europe/Warsaw',
      ],
    ],
    [
      'a start alone keeps the end',
      { start_date: at('2027-01-10 19:00:00') },
      [
        '2027-01-10 19:00:00',
        '2027-01-10 20:00:00',
        '2027-01-11T00:00:00.000Z',
        '2027-01-11T01:00:00.000Z',
        'America/New_York',
      ],
    ],
    ['a start after the end is refused', { start_date: at('2027-01-10 21:00:00') }, 'start_date'],
  ])('in an update: %s', (_, asked, expected) => expect(times(asked, former)).toEqual(expected));

  it('keeps a start in the second occurrence of an hour, unless it gets an offset or another time', () => {
    const was = eventTimes(
      { start_date: at('2027-10-31 02:30:00', 60), end_date: at('2027-10-31 03:30:00') },
      'Europe/Warsaw',
    ) as EventTimes;
    const told = (start: ReturnType<typeof at>, end: string) =>
      (times({ start_date: start, end_date: at(end) }, was) as string[]).slice(2, 4).map((each) => each.slice(11, 16));
    expect(told(at('2027-10-31 02:30:00'), '2027-10-31 02:45:00')).toEqual(['01:30', '01:45']);
    expect(told(at('2027-10-31 02:30:00'), '2027-10-31 04:00:00')).toEqual(['01:30', '03:00']);
    expect(told(at('2027-10-31 02:30:00', 120), '2027-10-31 02:45:00')).toEqual(['00:30', '00:45']);
    expect(told(at('2027-10-31 02:15:00'), '2027-10-31 02:45:00')).toEqual(['00:15', '00:45']);
  });
  it('reads an end as the second occurrence of an hour if the first is before the start', () => {
    const dates = { start_date: at('2027-10-31 02:50:00'), end_date: at('2027-10-31 02:10:00') };
    expect(times(dates)).toEqual([
      '2027-10-31 02:50:00',
      '2027-10-31 02:10:00',
      '2027-10-31T00:50:00.000Z',
      '2027-10-31T01:10:00.000Z',
      'Europe/Warsaw',
    ]);
    expect(times({ ...dates, start_date: at('2027-10-31 02:50:00', 60) })).toBe('end_date');
    expect(times({ ...dates, end_date: at('2027-10-31 02:10:00', 120) })).toBe('end_date');
  });
  it('keeps every instant that an update does not change, even in an hour that occurs twice', () => {
    const zones = { 'Europe/Warsaw': '2027-10-31T00:00:00Z', 'America/New_York': '2027-11-07T05:00:00Z' } as const;
    const hours = fc.integer({ min: 0, max: 3 * 3_600 }).map((seconds) => seconds * 1_000);
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(zones) as (keyof typeof zones)[])),
        fc.tuple(hours, hours).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const),
        hours,
        (timezone, [from, to], later) => {
          const [startAt, endAt] = [Date.parse(zones[timezone]) + from, Date.parse(zones[timezone]) + to];
          const was = eventTimes({ start_date: written(startAt), end_date: written(endAt), timezone }, 'UTC');
          expect(was).toMatchObject({ startAt, endAt });
          const updated = (asked: Parameters<typeof eventTimes>[0]) => eventTimes(asked, 'UTC', was as EventTimes);
          for (const asked of [{}, { all_day: false }, { timezone }]) expect(updated(asked)).toEqual(was);
          const { startWall, endWall } = was as EventTimes;
          const shown = { start_date: at(startWall), end_date: at(endWall), timezone };
          for (const asked of [shown, { start_date: shown.start_date }, { end_date: shown.end_date }])
            expect(updated(asked)).toEqual(was);
          expect(updated({ end_date: written(endAt + later) })).toMatchObject({ startAt, endAt: endAt + later });
          expect(updated({ start_date: written(startAt - later) })).toMatchObject({ startAt: startAt - later, endAt });
        },
      ),
    );
  });

  it('gives local times and instants that agree, in any zone', () => {
    const wall = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => wallFromInstant(seconds * 1000, 'UTC'));
    fc.assert(
      fc.property(
        wall,
        fc.constantFrom('Europe/Warsaw', 'America/New_York', 'Australia/Lord_Howe', 'UTC+5.5'),
        fc.boolean(),
        (start, timezone, allDay) => {
          const result = eventTimes({ start_date: at(start), end_date: at(start), timezone, all_day: allDay }, 'UTC');
          expect(result).not.toHaveProperty('wrong');
          const { startWall, startAt, endWall, endAt } = result as EventTimes;
          expect([startWall, endWall]).toEqual([wallFromInstant(startAt, timezone), wallFromInstant(endAt, timezone)]);
          expect(endAt).toBeGreaterThanOrEqual(startAt);
        },
      ),
    );
  });
});

it('dateDetails splits a date into its parts', () =>
  expect(dateDetails('2027-03-05 20:01:02')).toEqual({
    year: '2027',
    month: '03',
    day: '05',
    hour: '20',
    minutes: '01',
    seconds: '02',
  }));
