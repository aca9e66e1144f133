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
  ['by the clock of the site', 'Europe/Warsaw', '2027-10-30 20:00:00', '2027-10-30 23:00:00', ['', '']],
  ['by another one that shows the same', 'Europe/Berlin', '2027-10-30 20:00:00', '2027-10-30 23:00:00', ['', '']],
  ['by one that shows another time', 'America/New_York', '2027-10-30 20:00:00', '2027-10-30 23:00:00', ['', ' EDT']],
  ['around an hour that comes twice', 'Europe/Warsaw', '2027-10-31 01:30:00', '2027-10-31 03:30:00', ['', '']],
  ['until the first of an hour', 'Europe/Warsaw', '2027-10-30 23:00:00', '2027-10-31 02:30:00', ['', ' CEST']],
  ['the same with an offset', 'UTC+2', '2027-10-30 23:00:00', '2027-10-31 02:30:00', ['', ' CEST']],
  ['in the second one', 'UTC+1', '2027-10-31 02:10:00', '2027-10-31 02:30:00', ['', ' CET']],
  ['by the clock of summer', 'UTC+2', '2027-10-30 23:00:00', '2027-10-31 03:30:00', ['', ' UTC+2']],
])('times %s', (_, zone, start, end, marks) => expect(shown(zone, start, end)).toEqual(marks));

test('the second of an hour that comes twice is told from the first', () => {
  const hour = ['2027-10-31 02:10:00', '2027-10-31 02:30:00'] as const;
  expect(shown('Europe/Warsaw', ...hour)).toEqual(['', ' CEST']);
  expect(shown('Europe/Warsaw', ...hour, lastInstantFromWall)).toEqual(['', ' CET']);
});
