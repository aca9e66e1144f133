import { expect, test } from 'vitest';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { calendarOf, readIcal } from '../../support/read-ical.ts';

// `event` begins at line 4; what is broken is at the line that the problem names, and the rest is read.
const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTART:20270110T180000Z', 'SUMMARY:Jazz', 'END:VEVENT'];
const withLines = (...lines: readonly string[]): readonly string[] => [...event.slice(0, 4), ...lines, 'END:VEVENT'];

test.each<[string, readonly string[], readonly [code: string, line: number, message: string], string]>([
  [
    'an event inside which the next one begins',
    [...event.slice(0, 4), ...event],
    ['component-not-ended', 8, 'A VEVENT begins inside another: the first one has no END.'],
    'a a',
  ],
  [
    'an alarm without an end',
    withLines('BEGIN:VALARM', 'ACTION:DISPLAY'),
    ['component-not-ended', 8, 'The VALARM that begins here has no END.'],
    'a',
  ],
  ['an END too many', [...event, 'END:VEVENT'], ['end-without-begin', 9, 'END:VEVENT has no matching BEGIN.'], 'a'],
  [
    'an event without a start',
    [...event, 'BEGIN:VEVENT', 'UID:b', 'END:VEVENT'],
    ['event-without-start', 9, 'This event has no DTSTART and was left out.'],
    'a',
  ],
  [
    'a duration in words',
    withLines('DURATION:two hours'),
    ['duration-unreadable', 8, 'DURATION is not a valid duration: "two hours"; the event was given no length.'],
    'a',
  ],
  [
    'two starts',
    withLines('DTSTART:20270111T180000Z'),
    ['property-repeated', 8, 'DTSTART appears 2 times; the first readable one is used.'],
    'a',
  ],
  [
    'a line that was not folded',
    withLines('at the club'),
    ['line-not-folded', 8, 'This line has no name; it was read as part of SUMMARY.'],
    'a',
  ],
  [
    'a line that is not a content line',
    [...event.slice(0, 3), 'at the club', ...event.slice(3)],
    ['line-unreadable', 7, 'This line is not a content line (NAME:value) and was skipped.'],
    'a',
  ],
  [
    'a rule too many',
    withLines(...Array.from({ length: 21 }, () => 'RRULE:FREQ=DAILY;COUNT=1')),
    ['too-many-rules', 28, '21 RRULE lines in one event; only the first 20 were read.'],
    'a',
  ],
  [
    'a date too many',
    withLines(`RDATE:${'20270110T180000Z,'.repeat(50_001)}`),
    ['too-many-dates', 8, 'More than 50,000 RDATE values in one event; the rest were not read.'],
    'a',
  ],
])('reports %s', (_, lines, [code, line, message], uids) => {
  const { value, problems } = parseCalendar(calendarOf(...lines));
  expect(problems.map((problem) => [problem.code, problem.where?.line, problem.message])).toEqual([
    [code, line, message],
  ]);
  expect(value.events.map(({ uid }) => uid).join(' ')).toBe(uids);
});

test('a changed instance without its series is read by itself', () => {
  const { occurrences, codes } = readIcal(calendarOf(...withLines('RECURRENCE-ID:20270109T180000Z')));
  expect([occurrences.length, codes]).toEqual([1, ['override-without-series']]);
});
