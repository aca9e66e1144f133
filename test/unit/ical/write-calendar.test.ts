import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { addZones, CALENDAR_END, calendarStart, type CalendarHeader } from '../../../src/ical/write/write-calendar.ts';
import {
  eventText,
  isMailbox,
  type CalendarContent,
  type PublishedEvent,
  type CalendarTime,
} from '../../../src/ical/write/write-event.ts';
import { cleanText, oneLine, uriValue } from '../../../src/ical/write/write-lines.ts';
import { anyEvent } from '../../support/calendars.ts';
import { violationsOf } from '../../support/ical-check.ts';
import { repetitions } from '../../support/repetitions.ts';

const at = Date.UTC(2027, 0, 10, 17);
const plain: CalendarContent = {
  title: 'Jazz',
  start: { kind: 'utc', at },
  status: 'CONFIRMED',
  contacts: [],
  categories: [],
};
const event = (content: Partial<CalendarContent>): PublishedEvent => ({
  uid: 'abc@calsyncd',
  sequence: 7,
  modifiedAt: Date.UTC(2026, 10, 2, 9),
  content: { ...plain, ...content },
});
const writtenAs = (header: CalendarHeader, events: readonly PublishedEvent[]): string => {
  const spans = new Map<string, { from: number; to: number }>();
  for (const one of events) addZones(spans, one);
  return [calendarStart(header, spans), ...events.map(eventText), CALENDAR_END].join('');
};
const written = (...events: PublishedEvent[]): string => writtenAs({ name: 'All' }, events);
const linesOf = (content: Partial<CalendarContent>): readonly string[] => {
  const text = written(event(content));
  expect(violationsOf(Buffer.from(text))).toEqual([]);
  return text.replaceAll('\r\n ', '').split('\r\n');
};

