import { Readable } from 'node:stream';
import { parseSitemap, parseSitemapIndex } from 'sitemap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await builtinSite();
  browser = pagesOf(site)();
  const events = [
    ['Jazz', '2026-12-05'],
    ['Talk', '2026-12-08'],
    ['Over', '2026-11-01'],
  ];
  const { id: parent } = (await site.ask('administrator', 'POST', '/categories', { name: 'Culture' })).body;
  await site.ask('administrator', 'POST', '/categories', { name: 'Music', parent });
  await site.ask('administrator', 'POST', '/categories', { name: 'Nothing' });
  for (const [title, day] of events)
    await site.ask('administrator', 'POST', '/events', {
      title,
      start_date: `${day} 20:00`,
      end_date: `${day} 23:00`,
      ...(title === 'Jazz' && { categories: ['music'], venue: { venue: 'Hall' }, organizer: [{ organizer: 'Club' }] }),
      ...(title === 'Over' && { categories: ['Past'], venue: { venue: 'Ruin' } }),
    });
  await site.ask('administrator', 'POST', '/events', {
    title: 'Draft',
    status: 'draft',
    start_date: '2026-12-06',
    end_date: '2026-12-06',
  });
});
afterAll(() => site.close());

/** What an independent library reads in a sitemap. */
const entries = async (xml: string): Promise<readonly (readonly [url: string, lastmod: string | undefined])[]> =>
  (await parseSitemap(Readable.from([xml]))).map(({ url, lastmod }) => [url, lastmod] as const);
const addresses = async (xml: string): Promise<readonly string[]> => (await entries(xml)).map(([url]) => url);
const files = async (xml: string): Promise<readonly string[]> =>
  (await parseSitemapIndex(Readable.from([xml]))).map(({ url }) => url);

describe('the sitemap', () => {
  test('has the public events that are not over, and the pages that list them', async () => {
    const {
      body: { id },
    } = await site.ask('administrator', 'POST', '/events', {
      title: 'Locked',
      start_date: '2026-12-10 10:00',
      end_date: '2026-12-10 11:00',
      password: 'sesame',
    });
    const { status, headers, html } = await browser.get('/sitemap.xml');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(await addresses(html)).toEqual(
      ['event/jazz', 'event/talk', 'category/culture', 'category/music', 'venue/hall', 'organizer/club'].map(
        (path) => `https://site.example/${path}/`,
      ),
    );
    const [prolog, root, first] = html.split('\n');
    expect([prolog, root]).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ]);
    expect(first).toMatch(/^<url><loc>[^<]+<\/loc><lastmod>2026-11-20T\d\d:\d\d:\d\dZ<\/lastmod><\/url>$/);
    expect((await browser.get('/sitemap-1.xml')).html).toBe(html);
    expect((await browser.get('/sitemap-2.xml')).status).toBe(404);
    await site.ask('administrator', 'DELETE', `/events/${id}`);
  });

  test('says when something on each page was last changed', async () => {
    site.clock.now += 3_600_000;
    const jazz = (await site.ask(null, 'GET', '/events/by-slug/jazz')).body.id;
    await sql`update site.events set modified_at = '2026-11-20T12:00:00Z' where id = ${jazz}`.execute(site.db);
    await sql`update site.organizers set modified_at = '2026-11-20T13:00:00Z' where slug = 'club'`.execute(site.db);
    const read = new Map(await entries((await browser.get('/sitemap.xml?again')).html));
    const changed = (path: string): string | undefined => read.get(`https://site.example/${path}/`);
    expect(['event/jazz', 'category/culture', 'venue/hall', 'organizer/club'].map(changed)).toEqual([
      ...Array.from({ length: 3 }, () => '2026-11-20T12:00:00Z'),
      '2026-11-20T13:00:00Z',
    ]);
  });

  test('is split into several files for very many events', async () => {
    const many = await builtinSite();
    try {
      await sql`insert into site.events (slug, title, status, author, language, published_at, dated, modified_at,
        start_wall, end_wall, start_at, end_at, timezone, all_day)
        select 'event-' || n, 'Event ' || n, 'publish', 1, 'en', now(), true, now(),
        '2027-01-01'::timestamp + n * interval '1 hour', '2027-01-01'::timestamp + n * interval '1 hour', now(),
          now(), 'UTC', false from generate_series(1, 1001) n`.execute(many.db);
      await sql`with added as (insert into site.venues (slug, title, status, author, language, published_at, dated, modified_at)
          select 'hall-' || n, 'Hall ' || n, 'publish', 1, 'en', now(), true, now() from generate_series(1, 1000) n returning id)
        update site.events set venue_ids = array(select id from added) where slug = 'event-1'`.execute(many.db);
      const reader = pagesOf(many)();
      expect(await files((await reader.get('/sitemap.xml')).html)).toEqual([
        'https://site.example/sitemap-1.xml',
        'https://site.example/sitemap-2.xml',
        'https://site.example/sitemap-3.xml',
      ]);
      const read: (readonly string[])[] = [];
      for (const number of [1, 2, 3]) read.push(await addresses((await reader.get(`/sitemap-${number}.xml`)).html));
      expect(read.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
      expect([new Set(read.flat()).size, read[1]?.slice(0, 2)]).toEqual([
        2_001,
        ['https://site.example/event/event-1001/', 'https://site.example/venue/hall-1/'],
      ]);
      expect((await reader.get('/sitemap-4.xml')).status).toBe(404);
    } finally {
      await many.close();
    }
  });
});
