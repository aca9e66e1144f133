import { describe, expect, test } from 'vitest';
import type { Venue } from '../../../../src/contract/event-parts.ts';
import type { Event } from '../../../../src/contract/representation.ts';
import { composeAddresses, mapAddress, webLink } from '../../../../src/site/pages/event/links.ts';
import { eventsByDay } from '../../../../src/site/pages/views/month-page.ts';

const venue = (fields: Partial<Venue>): Venue => ({ venue: 'Hall', ...fields }) as Venue; // The rest is not looked at.
const event = (fields: Partial<Event>): Event =>
  ({
    title: 'Jazz &amp; Blues',
    url: 'https://site.example/event/jazz/',
    venue: [],
    all_day: false,
    ...fields,
  }) as Event; // Likewise.

describe('a place on the map', () => {
  test.each<[Partial<Venue>, string | undefined]>([
    [
      { geo_lat: 52.1, geo_lng: 21.5, address: 'x' },
      'https://www.openstreetmap.org/?mlat=52.1&mlon=21.5#map=17/52.1/21.5',
    ],
    [{ geo_lat: 0, geo_lng: 0 }, 'https://www.openstreetmap.org/?mlat=0&mlon=0#map=17/0/0'],
    [
      { address: 'ul. Długa &amp; Krótka 1', zip: '05-220', city: 'Zielonka', country: 'Poland' },
      'https://www.openstreetmap.org/search?query=ul.%20D%C5%82uga%20%26%20Kr%C3%B3tka%201%2C%2005-220%20Zielonka%2C%20Poland',
    ],
    [{ country: 'Poland' }, undefined],
  ])('%j', (fields, address) => expect(mapAddress(venue(fields))).toBe(address));
});

test('calendars in the web are filled in', () => {
  const timed = composeAddresses(
    event({
      utc_start_date: '2027-01-10 17:00:00',
      utc_end_date: '2027-01-10 19:00:00',
      venue: venue({ city: 'Zielonka' }),
    }),
  ).map(([, address]) => new URL(address));
  expect(Object.fromEntries(timed[0]!.searchParams)).toEqual({
    action: 'TEMPLATE',
    text: 'Jazz & Blues',
    dates: '20270110T170000Z/20270110T190000Z',
    details: 'https://site.example/event/jazz/',
    location: 'Hall, Zielonka',
  });
  expect(Object.fromEntries(timed[1]!.searchParams)).toMatchObject({
    subject: 'Jazz & Blues',
    startdt: '2027-01-10T17:00:00Z',
    enddt: '2027-01-10T19:00:00Z',
    allday: 'false',
  });
  expect(timed.map(({ origin, pathname }) => origin + pathname)).toEqual([
    'https://calendar.google.com/calendar/render',
    'https://outlook.live.com/calendar/0/deeplink/compose',
    'https://outlook.office.com/calendar/deeplink/compose',
  ]);
  // Outlook shows a "+" as it stands.
  expect(timed.map(({ search }) => search).join()).not.toContain('+');
  const whole = composeAddresses(
    event({ all_day: true, start_date: '2027-01-10 00:00:00', end_date: '2027-01-11 23:59:59' }),
  )[0]![1];
  // The last day is exclusive there.
  expect(new URL(whole).searchParams.get('dates')).toBe('20270110/20270112');
});

test.each([
  ['https://www.jazz.example/', '<a href="https://www.jazz.example/" rel="noopener">jazz.example</a>'],
  ['javascript:x', 'javascript:x'],
  ['https://x.example/?a="b', '<a href="https://x.example/?a=&quot;b" rel="noopener">x.example/?a=&quot;b</a>'],
])('%s as a link', (address, html) => {
  expect(webLink(address).markup).toBe(html);
});

describe('the days of an event in a month', () => {
  const days = (fields: Partial<Event>): readonly string[] => [
    ...eventsByDay([event(fields)], '2027-01-01', '2027-01-31').keys(),
  ];
  test.each<[string, Partial<Event>, readonly string[]]>([
    ['an evening', { start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' }, ['2027-01-10']],
    ['a night until four', { start_date: '2027-01-10 22:00:00', end_date: '2027-01-11 04:00:00' }, ['2027-01-10']],
    ['a weekend', { start_date: '2027-01-09 10:00:00', end_date: '2027-01-10 18:00:00' }, ['2027-01-09', '2027-01-10']],
    [
      'two whole days',
      { all_day: true, start_date: '2027-01-09 00:00:00', end_date: '2027-01-10 23:59:59' },
      ['2027-01-09', '2027-01-10'],
    ],
    [
      'since last year',
      { start_date: '2020-03-01 10:00:00', end_date: '2027-01-02 18:00:00' },
      ['2027-01-01', '2027-01-02'],
    ],
    ['into the next month', { start_date: '2027-01-31 10:00:00', end_date: '2030-02-05 18:00:00' }, ['2027-01-31']],
  ])('%s', (_, fields, expected) => expect(days(fields)).toEqual(expected));
});
