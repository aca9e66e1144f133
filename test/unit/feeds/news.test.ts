import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import { feedWorld, music, NOW, ours } from '../../support/feed-world.ts';
import { siteEvent, siteTerm, siteVenue } from '../../support/memory-site.ts';
import { spanInWords } from '../../../src/feeds/content/news-item.ts';

const hall = siteVenue(12, { venue: 'Town Hall', slug: 'town-hall' });
const HOSTILE = 'A &amp; B ]]&gt; &lt;script&gt;x()&lt;/script&gt; \u000b早春 🎷';
const concert = siteEvent(1, {
  title: HOSTILE,
  venue: hall,
  categories: [music],
  description: '<p>Loud.</p><script>x()</script>',
  image: { url: 'https://site.example/jazz.png', id: 1, extension: 'png' },
});

interface JsonFeed {
  readonly title: string;
  readonly description: string;
  readonly feed_url?: string;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly content_html: string;
    readonly _event: Readonly<Record<string, string>>;
  }[];
}
const jsonOf = async (answer: Promise<Response>): Promise<JsonFeed> => (await (await answer).json()) as JsonFeed;

const reveal = (): string => 'abc';

describe('a feed as news', () => {
  test.each([
    ['rss', 'application/rss+xml; charset=utf-8', '<rss version="2.0"'],
    ['atom', 'application/atom+xml; charset=utf-8', '<feed xmlns="http://www.w3.org/2005/Atom"'],
    ['json', 'application/feed+json; charset=utf-8', '{\n "version": "https://jsonfeed.org/version/1.1"'],
  ])('in the form %s has the type %s', async (form, type, begins) => {
    const { get } = feedWorld([concert]);
    const answer = await get(`/feeds/events.${form}?categories=music`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const text = await answer.text();
    expect(text).toContain(begins);
    expect(text).toContain('Town calendar: Music');
    expect(text).not.toContain('\u000b');
    const [tag, changed] = [answer.headers.get('etag') ?? '', answer.headers.get('last-modified') ?? ''];
    const again = (headers: Record<string, string>): Promise<Response> =>
      get(`/feeds/events.${form}?categories=music`, headers);
    expect((await again({ 'if-none-match': tag })).status).toBe(304);
    expect((await again({ 'if-modified-since': changed })).status).toBe(304);
    expect((await again({ 'if-none-match': '"else"' })).status).toBe(200);
  });

  test('shows time, place and description of an event', async () => {
    const { items } = await jsonOf(feedWorld([concert]).get('/feeds/all.json'));
    expect(items).toHaveLength(1);
    expect(items[0]?.title).toBe('A & B ]]> <script>x()</script> 早春 🎷');
    expect(items[0]?.content_html).toMatch(/^<p><strong>.+<\/strong><br>Town Hall.*<\/p>\n<p>Loud\.<\/p>$/s);
    expect(items[0]?.['_event']).toMatchObject({
      place: expect.stringContaining('Town Hall') as string,
      status: 'confirmed',
    });
  });

  test('gives each event an id that stays when all else changes', async () => {
    const names = async (event: typeof ours): Promise<readonly string[]> =>
      (await jsonOf(feedWorld([event]).get('/feeds/all.json'))).items.map(({ id }) => id);
    const [before] = await names(ours);
    expect(before).toMatch(/^tag:calsyncd,2026-11-01:[\w-]+$/);
    expect(
      await names({ ...ours, title: 'Renamed', start_date: '2027-02-01 10:00:00', url: 'https://x.example/' }),
    ).toEqual([before]);
    expect((await names(concert))[0]).toBe('tag:site.example,2026-11-01:1');
  });

  test('leaves out past events, and marks cancelled ones', async () => {
    const over = siteEvent(2, {
      title: 'Over',
      start_date: '2026-11-01 10:00:00',
      end_date: '2026-11-01 11:00:00',
      utc_start_date: '2026-11-01 09:00:00',
      utc_end_date: '2026-11-01 10:00:00',
    });
    const off = siteEvent(3, { title: 'Jazz', tags: [siteTerm(9, 'cancelled', 'tag')] });
    const { get } = feedWorld([over, off, concert]);
    expect((await jsonOf(get('/feeds/all.json'))).items.map(({ title }) => title)).toEqual([
      'Cancelled: Jazz',
      expect.stringContaining('A & B') as string,
    ]);
    expect((await jsonOf(get('/feeds/all.json?cancelled=hide'))).items).toHaveLength(1);
  });

  test("begins with the site's own day, wherever the site is", async () => {
    const timezone = 'America/Los_Angeles';
    const on = (id: number, day: string) =>
      siteEvent(id, { title: day, timezone, start_date: `${day} 20:00:00`, end_date: `${day} 22:00:00` });
    const { get, clock } = feedWorld([on(1, '2026-11-19'), on(2, '2026-11-20'), on(3, '2026-11-21')], undefined, {
      timezone,
    });
    const titles = async (): Promise<readonly string[]> =>
      (await jsonOf(get('/feeds/all.json'))).items.map(({ title }) => title);
    clock.now = Date.parse('2026-11-20T19:00:00-08:00');
    expect(await titles()).toEqual(['2026-11-20', '2026-11-21']);
    clock.now = Date.parse('2026-11-21T00:01:00-08:00');
    expect(await titles()).toEqual(['2026-11-21']);
  });

  test('has the next hundred events, and says so if there are more', async () => {
    const events = Array.from({ length: 101 }, (_, index) => siteEvent(index + 1, { title: `Event ${index}` }));
    const { items, description } = await jsonOf(feedWorld(events).get('/feeds/all.json'));
    expect([items.length, description]).toEqual([100, 'Town calendar – the next 100 events']);
    expect((await jsonOf(feedWorld(events.slice(1)).get('/feeds/all.json'))).description).toBe('Town calendar');
  });

  test('is valid without any event', async () => {
    const { get } = feedWorld([]);
    expect((await jsonOf(get('/feeds/all.json'))).items).toEqual([]);
    expect(await (await get('/feeds/all.atom')).text()).toContain('<updated>2026-11-20T00:00:00Z</updated>');
  });

  test('does not contain its own address if that is a secret', async () => {
    const { get } = feedWorld([concert], [{ id: 'staff', title: 'Staff', access: { secret: { reveal } } }]);
    for (const form of ['rss', 'atom', 'json'])
      expect(await (await get(`/feeds/~abc/staff.${form}`)).text()).not.toContain('abc');
    expect((await get('/feeds/staff.json')).status).toBe(404);
  });
});

test.each<[string, Parameters<typeof spanInWords>[0], string]>([
  [
    'an evening',
    {
      start: { kind: 'zoned', wall: '2026-12-05 20:00:00', zone: 'Europe/Warsaw', at: Date.UTC(2026, 11, 5, 19) },
      end: { kind: 'zoned', wall: '2026-12-05 23:00:00', zone: 'Europe/Warsaw', at: Date.UTC(2026, 11, 5, 22) },
    },
    'Sat, 5 Dec 2026, 20:00–23:00',
  ],
  [
    'an evening in another zone',
    { start: { kind: 'zoned', wall: '2026-12-05 20:00:00', zone: 'America/New_York', at: NOW } },
    'Sat, 5 Dec 2026, 20:00 EST',
  ],
  [
    'a night in another zone with a clock change',
    {
      start: { kind: 'zoned', wall: '2027-03-13 22:00:00', zone: 'America/New_York', at: Date.UTC(2027, 2, 14, 3) },
      end: { kind: 'zoned', wall: '2027-03-14 06:00:00', zone: 'America/New_York', at: Date.UTC(2027, 2, 14, 10) },
    },
    'Sat, 13 Mar 2027, 22:00 EST – Sun, 14 Mar 2027, 06:00 EDT',
  ],
  [
    'an hour in another zone with a clock change',
    {
      start: { kind: 'zoned', wall: '2027-03-14 01:30:00', zone: 'America/New_York', at: Date.UTC(2027, 2, 14, 6, 30) },
      end: { kind: 'zoned', wall: '2027-03-14 03:30:00', zone: 'America/New_York', at: Date.UTC(2027, 2, 14, 7, 30) },
    },
    'Sun, 14 Mar 2027, 01:30 EST–03:30 EDT',
  ],
  [
    'instants, in the zone of the site',
    { start: { kind: 'utc', at: Date.UTC(2026, 11, 5, 19) }, end: { kind: 'utc', at: Date.UTC(2026, 11, 5, 22) } },
    'Sat, 5 Dec 2026, 20:00–23:00',
  ],
  [
    'a night that ends in the first occurrence of a repeated hour',
    { start: { kind: 'utc', at: Date.UTC(2027, 9, 30, 21) }, end: { kind: 'utc', at: Date.UTC(2027, 9, 31, 0, 30) } },
    'Sat, 30 Oct 2027, 23:00 – Sun, 31 Oct 2027, 02:30 CEST',
  ],
  [
    'a night that ends in its second occurrence',
    { start: { kind: 'utc', at: Date.UTC(2027, 9, 30, 21) }, end: { kind: 'utc', at: Date.UTC(2027, 9, 31, 1, 30) } },
    'Sat, 30 Oct 2027, 23:00 – Sun, 31 Oct 2027, 02:30 CET',
  ],
  [
    'a day',
    { start: { kind: 'date', day: '2026-12-05' }, end: { kind: 'date', day: '2026-12-06' } },
    'Sat, 5 Dec 2026',
  ],
  [
    'days',
    { start: { kind: 'date', day: '2026-12-05' }, end: { kind: 'date', day: '2026-12-08' } },
    'Sat, 5 Dec – Mon, 7 Dec 2026',
  ],
])('%s in words', (_, times, words) =>
  expect(
    spanInWords(times, { language: 'en', locale: 'en-GB', timezone: 'Europe/Warsaw' }).replace(/[\u2009\u202f]/g, ' '),
  ).toBe(words),
);

describe('a feed library finds everything', () => {
  const title = 'A & B ]]> <script>x()</script> 早春 🎷';
  const textOf = async (form: string): Promise<string> => (await feedWorld([concert]).get(`/feeds/all.${form}`)).text();

  test('in RSS', async () => {
    const { title: name, items = [] } = parseRssFeed(await textOf('rss'));
    expect(name).toBe('Everything on');
    expect(items).toMatchObject([
      {
        title,
        link: 'https://site.example/event/event-1/',
        guid: { value: 'tag:site.example,2026-11-01:1', isPermaLink: false },
        pubDate: 'Sun, 01 Nov 2026 09:00:00 GMT',
        categories: [{ name: 'Music' }],
        media: { contents: [{ url: 'https://site.example/jazz.png', type: 'image/png', medium: 'image' }] },
        description: expect.stringContaining('<br>Town Hall') as string,
      },
    ]);
  });

  test('in Atom', async () => {
    const { updated, links = [], entries = [] } = parseAtomFeed(await textOf('atom'));
    expect(updated).toBe('2026-11-02T09:00:00Z');
    expect(links.map(({ rel, href }) => [rel, href])).toEqual([
      ['alternate', 'https://cal.example/'],
      ['self', 'https://cal.example/feeds/all.atom'],
    ]);
    expect(entries).toMatchObject([
      {
        title: { value: title },
        id: 'tag:site.example,2026-11-01:1',
        links: [
          { rel: 'alternate', href: 'https://site.example/event/event-1/' },
          { rel: 'enclosure', href: 'https://site.example/jazz.png', type: 'image/png' },
        ],
        published: '2026-11-01T09:00:00Z',
        categories: [{ term: 'Music' }],
      },
    ]);
  });

  test('in JSON', async () => {
    const { feed_url: address, items = [] } = parseJsonFeed(JSON.parse(await textOf('json')));
    expect(address).toBe('https://cal.example/feeds/all.json');
    expect(items).toMatchObject([
      {
        id: 'tag:site.example,2026-11-01:1',
        url: 'https://site.example/event/event-1/',
        title,
        image: 'https://site.example/jazz.png',
        date_published: '2026-11-01T09:00:00Z',
        tags: ['Music'],
      },
    ]);
  });
});
