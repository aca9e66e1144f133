import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpandSettings } from '../../../src/ical/occurrences/expand-calendar.ts';
import type { Occurrence } from '../../../src/ical/occurrences/occurrence.ts';
import { textOf } from '../../../src/ical/read/calendar.ts';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { digitsFromWall } from '../../../src/ical/read/time-value.ts';
import { calendarOf, eventOf, readIcal } from '../../support/read-ical.ts';

const wholeOf = (...lines: readonly string[]): readonly string[] =>
  readIcal(calendarOf(...lines)).expansion.wholeSeries;
const DAILY = eventOf(
  'DTSTART;TZID=Europe/Berlin:20260501T100000',
  'DTEND;TZID=Europe/Berlin:20260501T110000',
  'RRULE:FREQ=DAILY;COUNT=3',
);
const starts = (...lines: readonly string[]): readonly string[] =>
  readIcal(calendarOf(...lines)).occurrences.map((each) => each.replace(/^a /, '').replace(/\/.*/, ''));
const DAY = 86_400_000;
const codesOf = (...lines: readonly string[]): readonly string[] => readIcal(calendarOf(...lines)).codes;

/** An instance that has kept the rule of its series. */
const instance = (day: string): readonly string[] =>
  eventOf(`RECURRENCE-ID:202605${day}T080000Z`, `DTSTART:202605${day}T090000Z`, 'RRULE:FREQ=WEEKLY;COUNT=3');

describe('exceptions', () => {
  it.each([
    ["in the series' zone", 'EXDATE;TZID=Europe/Berlin:20260502T100000'],
    ['in UTC', 'EXDATE:20260502T080000Z'],
    ['in another zone', 'EXDATE;TZID=America/New_York:20260502T040000'],
    ['floating', 'EXDATE:20260502T100000'],
    ['as a day', 'EXDATE;VALUE=DATE:20260502'],
    ['in a list', 'EXDATE:20250101T000000Z,20260502T080000Z'],
    ['in a list with semicolons', 'EXDATE:20250101T000000Z;20260502T080000Z'],
  ])('%s', (_, exdate) => {
    expect(starts(...DAILY.toSpliced(-1, 0, exdate))).toEqual([
      '20260501T100000 2026-05-01T08:00:00Z',
      '20260503T100000 2026-05-03T08:00:00Z',
    ]);
  });

  it('an EXDATE with a time excludes a day of a whole-day series', () => {
    expect(
      starts(
        ...eventOf(
          'DTSTART;VALUE=DATE:20260501',
          'RRULE:FREQ=DAILY;COUNT=2',
          'EXDATE;TZID=Europe/Berlin:20260502T000000',
        ),
      ),
    ).toEqual(['20260501 2026-05-01']);
  });

  it('an EXRULE excludes its dates', () => {
    expect(starts(...DAILY.toSpliced(-1, 0, 'EXRULE:FREQ=DAILY;INTERVAL=2'))).toEqual([
      '20260502T100000 2026-05-02T08:00:00Z',
    ]);
  });
});

