import { describe, expect, it } from 'vitest';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { ruleFromFirstVersion } from '../../../src/ical/read/first-version/rule.ts';
import { readIcal } from '../../support/read-ical.ts';

const calendarOf = (version: string, ...lines: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    `VERSION:${version}`,
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTART:20260501T100000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

describe('a rule of vCalendar 1.0', () => {
  it.each([
    ['D1 #10', 'FREQ=DAILY;INTERVAL=1;COUNT=10'],
    ['D2 20260530T000000Z', 'FREQ=DAILY;INTERVAL=2;UNTIL=20260530T000000Z'],
    ['W1 MO TU 20260601', 'FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TU;UNTIL=20260601'],
    ['W2 #0', 'FREQ=WEEKLY;INTERVAL=2'],
    ['w1 fr', 'FREQ=WEEKLY;INTERVAL=1;BYDAY=FR;COUNT=2'],
    ['MP1 1+ FR #0', 'FREQ=MONTHLY;INTERVAL=1;BYDAY=1FR'],
    ['MP2 1+ 2- MO TU #6', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,-2MO,1TU,-2TU;COUNT=6'],
    ['MP1 1+ MO 1- FR #0', 'FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO,-1FR'],
    ['MD1 1 15+ 2- LD #4', 'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=1,15,-2,-1;COUNT=4'],
    ['YM1 6 7 #8', 'FREQ=YEARLY;INTERVAL=1;BYMONTH=6,7;COUNT=8'],
    ['YD1 1 100 #5', 'FREQ=YEARLY;INTERVAL=1;BYYEARDAY=1,100;COUNT=5'],
  ])('%s is %s', (written, rule) => {
    expect(ruleFromFirstVersion(written)).toBe(rule);
  });

  it.each(['FREQ=DAILY', '', 'D', 'D1 0600 #2', 'MP1 FR #2', 'MP1 1+ #2', 'YM1 6 MP1 1+ SU #2', 'M5', 'W1 XX'])(
    'is not %s',
    (written) => {
      expect(ruleFromFirstVersion(written)).toBeUndefined();
    },
  );
});

describe('a calendar of vCalendar 1.0', () => {
  it('is expanded without the dates that EXDATE and XRULE exclude', () => {
    const text = calendarOf('1.0', 'RRULE:D1 #5', 'EXDATE:20260502T100000Z;20260504T100000Z', 'XRULE:D4 #5');
    expect(readIcal(text).occurrences.map((each) => each.slice(2, 10))).toEqual(['20260503']);
  });

  it.each([
    ['1.0', 'Music;Arts, crafts', ['Music', 'Arts, crafts']],
    ['1.0', 'Music,Arts', ['Music', 'Arts']],
    ['2.0', 'Music;Arts', ['Music;Arts']],
  ])('%s: CATEGORIES:%s', (version, written, categories) => {
    expect(parseCalendar(calendarOf(version, `CATEGORIES:${written}`)).value.events[0]?.categories).toEqual(categories);
  });
});
