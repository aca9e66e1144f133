import { expect, test } from 'vitest';
import type { Event } from '../../../../src/contract/representation.ts';
import { textFromHtml } from '../../../../src/html/text.ts';
import { markLasting } from '../../../../src/site/made-once.ts';
import { eventCards } from '../../../../src/site/pages/event/related-events.ts';
import { frameOf } from '../../../../src/site/pages/frame/layout.ts';

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
const exhibition = {
  title: 'Maps',
  slug: 'maps',
  url: 'https://town.example/event/maps/',
  start_date: '2027-01-10 10:00:00',
  end_date: '2027-03-06 17:00:00',
  utc_start_date: '2027-01-10 09:00:00',
  utc_end_date: '2027-03-06 16:00:00',
  all_day: false,
  timezone: 'Europe/Warsaw',
  categories: [],
} as unknown as Event;

test.each(['once', 'again and again'])('the card of an event that is shown %s is right for the day', (how) => {
  const event = { ...exhibition };
  if (how === 'again and again') markLasting(event);
  const on = (today: string): string => textFromHtml(eventCards(frame, [event], today).markup).trim();
  const before = on('2027-01-09');
  const during = on('2027-01-11');
  expect(before).toMatch(/Sun, 10 Jan, 10:00$/);
  expect(during).toMatch(/until 6 Mar$/);
  expect([on('2027-01-09'), on('2027-01-09'), on('2027-01-11')]).toEqual([before, before, during]);
});
