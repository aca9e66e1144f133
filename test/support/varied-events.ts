import type { Event } from '../../src/contract/representation.ts';
import { instantFromWall } from '../../src/time.ts';
import { siteEvent, siteOrganizer, siteTerm, siteVenue } from './memory-site.ts';

const hall = siteVenue(901, {
  venue: 'Hala &#8222;Orzeł&#8221;',
  address: 'ul. Długa 1; wejście B',
  city: 'Kraków',
  geo_lat: 50.061,
  geo_lng: 19.938,
});
const timed = (id: number, start_date: string, end_date: string, timezone: string, said: Partial<Event> = {}): Event =>
  siteEvent(id, { start_date, end_date, timezone, ...said });

/** Published events of every kind that an export must get right, around the turn of the year 2027. */
export const variedEvents: readonly Event[] = [
  timed(101, '2026-12-01 18:00:00', '2026-12-01 20:00:00', 'Europe/Warsaw', {
    title: 'Jazz, blues; soul \\ funk &#038; &#8220;more&#8221;',
    venue: hall,
    organizer: [siteOrganizer(7, { email: 'a@b.example' }), siteOrganizer(8)],
  }),
  timed(102, '2027-03-28 01:30:00', '2027-03-28 03:30:00', 'Europe/Warsaw', { title: 'Over the skipped hour' }),
  timed(103, '2027-10-31 00:30:00', '2027-10-31 04:30:00', 'Europe/Warsaw', {
    title: 'Over the hour that comes twice',
  }),
  timed(104, '2027-10-31 02:30:00', '2027-10-31 02:45:00', 'Europe/Warsaw', { title: 'In the first of the two' }),
  timed(105, '2027-10-31 02:30:00', '2027-10-31 02:45:00', 'Europe/Warsaw', {
    title: 'In the second of the two',
    utc_start_date: '2027-10-31 01:30:00',
    utc_end_date: '2027-10-31 01:45:00',
  }),
  timed(106, '2027-03-14 12:00:00', '2027-03-14 13:00:00', 'America/New_York', { title: 'New York' }),
  timed(107, '2027-04-04 12:00:00', '2027-04-04 13:00:00', 'Australia/Lord_Howe', { title: 'Lord Howe' }),
  timed(108, '2027-02-15 12:00:00', '2027-02-15 13:00:00', 'Africa/Casablanca', { title: 'Ramadan in Casablanca' }),
  timed(109, '2027-01-05 12:00:00', '2027-01-05 13:00:00', 'Asia/Kolkata', { title: 'Kolkata' }),
  timed(110, '2027-01-05 12:00:00', '2027-01-05 13:00:00', 'UTC+5.5', { title: 'An offset' }),
  timed(111, '2027-01-05 12:00:00', '2027-01-05 12:00:00', 'UTC', { title: 'A moment in UTC' }),
  timed(112, '2027-01-06 00:00:00', '2027-01-06 23:59:59', 'Europe/Warsaw', { title: 'A day', all_day: true }),
  timed(113, '2027-03-27 00:00:00', '2027-03-29 23:59:59', 'Europe/Warsaw', { title: 'Three days', all_day: true }),
  timed(114, '2026-12-30 20:00:00', '2027-01-02 03:00:00', 'Pacific/Auckland', { title: 'Over the year' }),
  timed(115, '2027-01-07 18:00:00', '2027-01-07 19:00:00', 'Europe/Warsaw', {
    title: `${'Zażółć gęślą jaźń 🎺🎷 '.repeat(12)}end`,
    description: `<p>${'Długi opis, z przecinkami; i średnikami. '.repeat(60)}</p><ul><li>😀</li></ul>`,
  }),
  timed(116, '2027-01-08 18:00:00', '2027-01-08 19:00:00', 'US/Eastern', {
    title: 'Cancelled: An old name',
    tags: [siteTerm(3, 'cancelled')],
    categories: [siteTerm(4, 'Rock, Roll'), siteTerm(5, 'Jazz')],
  }),
  timed(117, '2027-01-09 18:00:00', '2027-01-09 19:00:00', 'Europe/London', {
    title: 'With a picture',
    image: { url: 'https://site.example/a%20b.png', id: 1, extension: 'png' },
    website: 'https://e.example/?a=1&amp;b=2;c,d',
  }),
];

const instantOf = (utc: string): number => instantFromWall(utc, 'UTC');

const DAY_AFTER: Readonly<Record<string, string>> = { '2027-01-06': '2027-01-07', '2027-03-29': '2027-03-30' };

const TITLES: Readonly<Record<number, string>> = { 101: 'Jazz, blues; soul \\ funk & “more”', 116: 'An old name' };

/**
 * What every program must read in the export of `variedEvents`: instants in epoch milliseconds, all-day events as dates
 * with an exclusive end.
 */
export const variedReadings: readonly {
  readonly uid: string;
  readonly title: string;
  readonly start: number | string;
  readonly end: number | string;
}[] = variedEvents
  .map((event) => ({
    uid: `${event.id}@site.example`,
    title: (TITLES[event.id] ?? event.title).trim(),
    start: event.all_day ? event.start_date.slice(0, 10) : instantOf(event.utc_start_date),
    end: event.all_day ? DAY_AFTER[event.end_date.slice(0, 10)]! : instantOf(event.utc_end_date),
  }))
  .sort((a, b) => (a.uid < b.uid ? -1 : 1));