test('a complete event', () => {
  const lines = linesOf({
    start: { kind: 'zoned', wall: '2027-01-10 18:00:00', zone: 'Europe/Warsaw', at },
    end: { kind: 'zoned', wall: '2027-01-10 20:00:00', zone: 'Europe/Warsaw', at: at + 7_200_000 },
    created: Date.UTC(2026, 10, 1, 9),
    description: 'Doors at 19:00.\nBring friends.',
    descriptionHtml: '<b>Doors</b>',
    location: 'Hall, Street 1, City',
    status: 'CANCELLED',
    place: { title: 'Hall', address: 'Street 1, City', latitude: 0, longitude: -21.0000001 },
    organizer: { name: 'Jazz "Society"', email: 'info@jazz.example' },
    contacts: ['Blues, Ltd'],
    categories: ['Rock, Roll', 'Jazz'],
    url: 'https://e.example/?a=1;b',
    image: { url: 'https://e.example/p.jpg', mediaType: 'image/jpeg' },
  });
  expect(lines.slice(lines.indexOf('BEGIN:VEVENT'))).toEqual([
    'BEGIN:VEVENT',
    'UID:abc@calsyncd',
    'SEQUENCE:7',
    'DTSTAMP:20261102T090000Z',
    'DTSTART;TZID=Europe/Warsaw:20270110T180000',
    'DTEND;TZID=Europe/Warsaw:20270110T200000',
    'SUMMARY:Jazz',
    'TRANSP:TRANSPARENT',
    String.raw`LOCATION:Hall\, Street 1\, City`,
    String.raw`DESCRIPTION:Doors at 19:00.\nBring friends.`,
    'X-ALT-DESC;FMTTYPE=text/html:<b>Doors</b>',
    `ORGANIZER;CN="Jazz 'Society'":mailto:info@jazz.example`,
    String.raw`CATEGORIES:Rock\, Roll,Jazz`,
    'STATUS:CANCELLED',
    'CREATED:20261101T090000Z',
    'LAST-MODIFIED:20261102T090000Z',
    'CLASS:PUBLIC',
    'GEO:0;-21',
    'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Street 1, City";X-APPLE-RADIUS=100;X-TITLE="Hall":geo:0,-21',
    String.raw`CONTACT:Blues\, Ltd`,
    'URL:https://e.example/?a=1;b',
    'IMAGE;VALUE=URI;DISPLAY=FULLSIZE;FMTTYPE=image/jpeg:https://e.example/p.jpg',
    'ATTACH;FMTTYPE=image/jpeg:https://e.example/p.jpg',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test.each<[string, Partial<CalendarContent>, readonly string[], readonly RegExp[]]>([
  [
    'whole days',
    { start: { kind: 'date', day: '2027-01-10' }, end: { kind: 'date', day: '2027-01-12' } },
    ['DTSTART;VALUE=DATE:20270110', 'DTEND;VALUE=DATE:20270112'],
    [/TZID/],
  ],
  ['an instant', {}, ['DTSTART:20270110T170000Z'], [/DTEND/, /TZID/]],
  ['an organizer without a valid address', { organizer: { name: 'x', email: 'no address' } }, [], [/ORGANIZER/]],
  [
    'coordinates off the globe',
    { place: { title: 'x', address: '', latitude: 91, longitude: 0 } },
    [],
    [/GEO/, /STRUCTURED/],
  ],
  ['tiny coordinates', { place: { title: 'x', address: '', latitude: 1e-9, longitude: 1e-6 } }, ['GEO:0;0.000001'], []],
  [
    'a meeting and a price',
    { conference: { url: 'https://zoom.us/j/1?pwd="x', label: 'Zoom' }, cost: '10, 20' },
    ['CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL="Zoom":https://zoom.us/j/1?pwd=%22x', String.raw`X-COST:10\, 20`],
    [],
  ],
  [
    'addresses that are not web addresses',
    { url: 'javascript:x', image: { url: 'data:x' } },
    [],
    [/^URL/, /^IMAGE/, /^ATTACH/],
  ],
])('the lines of %s', (_name, content, present, absent) => {
  const lines = linesOf(content);
  expect(lines).toEqual(expect.arrayContaining([...present]));
  for (const pattern of absent) expect(lines.filter((line) => pattern.test(line))).toEqual([]);
});

test('the time zone of the machine does not matter', () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  try {
    expect(
      linesOf({
        start: { kind: 'zoned', wall: '2027-03-14 02:30:00', zone: 'Europe/Warsaw', at: Date.UTC(2027, 2, 14, 1, 30) },
      }),
    ).toContain('DTSTART;TZID=Europe/Warsaw:20270314T023000');
    expect(linesOf({ start: { kind: 'date', day: '2027-03-14' }, end: { kind: 'date', day: '2027-03-15' } })).toContain(
      'DTSTART;VALUE=DATE:20270314',
    );
  } finally {
    process.env['TZ'] = zone ?? 'UTC';
  }
});

test('no value can inject a property', () => {
  const evil = 'x\r\nATTENDEE:mailto:evil@e.example\r\nEND:VEVENT';
  const text = written({
    ...event({
      title: evil,
      location: evil,
      description: evil,
      descriptionHtml: evil,
      contacts: [evil],
      categories: [evil],
      url: `https://e.example/${evil}`,
      organizer: { name: evil, email: 'a@b.example' },
      place: { title: evil, address: evil, latitude: 1, longitude: 1 },
      image: { url: `https://e.example/${evil}`, mediaType: evil },
    }),
    uid: evil,
  });
  expect(violationsOf(Buffer.from(text))).toEqual([]);
  expect(text.replaceAll('\r\n ', '')).not.toMatch(/^(?:ATTENDEE|END:VEVENT.)/m);
  expect(text.match(/^END:VEVENT/gm)).toHaveLength(1);
});

test.each([
  ['Europe/Warsaw', true],
  ['America/Port-au-Prince', true],
  ['Etc/GMT+5', true],
  ['UTC', true],
  ['UTC+2', false],
  ['UTC-05:30', false],
  ['+02:00', false],
])('a calendar names the zone %s: %s', (timezone, isNamed) => {
  expect(writtenAs({ name: 'A', timezone }, [event({})]).includes(`X-WR-TIMEZONE:${timezone}`)).toBe(isNamed);
});

test('a complete calendar header', () => {
  const text = writtenAs(
    {
      name: 'Live; music',
      description: 'All\nof it',
      timezone: 'Europe/Warsaw',
      source: 'https://e.example/feeds/music.ics',
      url: 'https://e.example/',
      color: '#3366cc',
    },
    [event({})],
  );
  expect(violationsOf(Buffer.from(text))).toEqual([]);
  expect(text.slice(0, text.indexOf('BEGIN:VEVENT')).trimEnd().split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//calsyncd//calsyncd//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    String.raw`NAME:Live\; music`,
    String.raw`X-WR-CALNAME:Live\; music`,
    String.raw`DESCRIPTION:All\nof it`,
    String.raw`X-WR-CALDESC:All\nof it`,
    'X-WR-TIMEZONE:Europe/Warsaw',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'SOURCE;VALUE=URI:https://e.example/feeds/music.ics',
    'URL:https://e.example/',
    'COLOR:royalblue',
    'X-APPLE-CALENDAR-COLOR:#3366CC',
  ]);
});

test('ical.js reads back what was written, whatever is in it', () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(fc.stringMatching(/^[a-z2-7]{14}$/), { maxLength: 4 })
        .chain((keys) => fc.tuple(...keys.map((key) => anyEvent(`${key}@calsyncd`)))),
      (events) => {
        const text = written(...events);
        expect(violationsOf(Buffer.from(text)).filter((what) => what !== 'no component at all')).toEqual([]);
        expect(readByIcalJs(text)).toEqual(events.map(asRead));
      },
    ),
    { numRuns: repetitions(150) },
  );
});

