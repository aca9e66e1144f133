import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf } from '../../support/site-pages.ts';

// A time that differs from the clock of the site is shown with its zone. The clock is set to 20 November 2026, in
// Warsaw.

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
  const venue = (await site.ask('editor', 'POST', '/venues', { venue: 'Hall' })).body.id;
  const lasting = (title: string, start_date: string, end_date: string, timezone: string): Promise<unknown> =>
    site.ask('editor', 'POST', '/events', { title, start_date, end_date, timezone, venue });
  const made = (title: string, day: string, timezone: string): Promise<unknown> =>
    lasting(title, `${day} 20:00`, `${day} 21:00`, timezone);
  for (const day of ['2026-12-02', '2026-12-09', '2026-12-16']) await made('Choir', day, 'America/New_York');
  await made('Guide', '2026-12-03', 'Europe/Warsaw');
  await made('Lecture', '2026-12-04', 'America/New_York');
  await made('Nearby', '2026-12-05', 'Europe/Berlin');
  // Over a night in which the clocks change.
  await lasting('Vigil', '2027-03-13 22:00', '2027-03-14 06:00', 'America/New_York');
  await lasting('Exhibition', '2027-03-20 10:00', '2027-04-20 18:00', 'Europe/Warsaw');
  await lasting('Fair', '2027-03-12 10:00', '2027-03-16 18:00', 'America/New_York');
});
afterAll(() => site.close());

/** The words of a page, as they are read out. */
const wordsOf = async (path: string): Promise<string> =>
  (await pagesOf(site)().get(path)).html
    .replaceAll(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test.each([
  ['the list', '/', /20:00 EST 1 h Lecture/],
  ['the embedded list', '/embed', /20:00 EST 1 h Lecture/],
  ['the month', '/month/2026-12/', /20:00 EST Lecture/],
  ['the week', '/week/2026-11-30/', /20:00 – 21:00 EST Lecture/],
  ['the printed week', '/week/2026-11-30/sheet/', /20:00 EST Lecture/],
  ['another event on the page of an event', '/event/guide/', /Lecture Fri, 4 Dec, 20:00 EST/],
  ['the dates of a series', '/event/choir/dates/', /Wed 9 Dec 20:00 EST/],
  ['the page of an event over midnight', '/event/vigil/', /22:00 EST – 06:00 EDT, Hall/],
  ['the page of a long event', '/event/fair/', /12 March 2027, 10:00 EST to Tuesday, 16 March 2027, 18:00 EDT, Hall/],
  ['the week of an event over midnight', '/week/2027-03-08/', /22:00 EST – 06:00 EDT Vigil/],
  ['the last day of an event in the list', '/?from=2027-03-16', /until 18:00 EDT/],
  ['the embedded card', '/event/exhibition/embed/', /2027, 10:00 CET to Tuesday, 20 April 2027, 18:00 CEST/],
])('%s names the time zone', async (_, path, expected) => {
  expect(await wordsOf(path)).toMatch(expected);
});

test.each(['/', '/month/2026-12/', '/week/2026-11-30/', '/week/2026-11-30/sheet/'])(
  '%s names no time zone if its clock shows the same as that of the site',
  async (path) => {
    expect(await wordsOf(path)).toMatch(/20:00 (?:– 21:00 )?(?:1 h )?Nearby/);
  },
);
