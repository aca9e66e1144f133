import { expect, test } from 'vitest';
import { calendarTimesOf } from '../../../src/feeds/content/calendar-times.ts';

const timesOf = (
  start_date: string,
  end_date: string,
  timezone: string,
  more: { all_day?: boolean; utc_start_date?: string; utc_end_date?: string } = {},
) => calendarTimesOf({ all_day: false, start_date, end_date, timezone, utc_start_date: '', utc_end_date: '', ...more });
const at = (iso: string): number => Date.parse(iso);

test.each<[string, ReturnType<typeof timesOf>, unknown]>([
  [
    'a zoned time',
    timesOf('2027-01-10 18:00:00', '2027-01-10 20:00:00', 'Europe/Warsaw'),
    {
      start: { kind: 'zoned', wall: '2027-01-10 18:00:00', zone: 'Europe/Warsaw', at: at('2027-01-10T17:00:00Z') },
      end: { kind: 'zoned', wall: '2027-01-10 20:00:00', zone: 'Europe/Warsaw', at: at('2027-01-10T19:00:00Z') },
    },
  ],
  [
    'a zone in another case',
    timesOf('2027-01-10 18:00:00', '2027-01-10 18:00:00', 'europe/warsaw'),
    { start: { kind: 'zoned', wall: '2027-01-10 18:00:00', zone: 'Europe/Warsaw', at: at('2027-01-10T17:00:00Z') } },
  ],
  [
    'a zone that other programs do not have',
    timesOf('2027-01-10 18:00:00', '2027-01-10 18:00:00', 'US/Pacific-New'),
    {
      start: {
        kind: 'zoned',
        wall: '2027-01-10 18:00:00',
        zone: 'America/Los_Angeles',
        at: at('2027-01-11T02:00:00Z'),
      },
    },
  ],
  [
    'an offset zone',
    timesOf('2027-01-10 18:00:00', '2027-01-10 20:00:00', 'UTC+5.5'),
    { start: { kind: 'utc', at: at('2027-01-10T12:30:00Z') }, end: { kind: 'utc', at: at('2027-01-10T14:30:00Z') } },
  ],
  [
    'an offset',
    timesOf('2027-01-10 18:00:00', '2027-01-10 20:00:00', '+05:00'),
    { start: { kind: 'utc', at: at('2027-01-10T13:00:00Z') }, end: { kind: 'utc', at: at('2027-01-10T15:00:00Z') } },
  ],
  [
    'an abbreviation',
    timesOf('2027-01-10 18:00:00', '2027-01-10 20:00:00', 'CEST'),
    { start: { kind: 'utc', at: at('2027-01-10T16:00:00Z') }, end: { kind: 'utc', at: at('2027-01-10T18:00:00Z') } },
  ],
  [
    'UTC',
    timesOf('2027-01-10 18:00:00', '2027-01-10 18:00:00', 'UTC'),
    { start: { kind: 'utc', at: at('2027-01-10T18:00:00Z') } },
  ],
  [
    'no zone',
    timesOf('2027-01-10 18:00:00', '2027-01-10 17:00:00', ''),
    { start: { kind: 'utc', at: at('2027-01-10T18:00:00Z') } },
  ],
  [
    'the second 02:30 in autumn',
    timesOf('2027-10-31 02:30:00', '2027-10-31 04:00:00', 'Europe/Warsaw', {
      utc_start_date: '2027-10-31 01:30:00',
      utc_end_date: '2027-10-31 03:00:00',
    }),
    { start: { kind: 'utc', at: at('2027-10-31T01:30:00Z') }, end: { kind: 'utc', at: at('2027-10-31T03:00:00Z') } },
  ],
  [
    'the first 02:30 in autumn',
    timesOf('2027-10-31 02:30:00', '2027-10-31 04:00:00', 'Europe/Warsaw', {
      utc_start_date: '2027-10-31 00:30:00',
      utc_end_date: '2027-10-31 03:00:00',
    }),
    { start: { kind: 'utc', at: at('2027-10-31T00:30:00Z') }, end: { kind: 'utc', at: at('2027-10-31T03:00:00Z') } },
  ],
  [
    'an hour that is skipped in spring',
    timesOf('2027-03-28 02:30:00', '2027-03-28 05:00:00', 'Europe/Warsaw'),
    { start: { kind: 'utc', at: at('2027-03-28T01:30:00Z') }, end: { kind: 'utc', at: at('2027-03-28T03:00:00Z') } },
  ],
  [
    'an instant that contradicts the local time',
    timesOf('2027-01-10 18:00:00', '2027-01-10 20:00:00', 'Europe/Warsaw', {
      utc_start_date: '2027-01-10 10:00:00',
      utc_end_date: '0000-00-00 00:00:00',
    }),
    {
      start: { kind: 'zoned', wall: '2027-01-10 18:00:00', zone: 'Europe/Warsaw', at: at('2027-01-10T17:00:00Z') },
      end: { kind: 'zoned', wall: '2027-01-10 20:00:00', zone: 'Europe/Warsaw', at: at('2027-01-10T19:00:00Z') },
    },
  ],
  [
    'a day',
    timesOf('2027-01-10 00:00:00', '2027-01-10 23:59:59', 'Europe/Warsaw', { all_day: true }),
    { start: { kind: 'date', day: '2027-01-10' }, end: { kind: 'date', day: '2027-01-11' } },
  ],
  [
    'three days',
    timesOf('2027-02-27 00:00:00', '2027-03-01 23:59:59', 'Europe/Warsaw', { all_day: true }),
    { start: { kind: 'date', day: '2027-02-27' }, end: { kind: 'date', day: '2027-03-02' } },
  ],
  [
    'a day that ends at midnight',
    timesOf('2027-01-10 00:00:00', '2027-01-11 00:00:00', 'Europe/Warsaw', { all_day: true }),
    { start: { kind: 'date', day: '2027-01-10' }, end: { kind: 'date', day: '2027-01-11' } },
  ],
  [
    'a day from six to six',
    timesOf('2027-01-10 06:00:00', '2027-01-11 05:59:59', 'Europe/Warsaw', { all_day: true }),
    { start: { kind: 'date', day: '2027-01-10' }, end: { kind: 'date', day: '2027-01-11' } },
  ],
  [
    'a day without length',
    timesOf('2027-01-10 00:00:00', '2027-01-10 00:00:00', 'Europe/Warsaw', { all_day: true }),
    { start: { kind: 'date', day: '2027-01-10' }, end: { kind: 'date', day: '2027-01-11' } },
  ],
  ['no date', timesOf('0000-00-00 00:00:00', '', 'Europe/Warsaw'), undefined],
])('the calendar times for %s', (_name, times, expected) => expect(times).toEqual(expected));
