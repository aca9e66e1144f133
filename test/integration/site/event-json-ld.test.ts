import jsonld from 'jsonld';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { googleViolations, type Expanded } from '../../support/google-event.ts';
import { pagesOf } from '../../support/site-pages.ts';

// What search engines read on the page of an event.
let site: TestSite;
beforeAll(async () => {
  site = await builtinSite({ title: 'Town', currency: { symbol: ' zł', position: 'postfix' } });
});
afterAll(() => site.close());

const dates = { title: 'Talk & <b>tea</b>', start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00' };
type Data = Readonly<Record<string, unknown>>;
async function dataOf(fields: object): Promise<Data> {
  const { status, body } = await site.ask('editor', 'POST', '/events', { ...dates, ...fields });
  expect(status).toBe(201);
  const { html } = await pagesOf(site)().get(`/event/${String(body['slug'])}/`);
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as Data;
}
const SCHEMA = 'https://schema.org';
// A stand-in for the context at that address: its vocabulary, and the names whose values are addresses.
const ADDRESSES = ['url', 'image', 'sameAs', 'eventStatus', 'eventAttendanceMode', 'availability'];
const SCHEMA_ORG = {
  '@context': {
    '@vocab': `${SCHEMA}/`,
    ...Object.fromEntries(ADDRESSES.map((name) => [name, { '@id': `${SCHEMA}/${name}`, '@type': '@id' }])),
  },
};
const hall = {
  venue: 'Hall & Garden',
  address: 'ul. Leśna 1',
  city: 'Zielonka',
  zip: '05-220',
  country: 'Poland',
  province: 'Mazowieckie',
  geo_lat: 52.3,
  geo_lng: 21.2,
};
const place = {
  '@type': 'Place',
  name: 'Hall & Garden',
  url: 'https://site.example/venue/hall-garden/',
  address: {
    '@type': 'PostalAddress',
    streetAddress: 'ul. Leśna 1',
    addressLocality: 'Zielonka',
    addressRegion: 'Mazowieckie',
    postalCode: '05-220',
    addressCountry: 'Poland',
  },
  geo: { '@type': 'GeoCoordinates', latitude: 52.3, longitude: 21.2 },
};

test('an event at a place, by an organization, is described as Google reads it', async () => {
  const data = await dataOf({
    venue: hall,
    organizer: [{ organizer: 'Tea & Co', email: 'tea@x.example', website: 'https://tea.example/' }],
    cost: '20-10 zł',
    image: 'https://x.example/pic.png',
    translation_language: 'pl',
  });
  expect(data).toEqual({
    '@context': SCHEMA,
    '@type': 'Event',
    name: 'Talk & tea',
    url: 'https://site.example/event/talk-tea/',
    image: [expect.stringMatching(/^https:\/\/site\.example\/.*\.png$/)],
    startDate: '2027-01-10T18:00:00+01:00',
    endDate: '2027-01-10T20:00:00+01:00',
    eventStatus: `${SCHEMA}/EventScheduled`,
    eventAttendanceMode: `${SCHEMA}/OfflineEventAttendanceMode`,
    location: place,
    organizer: { '@type': 'Organization', name: 'Tea & Co', url: 'https://tea.example/', email: 'tea@x.example' },
    isAccessibleForFree: false,
    inLanguage: 'pl',
    offers: {
      '@type': 'Offer',
      price: '10',
      priceCurrency: 'PLN',
      url: 'https://site.example/event/talk-tea/',
      availability: `${SCHEMA}/InStock`,
      validFrom: '2026-11-20T10:40:59Z',
    },
  });
});

test.each([
  [
    'online',
    { website: 'https://zoom.us/j/123' },
    'Online',
    { '@type': 'VirtualLocation', url: 'https://zoom.us/j/123' },
  ],
  [
    'online by the name of its place',
    { venue: { venue: 'Online' }, website: 'https://tea.example/live' },
    'Online',
    { '@type': 'VirtualLocation', url: 'https://tea.example/live' },
  ],
  [
    "online, in Meetup's words",
    { venue: { venue: 'Online event' }, website: 'https://tea.example/live' },
    'Online',
    { '@type': 'VirtualLocation', url: 'https://tea.example/live' },
  ],
  [
    'at a place and online',
    { venue: hall, description: 'Join https://meet.google.com/abc-defg-hij.' },
    'Mixed',
    [
      { ...place, url: expect.stringContaining('/venue/hall-garden') as string },
      { '@type': 'VirtualLocation', url: 'https://meet.google.com/abc-defg-hij' },
    ],
  ],
  [
    'at no known place',
    { website: 'https://tea.example/' },
    'Offline',
    { '@type': 'Place', name: 'Town', address: { '@type': 'PostalAddress', name: 'Town' } },
  ],
  [
    'at a place known only by name',
    { venue: { venue: 'Shed' } },
    'Offline',
    {
      '@type': 'Place',
      name: 'Shed',
      url: 'https://site.example/venue/shed/',
      address: { '@type': 'PostalAddress', name: 'Shed' },
    },
  ],
])('an event that is %s says so', async (_, fields, mode, location) => {
  expect(await dataOf(fields)).toMatchObject({ eventAttendanceMode: `${SCHEMA}/${mode}EventAttendanceMode`, location });
});

test('an event without an end has no endDate', async () => {
  expect(await dataOf({ end_date: dates.start_date })).not.toHaveProperty('endDate');
});

test('prices are numbers, with a currency if its symbol is unambiguous', async () => {
  expect(await dataOf({ cost: 'Free' })).toMatchObject({
    isAccessibleForFree: true,
    offers: { price: '0', priceCurrency: 'PLN' },
  });
  expect(await dataOf({ cost: '€10 - €20' })).toMatchObject({
    isAccessibleForFree: false,
    offers: { price: '10', priceCurrency: 'EUR' },
  });
  expect(await dataOf({ cost: '12 Euro' })).toMatchObject({ offers: { price: '12', priceCurrency: 'EUR' } });
  // Several countries have crowns, and MIN is not a currency.
  for (const cost of ['100 kr', '20 MIN'])
    expect((await dataOf({ cost }))['offers']).not.toHaveProperty('priceCurrency');
  for (const cost of ['Pay what you want', ''])
    expect(Object.keys(await dataOf({ cost }))).not.toEqual(expect.arrayContaining(['offers']));
  const off = await dataOf({ tags: ['cancelled'], cost: '5' });
  expect([off['eventStatus'], off['offers']]).toEqual([
    `${SCHEMA}/EventCancelled`,
    expect.not.objectContaining({ availability: expect.anything() as unknown }),
  ]);
});

test('whole days are dates without times; the REST interface keeps the data of real sites', async () => {
  expect(await dataOf({ all_day: true, end_date: '2027-01-12' })).toMatchObject({
    startDate: '2027-01-10',
    endDate: '2027-01-12',
  });
  const { body } = await site.ask(null, 'GET', '/events/by-slug/talk-tea');
  expect(body['json_ld']).toMatchObject({
    performer: 'Organization',
    organizer: { '@type': 'Person' },
    offers: { price: '10 – 20' },
  });
});

test('an event that was moved names its former start, until it is moved back', async () => {
  const {
    body: { id },
  } = await site.ask('editor', 'POST', '/events', { ...dates, title: 'Moved', slug: 'moved' });
  const change = async (changes: object): Promise<void> => {
    site.clock.now += 60_000;
    expect((await site.ask('editor', 'POST', `/events/${id}`, changes)).status).toBe(200);
  };
  const read = async (changes: object): Promise<Data> => {
    await change(changes);
    const { html } = await pagesOf(site)().get('/event/moved/');
    return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as Data;
  };
  expect(await read({ title: 'Moved talk' })).toMatchObject({ eventStatus: `${SCHEMA}/EventScheduled` });
  const moved = { eventStatus: `${SCHEMA}/EventRescheduled`, previousStartDate: '2027-01-10T18:00:00+01:00' };
  expect(await read({ start_date: '2027-01-11 18:00', end_date: '2027-01-11 20:00' })).toMatchObject({
    ...moved,
    startDate: '2027-01-11T18:00:00+01:00',
  });
  expect(await read({ start_date: '2027-06-12 18:00', end_date: '2027-06-12 20:00' })).toMatchObject(moved);
  expect(await read({ tags: ['cancelled'] })).toMatchObject({ eventStatus: `${SCHEMA}/EventCancelled` });
  const back = await read({ tags: [], start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00' });
  expect([back['eventStatus'], back['previousStartDate']]).toEqual([`${SCHEMA}/EventScheduled`, undefined]);
  // A change to a draft is not a move, as nobody has seen it.
  await change({ status: 'draft' });
  await change({ start_date: '2027-02-01 18:00', end_date: '2027-02-01 20:00' });
  expect(await read({ status: 'publish' })).toMatchObject({ eventStatus: `${SCHEMA}/EventScheduled` });
});

describe('an independent JSON-LD reader finds what Google documents', () => {
  /** The event of a page as an independent library expands it, in the vocabulary of schema.org. */
  async function expanded(data: object): Promise<Expanded> {
    const [event] = await jsonld.expand(data as jsonld.JsonLdDocument, {
      documentLoader: async (url) => {
        expect(url).toBe(SCHEMA);
        return { documentUrl: url, document: SCHEMA_ORG };
      },
    });
    return event as Expanded;
  }

  test.each<[string, object]>([
    [
      'with every detail',
      {
        venue: hall,
        organizer: [{ organizer: 'Tea & Co', email: 'tea@x.example' }, { organizer: 'The "Others"' }],
        cost: '20-10 zł',
        image: 'https://x.example/pic.png',
        description: '<p>Tea</p>'.repeat(200),
      },
    ],
    ['with nothing but a title and times', {}],
    ['online', { website: 'https://zoom.us/j/123' }],
    ['at two places', { venue: [{ venue: 'Shed' }, { venue: 'Yard' }] }],
    ['cancelled', { tags: ['cancelled'], cost: '5' }],
    ['for whole days', { all_day: true, end_date: '2027-01-12' }],
    ['without an end', { end_date: dates.start_date }],
    ['in New York', { timezone: 'America/New_York' }],
    ['free', { cost: 'Eintritt frei' }],
    ['in another script', { title: 'ערב קריאה' }],
    ['with a title of 300 characters', { title: 'Very '.repeat(60) }],
  ])('for an event %s', async (_, fields) => {
    expect(googleViolations(await expanded(await dataOf(fields)))).toEqual([]);
  });

  test('for an event that was moved', async () => {
    await site.ask('editor', 'POST', '/events', { ...dates, title: 'Once more', slug: 'once-more' });
    await site.ask('editor', 'PUT', '/events/by-slug/once-more', { start_date: '2027-01-09 18:00' });
    const { html } = await pagesOf(site)().get('/event/once-more/');
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as Data;
    expect(data['previousStartDate']).toBe('2027-01-10T18:00:00+01:00');
    expect(googleViolations(await expanded(data))).toEqual([]);
  });

  test('for one date of a series, which refers to the series', async () => {
    for (const day of [11, 18, 25])
      await site.ask('editor', 'POST', '/events', {
        title: 'Weekly',
        slug: `weekly-${day}`,
        start_date: `2027-01-${day} 18:00`,
        end_date: `2027-01-${day} 19:00`,
      });
    const { html } = await pagesOf(site)().get('/event/weekly-18/');
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as Data;
    const url = 'https://site.example/event/weekly-18/dates/';
    expect(data['superEvent']).toEqual({ '@type': 'EventSeries', name: 'Weekly', url });
    expect(googleViolations(await expanded(data))).toEqual([]);
  });

  test('but not in the data of the REST interface, which follow real sites', async () => {
    const { body: made } = await site.ask('editor', 'POST', '/events', {
      ...dates,
      cost: '10 - 20',
      organizer: [{ organizer: 'Tea' }],
    });
    const { body } = await site.ask(null, 'GET', `/events/${made.id}`);
    const answered = { ...(body['json_ld'] as object), '@context': SCHEMA };
    expect(googleViolations(await expanded(answered))).toEqual(
      expect.arrayContaining([
        'location is missing',
        expect.stringContaining('offers.price'),
        expect.stringContaining('performer'),
      ]),
    );
  });
});
