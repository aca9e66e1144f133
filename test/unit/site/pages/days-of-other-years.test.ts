import { expect, test } from 'vitest';
import type { Event } from '../../../../src/contract/representation.ts';
import { textFromHtml } from '../../../../src/html/text.ts';
import { eventCards } from '../../../../src/site/pages/event/related-events.ts';
import { dayFrom } from '../../../../src/site/pages/frame/dates.ts';
import { frameOf } from '../../../../src/site/pages/frame/layout.ts';
import { whenAndWhere } from '../../../../src/site/pages/list/event-list.ts';
import { untilInWords } from '../../../../src/site/pages/views/calendar-page.ts';
import { datesSection } from '../../../../src/site/pages/views/date-tiles.ts';

// Readers take "until 31 December" as this year's, so a day of another year is shown with its year.

const TODAY = '2026-11-20';
const frame = frameOf({
  title: 'Town',
  description: '',
  timezone: 'Europe/Warsaw',
  languages: ['en'],
  publicUrl: 'https://town.example',
  namespace: 'calendar/events/v1',
  trashDays: 30,
});
// The other fields are not read.
const event = (first: string, last = first): Event =>
  ({
    id: Number(first.replaceAll('-', '')),
    title: 'Fair',
    slug: 'fair',
    url: `https://town.example/event/fair-${first}/`,
    start_date: `${first} 10:00:00`,
    end_date: `${last} 17:00:00`,
    all_day: true,
    timezone: 'Europe/Warsaw',
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
  }) as unknown as Event;

test.each([
  ['2026-12-31', 'en', 'Thu 31 Dec', '31 December'],
  ['2027-01-09', 'en', 'Sat 9 Jan', '9 January'],
  ['2027-10-15', 'en', 'Fri 15 Oct', '15 October'],
  ['2027-11-19', 'en', 'Fri 19 Nov 2027', '19 November 2027'],
  ['2028-12-31', 'en', 'Sun 31 Dec 2028', '31 December 2028'],
  ['2028-12-31', 'de', 'So., 31. Dez. 2028', '31. Dezember 2028'],
  ['2028-12-31', 'pl', 'niedz., 31 gru 2028', '31 grudnia 2028'],
  // Past days are shown only where their year is shown, too.
  ['2025-12-31', 'en', 'Wed 31 Dec', '31 December'],
])('%s in %s is "%s" and "%s"', (day, language, brief, long) => {
  expect([dayFrom(TODAY, day, language, 'briefDay'), dayFrom(TODAY, day, language, 'longDay')]).toEqual([brief, long]);
});

test('an event that lasts for years is shown with the year of its end', () => {
  const lasting = event('2026-01-01', '2028-12-31');
  expect([
    untilInWords(frame, lasting, '2026-11-01'),
    untilInWords(frame, lasting, '2028-11-01'),
    textFromHtml(eventCards(frame, [lasting], TODAY).markup).trim(),
  ]).toEqual(['until 31 December 2028', 'until 31 December', expect.stringMatching(/until 31 Dec 2028$/)]);
});

test('the next date of a yearly event is shown with its year', () => {
  const [near, far] = [event('2026-12-24'), event('2027-12-24')];
  const starts = [near, far].map(({ start_date }) => start_date);
  const tiles = datesSection(frame, near, { key: 'fair', starts, isCut: false }, [near, far], TODAY).markup;
  expect([...tiles.matchAll(/<time[^>]*>([^<]*)</g)].map(([, day]) => day)).toEqual(['Thu 24 Dec', 'Fri 24 Dec 2027']);
  expect([near, far].map((one) => whenAndWhere(frame, one, TODAY).markup)).toEqual(['Thu 24 Dec', 'Fri 24 Dec 2027']);
  expect(textFromHtml(eventCards(frame, [far], TODAY).markup).trim()).toMatch(/Fri, 24 Dec 2027$/);
});
