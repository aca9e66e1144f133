import { describe, expect, test } from 'vitest';
import type { Venue } from '../../../../src/contract/event-parts.ts';
import type { Event } from '../../../../src/contract/representation.ts';
import { composeAddresses, mapAddress, webLink } from '../../../../src/site/pages/event/links.ts';

const venue = (fields: Partial<Venue>): Venue => ({ venue: 'Hall', ...fields }) as Venue; // The other fields are not read.
const event = (fields: Partial<Event>): Event =>
  ({
    title: 'Jazz &amp; Blues',
    url: 'https://site.example/event/jazz/',
    venue: [],
    all_day: false,
    ...fields,
  }) as Event; // Likewise.

describe('the map address of a venue', () => {
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

describe('addresses for web calendars', () => {
  const queries = (
    fields: Partial<Event>,
    facts: readonly string[] = [],
  ): Readonly<Record<string, Readonly<Record<string, string>>>> =>
    Object.fromEntries(
      composeAddresses(event(fields), facts).map(([name, address]) => [
        name,
        Object.fromEntries(new URL(address).searchParams),
      ]),
    );

  test('contain times, place, texts and the page', () => {
    const evening = {
      utc_start_date: '2027-01-10 17:00:00',
      utc_end_date: '2027-01-10 19:00:00',
      timezone: 'Europe/Warsaw',
      venue: venue({ address: 'Rynek 3', zip: '05-220', city: 'Zielonka' }),
      description: '<p>Loud &amp; long.</p><p>Bring ears.</p>',
    };
    const place = 'Hall, Rynek 3, 05-220 Zielonka';
    const [about, page] = ['Loud & long.\n\nBring ears.', 'https://site.example/event/jazz/'];
    const inOutlook = {
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: 'Jazz & Blues',
      startdt: '2027-01-10T17:00:00Z',
      enddt: '2027-01-10T19:00:00Z',
      allday: 'false',
      body: `Loud &amp; long.<br>Bring ears.<br><a href="${page}">${page}</a>`,
      location: place,
    };
    expect(queries(evening)).toEqual({
      Google: {
        action: 'TEMPLATE',
        text: 'Jazz & Blues',
        dates: '20270110T170000Z/20270110T190000Z',
        ctz: 'Europe/Warsaw',
        details: `${about}\n\n${page}`,
        location: place,
      },
      Outlook: inOutlook,
      'Microsoft 365': inOutlook,
      Yahoo: {
        v: '60',
        title: 'Jazz & Blues',
        st: '20270110T170000Z',
        et: '20270110T190000Z',
        in_loc: place,
        desc: `${about}\n\n${page}`,
      },
    });
  });

  test('contain whole days with an exclusive end, except for Yahoo', () => {
    const days = queries({ all_day: true, start_date: '2027-01-10 00:00:00', end_date: '2027-01-11 23:59:59' });
    expect(days['Google']).toMatchObject({ dates: '20270110/20270112' });
    expect(days['Outlook']).toMatchObject({ startdt: '2027-01-10', enddt: '2027-01-12', allday: 'true' });
    expect(days['Yahoo']).toMatchObject({ st: '20270110', et: '20270111', dur: 'allday' });
  });

  test('never contain an offset as zone', () =>
    expect(queries({ utc_start_date: '', utc_end_date: '', timezone: 'UTC+2' })['Google']).not.toHaveProperty('ctz'));

  test('contain cost and organizer below the description, which never displaces them', () => {
    const facts = ['Cost: 25 zł – 40 zł', 'Organizer: Jazz <club>'];
    const times = { utc_start_date: '2027-01-10 17:00:00', utc_end_date: '2027-01-10 19:00:00' };
    const { url: page } = event({});
    expect(queries({ ...times, description: 'Loud.' }, facts)).toMatchObject({
      Google: { details: `Loud.\n\n${facts.join('\n')}\n\n${page}` },
      Outlook: {
        body: `Loud.<br>Cost: 25 zł – 40 zł<br>Organizer: Jazz &lt;club&gt;<br><a href="${page}">${page}</a>`,
      },
      Yahoo: { desc: `Loud.\n\n${facts.join('\n')}\n\n${page}` },
    });
    expect(queries({ ...times, description: 'Loud and long. '.repeat(1_000) }, facts)['Yahoo']?.['desc']).toContain(
      `…\n\n${facts.join('\n')}\n\n${page}`,
    );
  });

  test.each([
    ['short', 'Loud.'],
    ['long', 'Loud and long. '.repeat(1_000)],
    ['of characters that HTML escapes', '&lt;&amp;&gt;'.repeat(1_000)],
    ['in Chinese', '早春音乐会'.repeat(500)],
    ['of emoji', '🎷'.repeat(3_000)],
  ])('are short enough for servers if the text is %s', (_, description) => {
    const title = description.slice(0, 300);
    const times = { utc_start_date: '2027-01-10 17:00:00', utc_end_date: '2027-01-10 19:00:00' };
    const addresses = composeAddresses(event({ title, description, ...times, venue: venue({ address: title }) }), [
      `Cost: ${title}`,
      'Website: https://jazz.example/',
    ]);
    for (const [, address] of addresses) {
      expect(address.length).toBeLessThanOrEqual(2_000);
      expect(address).toContain(encodeURIComponent('https://site.example/event/jazz/'));
      // Outlook shows a "+" as it is.
      expect(address).not.toContain('+');
      expect(decodeURIComponent(address)).not.toContain('\ufffd');
    }
    expect(addresses.map(([, address]) => new URL(address).origin)).toEqual([
      'https://calendar.google.com',
      'https://outlook.live.com',
      'https://outlook.office.com',
      'https://calendar.yahoo.com',
    ]);
  });
});

test.each([
  ['https://www.jazz.example/', '<a href="https://www.jazz.example/" rel="noopener">jazz.example</a>'],
  ['javascript:x', 'javascript:x'],
  ['https://x.example/?a="b', '<a href="https://x.example/?a=&quot;b" rel="noopener">x.example/?a=&quot;b</a>'],
])('%s as a link', (address, html) => {
  expect(webLink(address).markup).toBe(html);
});
