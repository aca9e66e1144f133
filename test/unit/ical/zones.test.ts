import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetFromText } from '../../../src/ical/read/time-value.ts';
import { zoneNameFromTzid } from '../../../src/ical/read/tzid.ts';
import { vtimezoneLines } from '../../../src/ical/write/vtimezone.ts';
import { instantFromWall, namedZone, wallFromInstant } from '../../../src/ical/times/zone.ts';
import {
  instantFromWall as instantFromDigits,
  offsetAt,
  wallFromInstant as digitsFromInstant,
} from '../../../src/time.ts';
import { calendarOf, eventOf, readIcal } from '../../support/read-ical.ts';

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['"Europe/Berlin"', 'Europe/Berlin'],
  ['America/New York', 'America/New_York'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['/freeassociation.sourceforge.net/Europe/Berlin', 'Europe/Berlin'],
  ['/mozilla.org/20071231_1/America/New_York', 'America/New_York'],
  ['/Europe/Stockholm', 'Europe/Stockholm'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['Eastern Standard Time', 'America/New_York'],
  ['Central European Standard Time', 'Europe/Warsaw'],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Amsterdam'],
  ['Amsterdam, Belgrade, Berlin, Brussels, Budapest, Madrid, Paris, Prague, Stockholm', 'Europe/Amsterdam'],
  ['Eastern Time (US & Canada)', 'America/New_York'],
  ['Kuala Lumpur, Singapore', 'Asia/Kuala_Lumpur'],
  ['London', 'Europe/London'],
  ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
  ['(GMT+01:00) Berlin', 'Europe/Berlin'],
  ['(GMT+00:00) London', 'Europe/London'],
  ['(GMT) London', 'Europe/London'],
  ['(GMT-0500) United States (New York) Time', 'America/New_York'],
  ['(GMT-05:00) Eastern Standard Time (America/New_York)', 'America/New_York'],
  ['(GMT-04:00) Eastern Time - New York', 'America/New_York'],
  ['(UTC+01:00) Europe/Berlin', 'Europe/Berlin'],
  ['(UTC-09:00) Alaska', 'America/Anchorage'],
  ['(UTC-07:00) Chihuahua, La Paz, Mazatlan', 'America/Mazatlan'],
  ['(UTC+09:00) Berlin', 'UTC+9'],
  ['tzone://Microsoft/Utc', 'UTC'],
  ['UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['Etc/UTC', 'Etc/UTC'],
  ['GMT+0200', 'UTC+2'],
  ['UTC-03:30', 'UTC-3.5'],
  ['+0545', 'UTC+5.75'],
  ['(GMT +01:00)', 'UTC+1'],
  ['US/Pacific-New', 'America/Los_Angeles'],
  ['SystemV/EST5EDT', undefined],
  ['/freeassociation.sourceforge.net/Tzfile/SystemV/EST5EDT', undefined],
  ['Nowhere/Land', undefined],
  ['London/Nowhere', undefined],
  ['constructor', undefined],
  ['(UTC+01:00) constructor', 'UTC+1'],
  ['', undefined],
  ['../../etc/passwd', undefined],
  ['+9900', undefined],
])('%j means the zone %s', (tzid, name) => {
  expect(zoneNameFromTzid(tzid)).toBe(name);
});

const event = (tzid: string, day: string): readonly string[] =>
  eventOf(`UID:${day}`, `DTSTART;TZID=${tzid}:${day}T200000`, `DTEND;TZID=${tzid}:${day}T210000`);
const localNames = ({
  expansion: { localZones, occurrences },
}: ReturnType<typeof readIcal>): readonly (string | null)[] =>
  occurrences.map(({ zone }) => (localZones.get(zone) ?? zone).name);

describe('a named zone', () => {
  it.each([
    'Europe/Warsaw',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kolkata',
    'America/Sao_Paulo',
    'Pacific/Apia',
    'UTC+3.5',
  ])('%s agrees with the slower functions of time.ts at every instant', (name) => {
    const zone = namedZone(name)!;
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1975, 0) / 1000, max: Date.UTC(2035, 0) / 1000 }).map((second) => second * 1000),
        (instant) => {
          expect(zone.offsetAt(instant)).toBe(offsetAt(instant, name) * 60_000);
          const digits = digitsFromInstant(instant, name);
          expect(instantFromWall(wallFromInstant(instant, zone), zone)).toBe(instantFromDigits(digits, name));
        },
      ),
    );
  });
});

