import { expect, test } from 'vitest';
import type { Event } from '../../../../src/contract/representation.ts';
import { zoneMarks } from '../../../../src/site/pages/frame/clock.ts';
import { frameOf } from '../../../../src/site/pages/frame/layout.ts';
import { instantFromWall, lastInstantFromWall, wallFromInstant } from '../../../../src/time.ts';

const frame = frameOf({
  title: 'Town',
  description: '',
  timezone: 'Europe/Warsaw',
  languages: ['en'],
  publicUrl: 'https://town.example',
  namespace: 'calendar/events/v1',
  trashDays: 30,
});

const shown = (timezone: string, start: string, end: string, read = instantFromWall): readonly string[] =>
  zoneMarks(frame, {
    timezone,
    start_date: start,
    end_date: end,
    utc_start_date: wallFromInstant(read(start, timezone), 'UTC'),
    utc_end_date: wallFromInstant(read(end, timezone), 'UTC'),
  } as Event);

test.each([
  ['in the zone of the site', 'Europe/Warsaw', '2027-10-30 20:00:00', '2027-10-30 23:00:00', ['', '']],
  ['in a zone with the same time', 'Europe/Berlin', '2027-10-30 20:00:00', '2027-10-30 23:00:00', ['', '']],
  ['in a zone with another time', 'America/New_York', '2027-10-30 20:00:00', '2027-10-30 23:00:00', ['', ' EDT']],
  ['around an hour that occurs twice', 'Europe/Warsaw', '2027-10-31 01:30:00', '2027-10-31 03:30:00', ['', '']],
  [
    'until the first occurrence of that hour',
    'Europe/Warsaw',
    '2027-10-30 23:00:00',
    '2027-10-31 02:30:00',
    ['', ' CEST'],
  ],
  ['until then, with an offset as zone', 'UTC+2', '2027-10-30 23:00:00', '2027-10-31 02:30:00', ['', ' CEST']],
  ['in the second occurrence', 'UTC+1', '2027-10-31 02:10:00', '2027-10-31 02:30:00', ['', ' CET']],
  ['with the offset of summer past its end', 'UTC+2', '2027-10-30 23:00:00', '2027-10-31 03:30:00', ['', ' UTC+2']],
])('the zone marks of times %s', (_, zone, start, end, marks) => expect(shown(zone, start, end)).toEqual(marks));

test('the second occurrence of an hour is distinguished from the first', () => {
  const hour = ['2027-10-31 02:10:00', '2027-10-31 02:30:00'] as const;
  expect(shown('Europe/Warsaw', ...hour)).toEqual(['', ' CEST']);
  expect(shown('Europe/Warsaw', ...hour, lastInstantFromWall)).toEqual(['', ' CET']);
});
