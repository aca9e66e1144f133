import { expect, it } from 'vitest';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { calendarOf, eventOf, readIcal } from '../../support/read-ical.ts';

// What node-ical 0.27 loses or corrupts by itself, each with the smallest calendar that shows it.
const ONE = 'a 2026-05-01T10:00:00Z/2026-05-01T10:00:00Z';

it.each<readonly [defect: string, text: string, occurrences: readonly string[]]>([
  [
    'a bad rule lost the whole feed',
    calendarOf(
      ...eventOf('UID:bad', 'DTSTART:20260501T100000Z', 'RRULE:FREQ=FORTNIGHTLY'),
      ...eventOf('DTSTART:20260501T100000Z'),
    ),
    [ONE, 'bad 20260501T100000 2026-05-01T10:00:00Z/2026-05-01T10:00:00Z'],
  ],
  [
    'a second DTSTART lost the whole feed',
    calendarOf(...eventOf('DTSTART:20260501T100000Z', 'DTSTART:20260601T100000Z')),
    [ONE],
  ],
  [
    'the first of two VCALENDARs was lost',
    calendarOf(...eventOf('DTSTART:20260501T100000Z')) + calendarOf(...eventOf('UID:b', 'DTSTART:20260502T100000Z')),
    [ONE, 'b 2026-05-02T10:00:00Z/2026-05-02T10:00:00Z'],
  ],
  [
    "a TZID of the feed's own was ignored",
    calendarOf(
      'BEGIN:VTIMEZONE',
      'TZID:Here',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0330',
      'TZOFFSETTO:+0330',
      'END:STANDARD',
      'END:VTIMEZONE',
      ...eventOf('DTSTART;TZID=Here:20260501T133000'),
    ),
    [ONE],
  ],
  [
    'one of two events with one UID was lost',
    calendarOf(
      ...eventOf('DTSTART:20260501T100000Z', 'SUMMARY:one'),
      ...eventOf('DTSTART:20260503T100000Z', 'SUMMARY:two'),
    ),
    [ONE, 'a 2026-05-03T10:00:00Z/2026-05-03T10:00:00Z'],
  ],
  [
    'RDATE was not expanded',
    calendarOf(...eventOf('DTSTART:20260501T100000Z', 'RDATE:20260601T100000Z,20260701T100000Z')),
    ['20260501T100000 2026-05-01', '20260601T100000 2026-06-01', '20260701T100000 2026-07-01'].map(
      (each) => `a ${each}T10:00:00Z/${each.slice(16)}T10:00:00Z`,
    ),
  ],
  [
    'an override of an RDATE was ignored',
    calendarOf(
      ...eventOf('DTSTART:20260501T100000Z', 'RDATE:20260601T100000Z'),
      ...eventOf('RECURRENCE-ID:20260601T100000Z', 'DTSTART:20260602T120000Z'),
    ),
    [
      'a 20260501T100000 2026-05-01T10:00:00Z/2026-05-01T10:00:00Z',
      'a 20260601T100000 2026-06-02T12:00:00Z/2026-06-02T12:00:00Z',
    ],
  ],
  [
    'the first of two RRULEs was lost',
    calendarOf(...eventOf('DTSTART;VALUE=DATE:20260501', 'RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=YEARLY;COUNT=2')),
    ['a 20260501 2026-05-01/2026-05-02', 'a 20260502 2026-05-02/2026-05-03', 'a 20270501 2027-05-01/2027-05-02'],
  ],
  [
    'RANGE=THISANDFUTURE moved one instance only',
    calendarOf(
      ...eventOf('DTSTART:20260501T100000Z', 'RRULE:FREQ=DAILY;COUNT=3'),
      ...eventOf('RECURRENCE-ID;RANGE=THISANDFUTURE:20260502T100000Z', 'DTSTART:20260502T120000Z', 'DURATION:PT1H'),
    ),
    [
      'a 20260501T100000 2026-05-01T10:00:00Z/2026-05-01T10:00:00Z',
      'a 20260502T100000 2026-05-02T12:00:00Z/2026-05-02T13:00:00Z',
      'a 20260503T100000 2026-05-03T12:00:00Z/2026-05-03T13:00:00Z',
    ],
  ],
  [
    'all but one of the overrides without their series were lost',
    calendarOf(
      ...eventOf('RECURRENCE-ID:20260501T100000Z', 'DTSTART:20260501T110000Z'),
      ...eventOf('RECURRENCE-ID:20260502T100000Z', 'DTSTART:20260502T110000Z'),
    ),
    [
      'a 20260501T100000 2026-05-01T11:00:00Z/2026-05-01T11:00:00Z',
      'a 20260502T100000 2026-05-02T11:00:00Z/2026-05-02T11:00:00Z',
    ],
  ],
  ['an empty parameter lost the line', calendarOf(...eventOf('DTSTART;X-A=:20260501T100000Z')), [ONE]],
  ['a stray CR lost the line', calendarOf(...eventOf('UID:a\r', 'DTSTART:20260501T100000Z\r')), [ONE]],
  [
    'events without UID got a random one',
    calendarOf('BEGIN:VEVENT', 'DTSTART:20260501T100000Z', 'END:VEVENT'),
    ['- 2026-05-01T10:00:00Z/2026-05-01T10:00:00Z'],
  ],
  ['a UID with a parameter became an object', calendarOf(...eventOf('UID;X-A=b:a', 'DTSTART:20260501T100000Z')), [ONE]],
  [
    'a UID could name a property of the result',
    calendarOf(...eventOf('UID:__proto__', 'DTSTART:20260501T100000Z'), ...eventOf('DTSTART:20260501T100000Z')),
    ['__proto__ 2026-05-01T10:00:00Z/2026-05-01T10:00:00Z', ONE],
  ],
  [
    'impossible dates rolled over',
    calendarOf(
      ...eventOf('UID:b', 'DTSTART:20260230T100000Z'),
      ...eventOf('UID:c', 'DTSTART:20260501T250000Z'),
      ...eventOf('DTSTART:20260501T100000Z'),
    ),
    [ONE],
  ],
  [
    'an override could not change a day into a time',
    calendarOf(
      ...eventOf('DTSTART;VALUE=DATE:20260501', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...eventOf('RECURRENCE-ID;VALUE=DATE:20260502', 'DTSTART:20260502T150000Z'),
    ),
    ['a 20260501 2026-05-01/2026-05-02', 'a 20260502 2026-05-02T15:00:00Z/2026-05-02T15:00:00Z'],
  ],
  [
    'BYHOUR multiplied whole days',
    calendarOf(...eventOf('DTSTART;VALUE=DATE:20260501', 'RRULE:FREQ=DAILY;COUNT=2;BYHOUR=9,10')),
    ['a 20260501 2026-05-01/2026-05-02', 'a 20260502 2026-05-02/2026-05-03'],
  ],
  [
    'INTERVAL before FREQ was lost',
    calendarOf(...eventOf('DTSTART;VALUE=DATE:20260501', 'RRULE:INTERVAL=2;COUNT=2;FREQ=WEEKLY')),
    ['a 20260501 2026-05-01/2026-05-02', 'a 20260515 2026-05-15/2026-05-16'],
  ],
  [
    'names in lower case were not recognized',
    calendarOf('begin:vevent', 'uid:a', 'dtstart:20260501t100000z', 'end:vevent'),
    [ONE],
  ],
  [
    'a byte order mark inside lost an event',
    calendarOf(...eventOf('DTSTART:20260501T100000Z')).replace('BEGIN:VEVENT', '\uFEFFBEGIN:VEVENT'),
    [ONE],
  ],
  [
    'line ends of CR alone gave no events',
    calendarOf(...eventOf('DTSTART:20260501T100000Z')).replaceAll('\r\n', '\r'),
    [ONE],
  ],
  [
    'floating times borrowed the zone of any VTIMEZONE',
    calendarOf(
      'BEGIN:VTIMEZONE',
      'TZID:America/New_York',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:-0500',
      'TZOFFSETTO:-0500',
      'END:STANDARD',
      'END:VTIMEZONE',
      ...eventOf('DTSTART:20260501T120000'),
    ),
    [ONE],
  ],
  ['an HTML page gave garbage', '<!DOCTYPE html><html><body>Sign in</body></html>', []],
  [
    'a time that a clock change skips was left out',
    calendarOf(...eventOf('DTSTART;TZID=Europe/Berlin:20260328T023000', 'RRULE:FREQ=DAILY;COUNT=3')),
    [
      'a 20260328T023000 2026-03-28T01:30:00Z/2026-03-28T01:30:00Z',
      'a 20260329T023000 2026-03-29T01:30:00Z/2026-03-29T01:30:00Z',
      'a 20260330T023000 2026-03-30T00:30:00Z/2026-03-30T00:30:00Z',
    ],
  ],
  [
    'the second occurrence of a repeated hour was taken',
    calendarOf(...eventOf('DTSTART;TZID=Europe/Berlin:20261025T023000')),
    ['a 2026-10-25T00:30:00Z/2026-10-25T00:30:00Z'],
  ],
  [
    'week 53 of a rule gave the first week',
    calendarOf(...eventOf('DTSTART;VALUE=DATE:20260501', 'RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=FR;COUNT=2')),
    ['a 20260501 2026-05-01/2026-05-02', 'a 20270101 2027-01-01/2027-01-02'],
  ],
])('does not have the defect of node-ical: %s', (_, text, occurrences) => {
  expect(readIcal(text).occurrences).toEqual(occurrences);
});

it.each([
  ['an escaped backslash before an n is not a line break', 'DESCRIPTION:C:\\\\new', 'DESCRIPTION', 'C:\\new'],
  ['quotation marks around a text belong to it', 'SUMMARY:"quoted"', 'SUMMARY', '"quoted"'],
  [
    'quotation marks after TZID= in a text stay',
    'DESCRIPTION:set TZID="Europe/Berlin"',
    'DESCRIPTION',
    'set TZID="Europe/Berlin"',
  ],
  ['a line separator (U+2028) is text', 'SUMMARY:one\u2028two', 'SUMMARY', 'one\u2028two'],
  ['parameters do not change the type of a value', 'LOCATION;ALTREP="cid:a;b";LANGUAGE=en:Hall', 'LOCATION', 'Hall'],
  ['escapes', 'SUMMARY:a\\, b\\; c\\nd\\Ne\\\\', 'SUMMARY', 'a, b; c\nd\ne\\'],
  ['escapes of characters that need none', 'SUMMARY:\\"Jazz\\" at six\\: free', 'SUMMARY', '"Jazz" at six: free'],
  ['an escaped backslash before a quotation mark', 'SUMMARY:C:\\\\"a', 'SUMMARY', 'C:\\"a'],
  ['extensions (X-) keep their names', 'X-ALT-DESC;FMTTYPE=text/html:<p>x</p>', 'X-ALT-DESC', '<p>x</p>'],
  ['quoted-printable of vCalendar 1.0', 'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9', 'SUMMARY', 'Café'],
  ['quoted-printable without a charset', 'SUMMARY;ENCODING=QUOTED-PRINTABLE:J=FCrgen', 'SUMMARY', 'Jürgen'],
  ['quoted-printable without ENCODING=', 'SUMMARY;QUOTED-PRINTABLE:Caf=C3=A9', 'SUMMARY', 'Café'],
  ['a soft line break inside a fold', 'SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=\r\n =C3=A9', 'SUMMARY', 'Café'],
])('reads texts correctly: %s', (_, line, name, text) => {
  expect(
    parseCalendar(calendarOf(...eventOf('DTSTART:20260501T100000Z', line))).value.events[0]?.texts[name]?.[0]?.text,
  ).toBe(text);
});

it('properties of the same name keep their order and their own parameters', () => {
  const [event] = parseCalendar(
    calendarOf(
      ...eventOf(
        'DTSTART:20260501T100000Z',
        'ATTACH;FMTTYPE=image/png:https://x.example/1.png',
        'ATTACH:https://x.example/2',
        'CATEGORIES:Art\\, modern,Music',
        'CATEGORIES:Talk',
        'GEO:52.2;21.0',
        'SEQUENCE:3',
      ),
    ),
  ).value.events;
  expect(event?.texts['ATTACH']).toMatchObject([
    { text: 'https://x.example/1.png', parameters: { FMTTYPE: 'image/png' } },
    { text: 'https://x.example/2' },
  ]);
  expect(event).toMatchObject({
    categories: ['Art, modern', 'Music', 'Talk'],
    geo: { lat: 52.2, lon: 21 },
    sequence: 3,
  });
});
