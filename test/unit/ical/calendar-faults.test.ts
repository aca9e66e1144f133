import { describe, expect, it } from 'vitest';
import { calendarFaults } from '../../../src/ical/read/calendar-faults.ts';

const HEAD = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN'];
const START = 'DTSTART:20270110T180000Z';
const EVENT = ['UID:a', 'DTSTAMP:20261101T000000Z', 'SEQUENCE:1'];
const textOf = (lines: readonly string[], head: readonly string[] = HEAD): string =>
  [...head, 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const faultsOf = (text: string, bytes = text.length): readonly string[] =>
  calendarFaults(text, bytes).map(({ code, where: { line } }) => `${code} ${line ?? '-'}`);
const ofEvent = (...lines: readonly string[]): readonly string[] =>
  faultsOf(textOf([...EVENT, ...(lines.some((line) => line.startsWith('DTSTART')) ? [] : [START]), ...lines]));

describe('what other programs stumble over', () => {
  it('is not reported for a feed without faults', () => {
    expect(
      ofEvent(
        'DTEND:20270110T190000Z',
        'SUMMARY:a < b',
        'DESCRIPTION:plain',
        'RRULE:FREQ=MONTHLY;BYDAY=1MO;UNTIL=20270601T000000Z',
      ),
    ).toEqual([]);
    expect(
      faultsOf(
        textOf(
          [...EVENT, 'DTSTART;VALUE=DATE:20270110', 'DTEND;VALUE=DATE:20270111'],
          [...HEAD, 'REFRESH-INTERVAL;VALUE=DURATION:PT1H'],
        ),
      ),
    ).toEqual([]);
    expect(faultsOf([...HEAD, 'END:VCALENDAR', ''].join('\r\n'))).toEqual([]);
  });

  it.each([
    ['a blank line first', `\r\n${textOf([...EVENT, START])}`, ['begin-not-first 1']],
    ['line ends of LF', textOf([...EVENT, START]).replaceAll('\r\n', '\n'), ['line-ends -']],
    ['lines of more than 75 octets', textOf([...EVENT, START, `SUMMARY:${'ż'.repeat(34)}`]), ['line-long 9']],
    ['no VERSION and no PRODID', textOf([...EVENT, START], ['BEGIN:VCALENDAR']), ['head-missing 1']],
    [
      'a REFRESH-INTERVAL in the wrong form',
      textOf([...EVENT, START], [...HEAD, 'REFRESH-INTERVAL:VALUE=DURATION:PT1H']),
      ['refresh-form 4'],
    ],
    ['no SEQUENCE and no LAST-MODIFIED', textOf(['UID:a', 'DTSTAMP:20261101T000000Z', START]), ['revision-missing 4']],
    ['no UID and no DTSTAMP', textOf(['SEQUENCE:1', START]), ['uid-missing 4', 'dtstamp-missing 4']],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('a feed of more than a megabyte', () => {
    expect(faultsOf(textOf([...EVENT, START]), 1_000_001)).toEqual(['feed-heavy -']);
  });

  it.each([
    ['a TZID without its VTIMEZONE', ['DTSTART;TZID=Europe/Warsaw:20270110T180000'], ['timezone-undescribed 8']],
    ['no zone', ['DTSTART:20270110T180000'], ['times-floating 4']],
    ['a date without VALUE=DATE', ['DTSTART:20270110'], ['date-undeclared 8']],
    ['an end of another type than the start', [START, 'DTEND;VALUE=DATE:20270111'], ['end-of-other-kind 9']],
    [
      'whole days that end on the day on which they start',
      ['DTSTART;VALUE=DATE:20270110', 'DTEND;VALUE=DATE:20270110'],
      ['end-is-start 9'],
    ],
    ['HTML in the description', [START, 'DESCRIPTION:<p>One</p>'], ['html-in-description 9']],
    ['an RDATE without an RRULE', [START, 'RDATE:20270117T180000Z'], ['rdate-alone 9']],
    ['two weekdays of a month', [START, 'RRULE:FREQ=MONTHLY;BYDAY=1MO,3MO'], ['rule-rare 9']],
  ])('%s', (_, lines, faults) => {
    expect(ofEvent(...lines)).toEqual(faults);
  });

  it('an UNTIL in local time', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Warsaw', 'END:VTIMEZONE'];
    expect(
      faultsOf(
        textOf(
          [...EVENT, 'DTSTART;TZID=Europe/Warsaw:20270110T180000', 'RRULE:FREQ=DAILY;UNTIL=20270112T180000'],
          [...HEAD, ...zone],
        ),
      ),
    ).toEqual(['until-not-utc 12']);
  });
});
