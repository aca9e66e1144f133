import { expect, test } from 'vitest';
import { violationsOf } from '../../support/ical-check.ts';

const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Warsaw',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'END:VTIMEZONE',
];
const event = [
  'BEGIN:VEVENT',
  'UID:1@x',
  'DTSTAMP:20270101T000000Z',
  'DTSTART;TZID=Europe/Warsaw:20270110T180000',
  'SUMMARY:A',
  'END:VEVENT',
];
const calendar = (lines: readonly string[]): Buffer =>
  Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
const swap = (from: string, ...to: readonly string[]): Buffer =>
  calendar([...zone, ...event].flatMap((line) => (line.startsWith(from) ? to : [line])));

test('a correct calendar has no violations', () => expect(violationsOf(calendar([...zone, ...event]))).toEqual([]));

test.each<[string, Buffer]>([
  ['a missing UID', swap('UID')],
  ['two SUMMARYs', swap('SUMMARY', 'SUMMARY:A', 'SUMMARY:B')],
  ['DTSTAMP without Z', swap('DTSTAMP', 'DTSTAMP:20270101T000000')],
  ['an unescaped comma', swap('SUMMARY', 'SUMMARY:a, b')],
  ['a zone that is not defined', calendar(event)],
  ['a floating time', swap('DTSTART;', 'DTSTART:20270110T180000')],
  ['an end before the start', swap('SUMMARY', 'DTEND;TZID=Europe/Warsaw:20270110T170000')],
  ['an end of another type', swap('SUMMARY', 'DTEND;VALUE=DATE:20270111')],
  ['a long line', swap('SUMMARY', `SUMMARY:${'a'.repeat(80)}`)],
  [
    'a fold within a character',
    Buffer.concat([
      calendar([]).subarray(0, -15),
      Buffer.from('X-A:'),
      Buffer.from('ż').subarray(0, 1),
      Buffer.from('\r\n '),
      Buffer.from('ż').subarray(1),
      Buffer.from('\r\nEND:VCALENDAR\r\n'),
    ]),
  ],
  [
    'a bare line feed',
    Buffer.from(
      calendar([...zone, ...event])
        .toString()
        .replaceAll('\r\n', '\n'),
    ),
  ],
  ['something before the calendar', Buffer.concat([Buffer.from(' '), calendar(zone)])],
  ['a UID twice', calendar([...zone, ...event, ...event])],
  ['an unknown property', swap('SUMMARY', 'FOO:x')],
  ['a colour in hexadecimal digits', calendar(['COLOR:#3366cc', ...zone])],
  ['a refresh interval without its type', calendar(['REFRESH-INTERVAL:PT1H', ...zone])],
  ['an unbalanced component', swap('END:VEVENT')],
  ['a zone without observances', calendar([zone[0]!, zone[1]!, zone.at(-1)!])],
  ['a malformed GEO', swap('SUMMARY', 'GEO:1,2')],
  ['a URI with a space', swap('SUMMARY', 'URL:https://e.example/a b')],
  ['no component', calendar([])],
])('%s is a violation', (_name, broken) => expect(violationsOf(broken)).not.toEqual([]));