const timezone = (
  tzid: string,
  ...rules: readonly (readonly [from: string, to: string, start: string, rrule?: string])[]
): readonly string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...rules.flatMap(([from, to, start, rrule]) => [
    'BEGIN:STANDARD',
    `DTSTART:${start}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    ...(rrule ? [`RRULE:${rrule}`] : []),
    'END:STANDARD',
  ]),
  'END:VTIMEZONE',
];
const BERLIN = [
  ['+0100', '+0200', '19700329T020000', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
  ['+0200', '+0100', '19701025T030000', 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
] as const;
/** The wall time of the events. */
const NOON = Date.UTC(2026, 6, 1, 12);
const window = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 5, 1) };

function zoneOfFirst(
  ...lines: readonly string[]
): readonly [name: string | null | undefined, start: string | undefined, codes: readonly string[]] {
  const { expansion, occurrences, codes } = readIcal(calendarOf(...lines), { window });
  return [expansion.occurrences[0]?.zone.name, occurrences[0]?.slice(2, 22), codes];
}

describe('the zone of a time', () => {
  it.each<readonly [string, readonly string[], readonly [string | null, string, readonly string[]]]>([
    [
      "rules equal to an IANA zone get its name, preferably the site's",
      [...timezone('Our zone', ...BERLIN), ...eventOf('DTSTART;TZID=Our zone:20260701T120000')],
      ['Europe/Warsaw', '2026-07-01T10:00:00Z', []],
    ],
    [
      'rules equal to no IANA zone are obeyed',
      [
        ...timezone('Our zone', ['+0017', '+0017', '19700101T000000']),
        ...eventOf('DTSTART;TZID=Our zone:20260701T120000'),
      ],
      [null, '2026-07-01T11:43:00Z', ['timezone-private']],
    ],
    [
      'rules override a Windows name',
      [
        ...timezone('W. Europe Standard Time', ['+0500', '+0500', '16010101T000000']),
        ...eventOf('DTSTART;TZID=W. Europe Standard Time:20260701T120000'),
      ],
      [expect.any(String) as unknown as string, '2026-07-01T07:00:00Z', []],
    ],
    [
      'an IANA name overrides rules that contradict it',
      [
        ...timezone('Europe/Berlin', ['+0500', '+0500', '19700101T000000']),
        ...eventOf('DTSTART;TZID=Europe/Berlin:20260701T120000'),
      ],
      ['Europe/Berlin', '2026-07-01T10:00:00Z', ['timezone-contradiction']],
    ],
    [
      'an alias in the IANA list does so, too',
      [
        ...timezone('US/Eastern', ['+0500', '+0500', '19700101T000000']),
        ...eventOf('DTSTART;TZID=US/Eastern:20260701T120000'),
      ],
      ['US/Eastern', '2026-07-01T16:00:00Z', ['timezone-contradiction']],
    ],
    [
      'a name in another case means what its VTIMEZONE says',
      [...timezone('Europe/lisbon', ...BERLIN), ...eventOf('DTSTART;TZID=Europe/lisbon:20260701T120000')],
      ['Europe/Warsaw', '2026-07-01T10:00:00Z', []],
    ],
    [
      'so does an alias in another case',
      [...timezone('US/eastern', ...BERLIN), ...eventOf('DTSTART;TZID=US/eastern:20260701T120000')],
      ['Europe/Warsaw', '2026-07-01T10:00:00Z', []],
    ],
    [
      'BST is the summer time of Britain, not of Bangladesh',
      eventOf('DTSTART;TZID=BST:20260701T120000'),
      ['BST', '2026-07-01T11:00:00Z', []],
    ],
    [
      'without a VTIMEZONE, case does not matter',
      eventOf('DTSTART;TZID=europe/lisbon:20260701T120000'),
      ['Europe/Lisbon', '2026-07-01T11:00:00Z', []],
    ],
    [
      'a zone that only ICU knows is not published by that name',
      [
        ...timezone('/elsewhere/Tzfile/SystemV/EST5', ['-0500', '-0500', '19700101T000000']).toSpliced(
          2,
          0,
          'X-LIC-LOCATION:SystemV/EST5',
        ),
        ...eventOf('DTSTART;TZID=/elsewhere/Tzfile/SystemV/EST5:20260701T120000'),
      ],
      ['America/Bogota', '2026-07-01T17:00:00Z', []],
    ],
    [
      'an escaped TZID matches the quoted one',
      [
        ...timezone('Kuala Lumpur\\, Singapore', ['+0800', '+0800', '19700101T000000']),
        ...eventOf('DTSTART;TZID="Kuala Lumpur, Singapore":20260701T120000'),
      ],
      ['Asia/Kuala_Lumpur', '2026-07-01T04:00:00Z', []],
    ],
    [
      'rules under an escaped TZID apply to the quoted one',
      [
        ...timezone('Kuala Lumpur\\, Singapore', ['+0500', '+0500', '19700101T000000']),
        ...eventOf('DTSTART;TZID="Kuala Lumpur, Singapore":20260701T120000'),
      ],
      [expect.any(String) as unknown as string, '2026-07-01T07:00:00Z', []],
    ],
    [
      'a time in an unknown zone floats, which is reported',
      eventOf('DTSTART;TZID=Nowhere:20260701T120000'),
      ['Europe/Warsaw', '2026-07-01T10:00:00Z', ['timezone-unknown']],
    ],
    [
      'an exploding rule in a VTIMEZONE is not expanded',
      [
        ...timezone('Bomb', ['+0100', '+0100', '19700101T000000', 'FREQ=SECONDLY']),
        ...eventOf('DTSTART;TZID=Bomb:20260701T120000'),
      ],
      ['Europe/Warsaw', '2026-07-01T10:00:00Z', ['timezone-unreadable', 'timezone-unknown']],
    ],
    [
      'floating times take X-WR-TIMEZONE',
      ['X-WR-TIMEZONE:America/New_York', ...eventOf('DTSTART:20260701T120000')],
      ['America/New_York', '2026-07-01T16:00:00Z', []],
    ],
    [
      "without X-WR-TIMEZONE, floating times take the site's zone",
      eventOf('DTSTART:20260701T120000'),
      ['Europe/Warsaw', '2026-07-01T10:00:00Z', []],
    ],
  ])('%s', (_, lines, result) => {
    const [name, start, codes] = zoneOfFirst(...lines);
    expect([name, start, codes]).toEqual(result);
    // The zone is shown with the time, so it must give the same instant.
    const zone = namedZone(name ?? '');
    expect(zone && new Date(instantFromWall(NOON, zone)).toISOString()).toBe(
      name === null ? undefined : start?.replace('Z', '.000Z'),
    );
  });

  it.each([
    ['+0200', 2 * 3_600],
    ['-093015', -(9 * 3_600 + 30 * 60 + 15)],
    ['5:30', 5 * 3_600 + 30 * 60],
    ['+1600', 16 * 3_600],
    ['+1601', undefined],
    ['east', undefined],
  ])('the offset %s of a VTIMEZONE is %s seconds', (text, seconds) => {
    expect(offsetFromText(text)).toBe(seconds === undefined ? undefined : seconds * 1_000);
  });

  it("floating times take the site's zone even if that is an offset", () => {
    const { occurrences } = readIcal(calendarOf(...eventOf('DTSTART:20260701T120000')), {
      window,
      siteTimezone: 'UTC+5.5',
    });
    expect(occurrences).toEqual(['a 2026-07-01T06:30:00Z/2026-07-01T06:30:00Z']);
  });

  it('of very many VTIMEZONEs, those after the first 2000 are ignored, which is reported once', () => {
    const calendars = Array.from({ length: 2_003 }, (_, at) => {
      const offset = `+${String(Math.floor(at / 60) % 12).padStart(2, '0')}${String(at % 60).padStart(2, '0')}`;
      return calendarOf(
        'BEGIN:VTIMEZONE',
        'TZID:Own',
        'BEGIN:STANDARD',
        `DTSTART:${1900 + Math.floor(at / 720)}0101T000000`,
        `TZOFFSETFROM:${offset}`,
        `TZOFFSETTO:${offset}`,
        'END:STANDARD',
        'END:VTIMEZONE',
        ...eventOf(`UID:${at}`, 'DTSTART;TZID=Own:20260701T120000'),
      );
    });
    const { codes, occurrences } = readIcal(calendars.join(''), { window });
    expect(codes.filter((code) => code === 'timezones-too-many')).toHaveLength(1);
    expect(occurrences).toHaveLength(2_003);
  });

  it('of very many zones, times in those after the first 2000 float, which is reported once', () => {
    const zones = Array.from({ length: 2_003 }, (_, at) => `/maker-${at}/Europe/Lisbon`);
    const lines = zones.flatMap((tzid, at) => eventOf(`UID:${at}`, `DTSTART;TZID=${tzid}:20260701T120000`));
    const { codes, occurrences } = readIcal(calendarOf(...lines), { window });
    const starts = occurrences.map((each) => each.split(/[ /]/)[1]);
    expect(codes).toEqual(['timezones-too-many']);
    expect(starts.filter((start) => start === '2026-07-01T11:00:00Z')).toHaveLength(2_000);
    expect(starts.filter((start) => start === '2026-07-01T10:00:00Z')).toHaveLength(3);
  });

  describe("with a VTIMEZONE that only covers the feed's own events", () => {
    // One winter of Central European Time, as a program writes it that has looked only at its own events.
    const winter = (tzid: string): readonly string[] =>
      timezone(tzid, ['+0200', '+0100', '20261025T030000'], ['+0100', '+0200', '20270328T020000']);
    const read = (...lines: readonly string[]): ReturnType<typeof readIcal> =>
      readIcal(calendarOf(...lines), { window });

    it('does not contradict an IANA zone', () => {
      expect(
        read(...winter('Europe/Berlin'), ...event('Europe/Berlin', '20260901'), ...event('Europe/Berlin', '20270401'))
          .codes,
      ).toEqual([]);
    });

    it('contradicts it if an event lies where the VTIMEZONE is wrong', () => {
      expect(
        read(...winter('Europe/Berlin'), ...event('Europe/Berlin', '20260110'), ...event('Europe/Berlin', '20270401'))
          .codes,
      ).toEqual(['timezone-contradiction']);
    });

    it('contradicts it if a series goes on to where the VTIMEZONE is wrong', () => {
      const weekly = eventOf('DTSTART;TZID=Europe/Berlin:20260901T200000', 'RRULE:FREQ=WEEKLY');
      const shorter = timezone('Europe/Berlin', ['+0200', '+0100', '20261025T030000']);
      expect(read(...shorter, ...weekly).codes).toEqual(['timezone-contradiction']);
      expect(
        read(
          ...shorter,
          ...weekly
            .toSpliced(-1, 1, 'EXDATE:20260908T180000Z', 'END:VEVENT')
            .map((line) => line.replace('WEEKLY', 'WEEKLY;COUNT=20')),
        ).codes,
      ).toEqual([]);
    });

    it.each(['Europe/Warsaw', 'America/New_York', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Gaza'])(
      'our own VTIMEZONE of %s is right',
      (zone) => {
        const at = Date.UTC(2026, 8, 1);
        const tenYears = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2036, 0, 1) };
        expect(
          readIcal(calendarOf(...vtimezoneLines(zone, at, at), ...event(zone, '20260901')), { window: tenYears }).codes,
        ).toEqual([]);
      },
    );

    it('a private zone is shown as the IANA zone that it equals during the events', () => {
      const found = read(...winter('Our zone'), ...event('Our zone', '20260901'), ...event('Our zone', '20270401'));
      expect(found.occurrences.map((each) => each.slice(9, 29))).toEqual([
        '2026-09-01T18:00:00Z',
        '2027-04-01T18:00:00Z',
      ]);
      expect(localNames(found)).toEqual(['Europe/Warsaw', 'Europe/Warsaw']);
      expect(found.codes).toEqual([]);
    });

    it('a Windows name decides between equal IANA zones', () => {
      expect(
        localNames(
          read(
            ...winter('W. Europe Standard Time'),
            ...event('W. Europe Standard Time', '20260901'),
            ...event('W. Europe Standard Time', '20270401'),
          ),
        ),
      ).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    });

    it('a zone that equals none stays private, which is reported', () => {
      const odd = timezone('Our zone', ['+0017', '+0117', '20261025T030000']);
      const found = read(...odd, ...event('Our zone', '20260901'));
      expect([localNames(found), found.codes]).toEqual([[null], ['timezone-private']]);
    });

    it('a contradiction is not reported without an event in the window', () => {
      expect(
        read(...timezone('Europe/Berlin', ['+0500', '+0500', '19700101T000000']), ...event('Europe/Berlin', '20200901'))
          .codes,
      ).toEqual([]);
    });
  });

  it('an override with its zone in another case replaces its instance', () => {
    const zones = [...timezone('Europe/Madrid', ...BERLIN), ...timezone('Europe/lisbon', ...BERLIN)];
    const weekly = eventOf('DTSTART;TZID=Europe/Madrid:20270111T200000', 'RRULE:FREQ=WEEKLY;COUNT=3');
    const { occurrences, codes } = readIcal(
      calendarOf(
        ...zones,
        ...weekly,
        ...eventOf('RECURRENCE-ID;TZID=Europe/lisbon:20270118T200000', 'DTSTART;TZID=Europe/lisbon:20270119T200000'),
      ),
    );
    expect(occurrences.map((each) => each.slice(2, 38))).toEqual([
      '20270111T200000 2027-01-11T19:00:00Z',
      '20270118T200000 2027-01-19T19:00:00Z',
      '20270125T200000 2027-01-25T19:00:00Z',
    ]);
    expect(codes).toEqual([]);
  });

  it("the source's zone overrides X-WR-TIMEZONE", () => {
    expect(
      readIcal(calendarOf('X-WR-TIMEZONE:America/New_York', ...eventOf('DTSTART:20260701T120000')), {
        timezone: 'Asia/Tokyo',
      }).occurrences,
    ).toEqual(['a 2026-07-01T03:00:00Z/2026-07-01T03:00:00Z']);
  });

  it('a private zone is right before and after its clock change', () => {
    const lines = [
      ...timezone('Odd', ['+0017', '+0117', '20260401T000000'], ['+0117', '+0017', '20260901T000000']),
      ...eventOf('DTSTART;TZID=Odd:20260301T120000', 'RRULE:FREQ=MONTHLY;BYMONTH=3,6,10;COUNT=3'),
    ];
    expect(readIcal(calendarOf(...lines), { window }).occurrences.map((each) => each.slice(18, 38))).toEqual([
      '2026-03-01T11:43:00Z',
      '2026-06-01T10:43:00Z',
      '2026-10-01T11:43:00Z',
    ]);
  });
});

const at10 = (uid: string, zone = ''): readonly string[] => eventOf(`UID:${uid}`, `DTSTART${zone}:20270104T100000`);
const local = (offset: string): readonly string[] => timezone('Local', [offset, offset, '19700101T000000']);
const startsOf = (...calendars: readonly (readonly string[])[]): readonly string[] =>
  readIcal(calendars.map((lines) => calendarOf(...lines)).join('')).occurrences.map((each) => each.slice(0, 22));

const told = (...feeds: readonly string[]): readonly unknown[] =>
  feeds
    .flatMap((feed) => readIcal(feed).expansion.occurrences)
    .map(({ event: { uid, status }, recurrenceId, startsAt, endsAt, zone, floating }) => {
      const times = [recurrenceId, startsAt, endsAt, zone.name, floating];
      return JSON.stringify([uid, status, ...times]);
    })
    .toSorted();

describe('several VCALENDARs in one feed', () => {
  it('a TZID means what its own VCALENDAR describes', () => {
    expect(
      startsOf(
        [...timezone('Local', ...BERLIN), ...at10('a', ';TZID=Local')],
        [...local('-0500'), ...at10('b', ';TZID=Local')],
        [...local('-0500'), ...at10('c', ';TZID=Local')],
      ),
    ).toEqual(['a 2027-01-04T09:00:00Z', 'b 2027-01-04T15:00:00Z', 'c 2027-01-04T15:00:00Z']);
  });

  it('a TZID without a description in its own VCALENDAR means the first description elsewhere', () => {
    expect(
      startsOf(at10('a', ';TZID=Local'), [...local('-0500'), ...at10('b', ';TZID=Local')], at10('c', ';TZID=Local')),
    ).toEqual(['a 2027-01-04T15:00:00Z', 'b 2027-01-04T15:00:00Z', 'c 2027-01-04T15:00:00Z']);
  });

  it("floating times take the X-WR-TIMEZONE of their own VCALENDAR, else the first one's", () => {
    expect(
      startsOf(
        ['X-WR-TIMEZONE:Europe/Berlin', ...at10('a')],
        ['X-WR-TIMEZONE:America/New_York', ...at10('b')],
        at10('c'),
      ),
    ).toEqual(['a 2027-01-04T09:00:00Z', 'c 2027-01-04T09:00:00Z', 'b 2027-01-04T15:00:00Z']);
  });

  it('an override in another VCALENDAR than its series uses the zones of its own', () => {
    const [, moved] = readIcal(
      calendarOf(...local('-0500'), ...eventOf('DTSTART;TZID=Local:20270104T100000', 'RRULE:FREQ=DAILY;COUNT=2')) +
        calendarOf(
          ...local('+0300'),
          ...eventOf('RECURRENCE-ID;TZID=Local:20270105T180000', 'DTSTART;TZID=Local:20270105T120000'),
        ),
    ).occurrences;
    expect(moved).toBe('a 20270105T100000 2027-01-05T09:00:00Z/2027-01-05T09:00:00Z');
  });

  it('thousands with the same VTIMEZONEs share one reading of them', () => {
    const lines = [...timezone('Local', ...BERLIN), ...timezone('Europe/Berlin', ...BERLIN)];
    const feed = Array.from({ length: 3_000 }, (_, at) => calendarOf(...lines, ...at10(`${at}`, ';TZID=Local')));
    const { expansion, codes } = readIcal(feed.join(''));
    expect([expansion.occurrences.length, expansion.zones.described.length, codes]).toEqual([3_000, 1, []]);
  });

  it('give together what each gives alone, if each describes its zones', () => {
    const described = fc.constantFrom('-0500', '+0017', '+0300', '+0900');
    const own = fc.record({
      named: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Tokyo'),
      local: described,
      other: described,
      method: fc.constantFrom('METHOD:CANCEL', 'METHOD:PUBLISH', 'X-NOTE:none'),
      start: fc.constantFrom(
        'DTSTART:20270104T100000',
        'DTSTART;VALUE=DATE:20270104',
        'DTSTART;TZID=Local:20270104T100000',
        'DTSTART;TZID=Other:20270104T100000',
        'DTSTART:20270104T100000Z',
      ),
      more: fc.constantFrom(
        'X-NOTE:once',
        'RRULE:FREQ=DAILY;COUNT=3',
        'RDATE;TZID=Other:20270301T100000,20270302T100000',
        'RDATE;VALUE=PERIOD:20270301T100000/PT3H',
        'RRULE:FREQ=DAILY;COUNT=3\r\nEXDATE;TZID=Local:20270105T100000',
      ),
    });
    fc.assert(
      fc.property(fc.array(own, { minLength: 1, maxLength: 5 }), (calendars) => {
        const texts = calendars.map(({ named, local: offset, other, method, start, more }, index) =>
          calendarOf(
            method,
            `X-WR-TIMEZONE:${named}`,
            ...local(offset),
            ...timezone('Other', [other, other, '19700101T000000']),
            ...eventOf(`UID:${index}`, start, more),
          ),
        );
        expect(told(texts.join(''))).toEqual(told(...texts));
      }),
    );
  });
});