describe('the start of a series', () => {
  it.each([
    [
      'that its rule does not produce is published and reported',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2'],
      ['start-outside-rule'],
    ],
    [
      'that one of its rules produces is not reported',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2'],
      [],
    ],
    [
      'of a rule with forbidden numbers is published, and the repair reported',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=1FR;COUNT=2'],
      ['rule-repaired'],
    ],
  ])('%s', (_, lines, codes) => {
    expect(starts(...eventOf(...lines))[0]).toContain('2026-05-01T10:00:00Z');
    expect(codesOf(...eventOf(...lines))).toEqual(codes);
  });

  it.each([
    [
      'is the first that COUNT counts, even if the rule does not produce it',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'],
      ['05-01', '05-04', '05-11'],
    ],
    [
      'is the only date with a COUNT of one',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1'],
      ['05-01'],
    ],
    [
      'is counted once for each of several rules',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3'],
      ['05-01', '05-04', '05-05', '05-12'],
    ],
    [
      'is counted by the rule that produces it, not by the others',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2', 'RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=2'],
      ['05-01', '05-04', '05-08', '05-11'],
    ],
    [
      'is counted in a rule with BYSETPOS',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=MONTHLY;BYDAY=FR;BYSETPOS=1;COUNT=2'],
      ['05-01', '06-05'],
    ],
    [
      'is counted in a yearly rule',
      ['DTSTART:20260501T100000Z', 'RRULE:FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1,2;BYDAY=MO,TU;COUNT=3'],
      ['05-01', '06-01', '06-02'],
    ],
  ])('%s', (_, lines, days) => {
    expect(starts(...eventOf(...lines)).map((each) => each.slice(21, 26))).toEqual(days);
  });

  it('is counted even if it lies before the window', () => {
    const weekly = calendarOf(...eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'));
    expect(
      readIcal(weekly, { window: { from: Date.UTC(2026, 4, 2), to: Date.UTC(2026, 6, 1) } }).occurrences,
    ).toHaveLength(2);
  });

  it('is the only date if it lies after UNTIL, which is reported', () => {
    const lines = eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=DAILY;UNTIL=20260401T000000Z');
    expect(starts(...lines)).toEqual(['20260501T100000 2026-05-01T10:00:00Z']);
    expect(codesOf(...lines)).toEqual(['until-before-start']);
  });
});

describe('a series that ends on the day before its first date', () => {
  // Google Calendar writes this when a person splits a series at its first date: the meetings are under another UID.
  it.each([
    [
      'with times',
      ['DTSTART;TZID=America/New_York:20260512T110000', 'RRULE:FREQ=WEEKLY;UNTIL=20260512T035959Z;BYDAY=TU'],
    ],
    ['with whole days', ['DTSTART;VALUE=DATE:20260512', 'RRULE:FREQ=WEEKLY;UNTIL=20260511;BYDAY=TU']],
  ])('%s has no dates, which is reported', (_, lines) => {
    expect(starts(...eventOf(...lines))).toEqual([]);
    expect(codesOf(...eventOf(...lines))).toEqual(['series-ended']);
  });

  it('keeps the dates of its RDATE', () => {
    expect(
      starts(
        ...eventOf('DTSTART;VALUE=DATE:20260512', 'RRULE:FREQ=WEEKLY;UNTIL=20260511', 'RDATE;VALUE=DATE:20260601'),
      ),
    ).toEqual(['20260601 2026-06-01']);
  });
});

describe('a rule with a meaningless COUNT', () => {
  it.each(['COUNT=-1', 'COUNT=0', 'COUNT=-32768'])(
    '%s is ignored and reported; the rest of the rule applies',
    (count) => {
      const lines = eventOf(
        'DTSTART;VALUE=DATE:20270104',
        `RRULE:FREQ=WEEKLY;UNTIL=20270630;${count};INTERVAL=4;BYDAY=MO`,
      );
      expect(starts(...lines).map((each) => each.slice(-5))).toEqual([
        '01-04',
        '02-01',
        '03-01',
        '03-29',
        '04-26',
        '05-24',
        '06-21',
      ]);
      expect(codesOf(...lines)).toEqual(['rule-repaired']);
    },
  );

  it('a COUNT that is not a number makes the rule invalid', () => {
    expect(codesOf(...eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=few'))).toEqual(['rule-invalid']);
  });
});

describe('a series with a RECURRENCE-ID', () => {
  it('is the series if no other component is, which is reported', () => {
    const lines = eventOf('RECURRENCE-ID:19700102T010000Z', 'DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=3');
    expect(starts(...lines)).toEqual([
      '20260501T100000 2026-05-01T10:00:00Z',
      '20260508T100000 2026-05-08T10:00:00Z',
      '20260515T100000 2026-05-15T10:00:00Z',
    ]);
    expect(codesOf(...lines)).toEqual(['series-with-recurrence-id']);
    const moved = eventOf('RECURRENCE-ID:20260508T100000Z', 'DTSTART:20260509T100000Z');
    expect(starts(...lines, ...moved)).toContain('20260508T100000 2026-05-09T10:00:00Z');
  });

  it('is a changed instance if its series is present', () => {
    const lines = eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20260502T090000Z', 'RRULE:FREQ=WEEKLY;COUNT=3');
    expect(starts(...DAILY, ...lines)).toHaveLength(3);
  });

  it('several that kept the rule of an absent series are instances', () => {
    expect(starts(...instance('01'), ...instance('08'))).toHaveLength(2);
  });
});

describe('overrides', () => {
  it.each([
    ['in the zone of the series', 'RECURRENCE-ID;TZID=Europe/Berlin:20260502T100000'],
    ['in UTC', 'RECURRENCE-ID:20260502T080000Z'],
    ['in another zone', 'RECURRENCE-ID;TZID=America/New_York:20260502T040000'],
    ['floating', 'RECURRENCE-ID:20260502T100000'],
    ['by day', 'RECURRENCE-ID;VALUE=DATE:20260502'],
  ])('named %s', (_, recurrenceId) => {
    const lines = [...DAILY, ...eventOf(recurrenceId, 'DTSTART:20260510T080000Z')];
    const expected = [
      '20260501T100000 2026-05-01T08:00:00Z',
      '20260503T100000 2026-05-03T08:00:00Z',
      '20260502T100000 2026-05-10T08:00:00Z',
    ];
    expect(starts(...lines)).toEqual(expected);
    expect(codesOf(...lines)).toEqual([]);
  });

  it('an override may come before its series, or in another VCALENDAR', () => {
    const override = eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20260502T090000Z');
    const usual = readIcal(calendarOf(...DAILY, ...override)).occurrences;
    expect(readIcal(calendarOf(...override, ...DAILY)).occurrences).toEqual(usual);
    expect(readIcal(calendarOf(...override) + calendarOf(...DAILY)).occurrences).toEqual(usual);
  });

  it('the highest SEQUENCE wins, whatever the order', () => {
    const old = eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20260502T090000Z', 'SEQUENCE:1');
    const latest = eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20260502T100000Z', 'SEQUENCE:2');
    expect(starts(...DAILY, ...old, ...latest)).toEqual(starts(...DAILY, ...latest, ...old));
    expect(starts(...DAILY, ...latest, ...old)).toContain('20260502T100000 2026-05-02T10:00:00Z');
  });

  it('one that matches no instance is shown and reported', () => {
    const lines = [...DAILY, ...eventOf('RECURRENCE-ID:20260507T080000Z', 'DTSTART:20260507T090000Z')];
    expect(starts(...lines)).toContain('20260507T100000 2026-05-07T09:00:00Z');
    expect(codesOf(...lines)).toEqual(['override-unmatched']);
  });

  it('one that moves out of the window is not shown, one that moves into it is', () => {
    const window = { from: Date.UTC(2026, 4, 2), to: Date.UTC(2026, 4, 3) };
    const out = calendarOf(...DAILY, ...eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20270502T080000Z'));
    expect(readIcal(out, { window }).occurrences).toEqual([]);
    const into = calendarOf(...DAILY, ...eventOf('RECURRENCE-ID:20260503T080000Z', 'DTSTART:20260502T200000Z'));
    expect(readIcal(into, { window }).occurrences).toHaveLength(2);
  });

  it('a later THISANDFUTURE takes over from an earlier one; a single override beats both', () => {
    const lines = [
      ...eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=DAILY;COUNT=5'),
      ...eventOf('RECURRENCE-ID;RANGE=THISANDFUTURE:20260502T100000Z', 'DTSTART:20260502T110000Z'),
      ...eventOf('RECURRENCE-ID;RANGE=THISANDFUTURE:20260504T100000Z', 'DTSTART:20260504T120000Z'),
      ...eventOf('RECURRENCE-ID:20260505T100000Z', 'DTSTART:20260505T200000Z'),
    ];
    expect(starts(...lines).map((each) => each.slice(-9, -7))).toEqual(['10', '11', '11', '12', '20']);
  });

  it.each([
    ['is published and reported if neither is newer', 'SEQUENCE:2', 'SEQUENCE:2', 3, ['override-excluded']],
    ['is published and reported if it is newer', 'SEQUENCE:2', 'SEQUENCE:3', 3, ['override-excluded']],
    ['is dropped and reported if the series is newer', 'SEQUENCE:3', 'SEQUENCE:2', 2, ['override-excluded']],
  ])('one that its series excludes %s', (_, ofSeries, ofOverride, count, codes) => {
    const series = DAILY.toSpliced(-1, 0, 'EXDATE:20260502T080000Z', ofSeries);
    const lines = [...series, ...eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20260502T120000Z', ofOverride)];
    expect(starts(...lines)).toHaveLength(count);
    expect(codesOf(...lines)).toEqual(codes);
  });

  it('an excluded instance that is also cancelled is not reported', () => {
    const lines = [
      ...DAILY.toSpliced(-1, 0, 'EXDATE:20260502T080000Z'),
      ...eventOf('RECURRENCE-ID:20260502T080000Z', 'STATUS:CANCELLED'),
    ];
    expect(codesOf(...lines)).toEqual([]);
  });

  it('a cancelled instance is kept as cancelled', () => {
    const { expansion } = readIcal(
      calendarOf(...DAILY, ...eventOf('RECURRENCE-ID:20260502T080000Z', 'STATUS:CANCELLED')),
    );
    expect(expansion.occurrences.map(({ event }) => event.status)).toEqual(['confirmed', 'cancelled', 'confirmed']);
  });
});

const rangeOf = (isLater: boolean): string => (isLater ? ';RANGE=THISANDFUTURE' : '');
const cancelledFrom = (day: string): readonly string[] =>
  eventOf(`RECURRENCE-ID${rangeOf(true)}:202605${day}T100000Z`, 'STATUS:CANCELLED');
const movedFrom = (day: string): readonly string[] =>
  eventOf(
    `RECURRENCE-ID${rangeOf(true)}:202605${day}T100000Z`,
    `DTSTART:202605${day}T180000Z`,
    'DURATION:PT2H',
    'SUMMARY:Late',
  );

describe('a THISANDFUTURE cancellation without other properties', () => {
  const STAYS = eventOf('DTSTART:20260504T100000Z', 'DURATION:PT1H', 'SUMMARY:Weekly', 'RRULE:FREQ=WEEKLY;COUNT=5');
  const shownOf = (...lines: readonly string[]): readonly string[] =>
    readIcal(calendarOf(...STAYS, ...lines)).expansion.occurrences.map(({ event, startsAt, endsAt }) =>
      [
        event.status,
        textOf(event.texts, 'SUMMARY'),
        digitsFromWall(startsAt, false),
        (endsAt - startsAt) / 60_000,
      ].join(' '),
    );

  it('keeps the texts and the times of the series', () => {
    expect(shownOf(...cancelledFrom('18'))).toEqual([
      'confirmed Weekly 20260504T100000 60',
      'confirmed Weekly 20260511T100000 60',
      'cancelled Weekly 20260518T100000 60',
      'cancelled Weekly 20260525T100000 60',
      'cancelled Weekly 20260601T100000 60',
    ]);
  });

  it('keeps an earlier change, and ends at a later one', () => {
    expect(shownOf(...movedFrom('11'), ...cancelledFrom('18'))).toEqual([
      'confirmed Weekly 20260504T100000 60',
      'confirmed Late 20260511T180000 120',
      'cancelled Late 20260518T180000 120',
      'cancelled Late 20260525T180000 120',
      'cancelled Late 20260601T180000 120',
    ]);
    expect(shownOf(...cancelledFrom('11'), ...movedFrom('18')).slice(1, 3)).toEqual([
      'cancelled Weekly 20260511T100000 60',
      'confirmed Late 20260518T180000 120',
    ]);
  });

  it('keeps an earlier change if it cancels one instance only', () => {
    const one = eventOf('RECURRENCE-ID:20260518T100000Z', 'STATUS:CANCELLED');
    expect(shownOf(...movedFrom('11'), ...one)[2]).toBe('cancelled Late 20260518T180000 120');
  });

  it('changes nothing but the status, whatever else changes the series', () => {
    const change = fc.record({ day: fc.integer({ min: 10, max: 25 }), later: fc.boolean(), hour: fc.nat(23) });
    const days = fc.uniqueArray(change, { maxLength: 4, selector: ({ day }) => day });
    const bare = fc.record({ day: fc.integer({ min: 10, max: 25 }), later: fc.boolean() });
    const rdate = fc.constantFrom('', 'RDATE;VALUE=PERIOD:20260523T120000Z/PT3H');
    fc.assert(
      fc.property(days, bare, rdate, (changes, { day, later }, own) => {
        const series = [
          ...eventOf('DTSTART:20260510T100000Z', 'DURATION:PT1H', 'SUMMARY:Daily', 'RRULE:FREQ=DAILY;COUNT=20', own),
          ...changes
            .filter((each) => each.day !== day)
            .flatMap((each) =>
              eventOf(
                `RECURRENCE-ID${rangeOf(each.later)}:202605${each.day}T100000Z`,
                `DTSTART:202605${each.day}T${String(each.hour).padStart(2, '0')}0000Z`,
                `SUMMARY:${each.day}`,
              ),
            ),
        ];
        const read = (...lines: readonly string[]): readonly object[] =>
          readIcal(calendarOf(...series, ...lines)).expansion.occurrences.map(
            ({ event, recurrenceId, startsAt, endsAt }) => [recurrenceId, event.texts, startsAt, endsAt],
          );
        const cancellation = eventOf(`RECURRENCE-ID${rangeOf(later)}:202605${day}T100000Z`, 'STATUS:CANCELLED');
        expect(read(...cancellation)).toEqual(read());
      }),
    );
  });
});

describe('lengths', () => {
  it.each([
    ['no end', ['DTSTART:20260501T100000Z'], '2026-05-01T10:00:00Z/2026-05-01T10:00:00Z'],
    [
      'an end before the start',
      ['DTSTART:20260501T100000Z', 'DTEND:20260501T090000Z'],
      '2026-05-01T10:00:00Z/2026-05-01T10:00:00Z',
    ],
    [
      'an end in another zone',
      ['DTSTART;TZID=Europe/Berlin:20260501T100000', 'DTEND;TZID=America/New_York:20260501T060000'],
      '2026-05-01T08:00:00Z/2026-05-01T10:00:00Z',
    ],
    [
      'DTEND beats DURATION',
      ['DTSTART:20260501T100000Z', 'DTEND:20260501T110000Z', 'DURATION:PT5H'],
      '2026-05-01T10:00:00Z/2026-05-01T11:00:00Z',
    ],
    [
      'P1D across a clock change keeps the time of day',
      ['DTSTART;TZID=Europe/Berlin:20260328T120000', 'DURATION:P1D'],
      '2026-03-28T11:00:00Z/2026-03-29T10:00:00Z',
    ],
    [
      'PT24H across a clock change is exactly 24 hours',
      ['DTSTART;TZID=Europe/Berlin:20260328T120000', 'DURATION:PT24H'],
      '2026-03-28T11:00:00Z/2026-03-29T11:00:00Z',
    ],
    [
      'a negative duration',
      ['DTSTART:20260501T100000Z', 'DURATION:-PT1H'],
      '2026-05-01T10:00:00Z/2026-05-01T10:00:00Z',
    ],
    ['a day', ['DTSTART;VALUE=DATE:20260501'], '2026-05-01/2026-05-02'],
    [
      'a day that ends on its start',
      ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260501'],
      '2026-05-01/2026-05-02',
    ],
    ['days', ['DTSTART;VALUE=DATE:20260501', 'DURATION:P1W'], '2026-05-01/2026-05-08'],
    ['a bare date is a day', ['DTSTART:20260501', 'DTEND:20260503'], '2026-05-01/2026-05-03'],
    ['a date with a time is a day', ['DTSTART;VALUE=DATE:20260501T000000'], '2026-05-01/2026-05-02'],
    ['a leap second', ['DTSTART:20260630T235960Z'], '2026-06-30T23:59:59Z/2026-06-30T23:59:59Z'],
    [
      'an end without a zone is in the zone of its start',
      ['DTSTART;TZID=America/New_York:20260501T100000', 'DTEND:20260501T113000'],
      '2026-05-01T14:00:00Z/2026-05-01T15:30:00Z',
    ],
    [
      'ISO 8601 in its basic format',
      ['DTSTART:20260501T100000+0200', 'DTEND:20260501T090000.000Z'],
      '2026-05-01T08:00:00Z/2026-05-01T09:00:00Z',
    ],
    [
      'ISO 8601 in its extended format',
      ['DTSTART:2026-05-01T10:00:00+02:00', 'DTEND:2026-05-01T09:00:00Z'],
      '2026-05-01T08:00:00Z/2026-05-01T09:00:00Z',
    ],
  ])('%s', (_, lines, span) => {
    expect(readIcal(calendarOf(...eventOf(...lines))).occurrences).toEqual([`a ${span}`]);
  });

  it('an RDATE of a whole-day series lasts at least a day', () => {
    const days = eventOf(
      'DTSTART;VALUE=DATE:20260501',
      'RDATE;VALUE=PERIOD:20260502T100000Z/PT1H,20260505T100000Z/P2D',
    );
    expect(readIcal(calendarOf(...days)).occurrences).toEqual([
      'a 20260501 2026-05-01/2026-05-02',
      'a 20260502 2026-05-02/2026-05-03',
      'a 20260505 2026-05-05/2026-05-07',
    ]);
  });

  it('an RDATE may have a length of its own', () => {
    expect(
      readIcal(
        calendarOf(
          ...eventOf(
            'DTSTART:20260501T100000Z',
            'DURATION:PT1H',
            'RDATE;VALUE=PERIOD:20260502T100000Z/PT3H,20260503T100000Z/20260503T103000Z',
          ),
        ),
      ).occurrences.map((each) => each.slice(-20)),
    ).toEqual(['2026-05-01T11:00:00Z', '2026-05-02T13:00:00Z', '2026-05-03T10:30:00Z']);
  });
});

const HOUR = 3_600_000;
const digits = (wall: number): string => digitsFromWall(wall, false);
const timesIn = (window: ExpandSettings['window'], ...lines: readonly string[]): unknown =>
  readIcal(calendarOf(...lines), { window }).expansion.occurrences.map(({ startsAt, endsAt }) => [startsAt, endsAt]);

describe('the edges of the window', () => {
  it('an instance that is under way is shown, whatever its zone', () => {
    const window = { from: Date.UTC(2026, 10, 28, 8), to: Date.UTC(2027, 1, 1) };
    const series = eventOf(
      'DTSTART;TZID=Pacific/Auckland:20260901T100000',
      'DURATION:PT1H',
      'RDATE;VALUE=PERIOD:20261010T090000Z/20261220T120000Z',
      'RDATE:20261128T080000Z',
    );
    expect(readIcal(calendarOf(...series), { window }).occurrences).toEqual([
      'a 20261010T220000 2026-10-10T09:00:00Z/2026-12-20T12:00:00Z',
      'a 20261128T210000 2026-11-28T08:00:00Z/2026-11-28T09:00:00Z',
    ]);
  });

  it('an instance is shown exactly when a single event with the same times would be', () => {
    const span = fc.record({
      zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Australia/Lord_Howe'),
      start: fc.integer({ min: 0, max: 24 * 365 * 2 }).map((hour) => Date.UTC(2025, 0) + hour * HOUR),
      days: fc.nat(100),
      hours: fc.nat(3000),
      early: fc.integer({ min: -1, max: 2 }),
    });
    const to = Date.UTC(2029, 0);
    fc.assert(
      fc.property(span, ({ zone, start, days, hours, early }) => {
        const at = (wall: number): string => `;TZID=${zone}:${digits(wall)}`;
        const duration = `DURATION:P${days}DT${hours}H`;
        const single = eventOf(`DTSTART${at(start)}`, duration);
        const [{ startsAt, endsAt }] = readIcal(calendarOf(...single)).expansion.occurrences as [Occurrence];
        // Two hours before its end, one before, at its end, and an hour after it.
        const window = { from: endsAt - early * HOUR, to };
        const expected = timesIn(window, ...single);
        expect(timesIn(window, ...single.toSpliced(-1, 0, 'RRULE:FREQ=DAILY;COUNT=1'))).toEqual(expected);
        const changed = [
          ...eventOf(`DTSTART${at(start - 700 * DAY)}`, 'RRULE:FREQ=DAILY;INTERVAL=700;COUNT=2'),
          ...eventOf(`RECURRENCE-ID;RANGE=THISANDFUTURE${at(start - 700 * DAY)}`, duration),
        ];
        const later = changed.toSpliced(-1, 0, `DTSTART${at(start - 700 * DAY)}`);
        expect(timesIn(window, ...later)).toEqual(expected);
        const dated = eventOf(
          'DTSTART;TZID=Europe/London:20150101T100000',
          `RDATE;VALUE=PERIOD:${digits(startsAt)}Z/${digits(endsAt)}Z`,
        );
        expect(timesIn(window, ...dated)).toEqual(expected);
      }),
    );
  });

  it('a THISANDFUTURE change at a skipped local time does not shift the instances', () => {
    const first = 'TZID=Australia/Lord_Howe:20231001T020000';
    const changed = [
      ...eventOf(`DTSTART;${first}`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;INTERVAL=700;COUNT=2'),
      ...eventOf(`RECURRENCE-ID;RANGE=THISANDFUTURE;${first}`, `DTSTART;${first}`, 'DURATION:PT1H'),
    ];
    expect(readIcal(calendarOf(...changed)).occurrences).toEqual([
      'a 20231001T020000 2023-09-30T15:30:00Z/2023-09-30T16:30:00Z',
      'a 20250831T020000 2025-08-30T15:30:00Z/2025-08-30T16:30:00Z',
    ]);
  });
});

describe('revisions and shared UIDs', () => {
  it('an older revision is ignored', () => {
    expect(
      starts(
        ...eventOf('DTSTART:20260502T100000Z', 'SUMMARY:x', 'SEQUENCE:5'),
        ...eventOf('DTSTART:20260501T100000Z', 'SUMMARY:x', 'SEQUENCE:4'),
      ),
    ).toEqual(['2026-05-02T10:00:00Z']);
  });

  it('different events with the same UID are both kept, and reported', () => {
    const lines = [
      ...eventOf('DTSTART:20260502T100000Z', 'SUMMARY:x'),
      ...eventOf('DTSTART:20260501T100000Z', 'SUMMARY:y'),
    ];
    expect(starts(...lines)).toHaveLength(2);
    expect(codesOf(...lines)).toEqual(['uid-shared']);
  });
});

describe('limits', () => {
  const feed = calendarOf(
    ...eventOf('UID:bomb', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY'),
    ...eventOf('DTSTART:20260501T100000Z'),
  );

  it('an exploding rule is cut in its own series only, and reported', () => {
    const { expansion, codes } = readIcal(feed, { occurrencesPerSeries: 10 });
    expect(expansion.occurrences.map(({ event }) => event.uid)).toEqual([
      ...Array.from({ length: 10 }, () => 'bomb'),
      'a',
    ]);
    expect(codes).toEqual(['series-cut']);
    expect(expansion.unread).toEqual([{ line: 4, uid: 'bomb' }]);
  });

  it('of too many RDATEs, the earliest are kept', () => {
    const days = Array.from({ length: 12 }, (_, index) => `202605${String(index + 2).padStart(2, '0')}T100000Z`);
    const listed = calendarOf(...eventOf('DTSTART:20260501T100000Z', `RDATE:${days.toReversed().join()}`));
    const { expansion, codes } = readIcal(listed, { occurrencesPerSeries: 10 });
    expect(expansion.occurrences).toHaveLength(10);
    expect(expansion.occurrences.at(-1)?.startsAt).toBe(Date.UTC(2026, 4, 10, 10));
    expect(codes).toEqual(['series-cut']);
  });

  it('of too many repetitions, the latest are left out, and the event with the most is named', () => {
    const several = calendarOf(
      ...eventOf('UID:weekly', 'DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      ...eventOf('UID:daily', 'DTSTART:20260501T110000Z', 'RRULE:FREQ=DAILY;COUNT=20'),
    );
    const { expansion } = readIcal(several, { repetitionsPerFeed: 8 });
    expect(expansion.occurrences).toHaveLength(2 + 8);
    expect(expansion.occurrences.at(-1)?.startsAt).toBe(Date.UTC(2026, 4, 8, 11));
    expect(expansion.unread).toEqual([
      { line: 9, uid: 'daily' },
      { line: 4, uid: 'weekly' },
    ]);
    expect(expansion.problems).toEqual([
      {
        code: 'feed-cut',
        message:
          'The events of the feed repeat 21 times in the window; only the earliest 8 of these repetitions are ' +
          'published. This one alone repeats 19 times. A shorter "window" of the source has fewer of them.',
        where: { line: 9, uid: 'daily' },
      },
    ]);
  });

  it('single events do not count as repetitions, however many there are', () => {
    const listed = calendarOf(
      ...Array.from({ length: 20 }, (_, index) => eventOf(`UID:${index}`, 'DTSTART:20260501T100000Z')).flat(),
    );
    const { occurrences, codes } = readIcal(listed, { repetitionsPerFeed: 9 });
    expect([occurrences.length, codes]).toEqual([20, []]);
  });

  it('a limit counts only instances in the window', () => {
    const second = calendarOf(...eventOf('DTSTART;TZID=Europe/Berlin:19700101T000000', 'RRULE:FREQ=SECONDLY'));
    expect(
      readIcal(second, { window: { from: Date.UTC(2026, 5, 1), to: Date.UTC(2026, 6, 1) }, occurrencesPerSeries: 2 })
        .occurrences[0],
    ).toMatch(/ 2026-06-01T00:00:00Z/);
  });

  it('a series that begins after the window is listed as outside', () => {
    expect(
      readIcal(calendarOf(...eventOf('DTSTART:20310501T100000Z', 'RRULE:FREQ=DAILY;COUNT=3'))).expansion,
    ).toMatchObject({ outside: ['a'], coversUntil: Date.UTC(2031, 4, 1, 10) });
  });

  it('covers the whole window if a series goes on, else up to the latest start', () => {
    expect(readIcal(calendarOf(...DAILY)).expansion.coversUntil).toBe(Date.UTC(2026, 4, 3, 8));
    expect(
      readIcal(calendarOf(...eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=WEEKLY'))).expansion.coversUntil,
    ).toBe(Date.UTC(2030, 0, 1));
  });

  it('a series is whole if its UID has one main component, and that is not cut', () => {
    const moved = eventOf('RECURRENCE-ID:20260502T080000Z', 'DTSTART:20260502T090000Z');
    expect([wholeOf(...DAILY), wholeOf(...DAILY, ...moved), wholeOf(...eventOf('DTSTART:20260501T100000Z'))]).toEqual([
      ['a'],
      ['a'],
      ['a'],
    ]);
    expect([
      wholeOf(...moved),
      wholeOf(...DAILY, ...eventOf('DTSTART:20260601T100000Z')),
      wholeOf(...eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=SECONDLY')),
    ]).toEqual([[], [], []]);
  });
});

describe('laws', () => {
  const event = fc.record({
    uid: fc.constantFrom('x', 'y', 'z'),
    day: fc.integer({ min: 10, max: 28 }),
    rule: fc.constantFrom('', 'RRULE:FREQ=DAILY;COUNT=3', 'RRULE:FREQ=WEEKLY'),
    id: fc.option(fc.integer({ min: 10, max: 28 })),
    sequence: fc.nat({ max: 3 }),
  });

  it('the order of events does not matter', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(event, { maxLength: 6, selector: (each) => `${each.uid}${each.id ?? 'series'}` }),
        fc.infiniteStream(fc.nat()),
        (events, order) => {
          const texts = events.map(({ uid, day, rule, id, sequence }) =>
            eventOf(
              `UID:${uid}`,
              `DTSTART:202605${day}T100000Z`,
              `SEQUENCE:${sequence}`,
              ...(id === null ? [rule] : [`RECURRENCE-ID:202605${id}T100000Z`]),
            ),
          );
          const shuffled = texts
            .map((text) => ({ text, at: order.next().value as number }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ text }) => text);
          expect(readIcal(calendarOf(...shuffled.flat())).occurrences.toSorted()).toEqual(
            readIcal(calendarOf(...texts.flat())).occurrences.toSorted(),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('any text is read without an exception', () => {
    const words = fc.constantFrom(
      'BEGIN:',
      'END:',
      'VEVENT',
      'VCALENDAR',
      'VTIMEZONE',
      'DTSTART',
      'RRULE',
      'RDATE',
      'EXDATE',
      'RECURRENCE-ID',
      'FREQ=DAILY',
      'UNTIL=',
      'BYDAY=MO',
      '20260501',
      'T100000',
      'Z',
      ';',
      ':',
      ',',
      '=',
      '"',
      '\r\n',
      '\n ',
      'TZID=',
      'UID:x',
      'DURATION:P1D',
      '-',
      '9',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string({ maxLength: 3 })), { maxLength: 60 }).map((parts) => parts.join('')),
        (text) => {
          expect(Array.isArray(readIcal(`BEGIN:VEVENT\nDTSTART:20260501T100000Z\n${text}`).occurrences)).toBe(true);
          expect(Array.isArray(parseCalendar(text).problems)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
