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
  for (const [title, day] of events)
    await site.ask('administrator', 'POST', '/events', { title, start_date: `${day} 20:00`, end_date: `${day} 23:00` });
  await site.ask('administrator', 'POST', '/events', {
    title: 'Draft',
    status: 'draft',
    start_date: '2026-12-06',
    end_date: '2026-12-06',
  });
});
afterAll(() => site.close());

const addresses = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address);

describe('the sitemap', () => {
  test('has the events that are not over and that everybody may read', async () => {
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
    expect(addresses(html)).toEqual(['jazz', 'talk'].map((slug) => `https://site.example/event/${slug}/`));
    expect(html).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n<url><loc>[^<]+<\/loc><lastmod>2026-11-20T\d\d:\d\d:\d\dZ<\/lastmod><\/url>\n/,
    );
    expect((await browser.get('/sitemap-1.xml')).html).toBe(html);
    expect((await browser.get('/sitemap-2.xml')).status).toBe(404);
    await site.ask('administrator', 'DELETE', `/events/${id}`);
  });

  test('of very many events is in several files', async () => {
    const many = await builtinSite();
    try {
      await sql`insert into site.events (slug, title, status, author, language, published_at, dated, modified_at, start_wall, end_wall, start_at, end_at, timezone, all_day)
        select 'event-' || n, 'Event ' || n, 'publish', 1, 'en', now(), true, now(), '2027-01-01'::timestamp + n * interval '1 hour', '2027-01-01'::timestamp + n * interval '1 hour', now(), now(), 'UTC', false from generate_series(1, 1001) n`.execute(
        many.db,
      );
      const reader = pagesOf(many)();
      expect(addresses((await reader.get('/sitemap.xml')).html)).toEqual([
        'https://site.example/sitemap-1.xml',
        'https://site.example/sitemap-2.xml',
      ]);
      const [first, second] = [
        addresses((await reader.get('/sitemap-1.xml')).html),
        addresses((await reader.get('/sitemap-2.xml')).html),
      ];
      expect([first.length, new Set([...first, ...second]).size, second]).toEqual([
        1_000,
        1_001,
        ['https://site.example/event/event-1001/'],
      ]);
    } finally {
      await many.close();
    }
  });
});