/** What ical.js finds, in the form of `asRead`. */
function readByIcalJs(text: string): readonly unknown[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((zone) => [String(zone.getFirstPropertyValue('tzid')), new ICAL.Timezone(zone)]),
  );
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const value = (name: string): unknown => component.getFirstPropertyValue(name);
    const time = (name: string): unknown => {
      const property = component.getFirstProperty(name);
      const found = property?.getFirstValue() as ICAL.Time | undefined;
      if (!found) return undefined;
      const zone = zones.get(String(property?.getFirstParameter('tzid')));
      const digits = Date.UTC(found.year, found.month - 1, found.day, found.hour, found.minute, found.second);
      return found.isDate ? found.toString() : digits - (zone?.utcOffset(found) ?? 0) * 1000;
    };
    return {
      uid: value('uid'),
      sequence: value('sequence'),
      modifiedAt: time('last-modified'),
      stamp: time('dtstamp'),
      title: value('summary') ?? '',
      start: time('dtstart'),
      end: time('dtend'),
      status: value('status'),
      description: value('description') ?? '',
      location: value('location') ?? '',
      categories: component.getAllProperties('categories').flatMap((property) => property.getValues()),
      contacts: component.getAllProperties('contact').map((property) => property.getFirstValue()),
      organizer: value('organizer') ?? undefined,
      url: value('url') ?? undefined,
      image: value('image') ?? undefined,
    };
  });
}

function asRead({ uid, sequence, modifiedAt, content }: PublishedEvent): unknown {
  return {
    uid,
    sequence,
    modifiedAt,
    stamp: modifiedAt,
    title: oneLine(content.title),
    start: timeRead(content.start),
    end: timeRead(content.end),
    status: content.status,
    description: cleanText(content.description ?? '').trim(),
    location: oneLine(content.location ?? ''),
    categories: namesRead(content.categories),
    contacts: namesRead(content.contacts),
    organizer: isMailbox(content.organizer?.email ?? '') ? `mailto:${content.organizer?.email}` : undefined,
    url: uriValue(content.url ?? ''),
    image: uriValue(content.image?.url ?? ''),
  };
}

const timeRead = (time: CalendarTime | undefined): unknown => (time?.kind === 'date' ? time.day : time?.at);

const namesRead = (names: readonly string[]): readonly string[] => names.map(oneLine).filter((name) => name !== '');
