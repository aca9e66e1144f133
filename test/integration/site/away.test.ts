import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardSvg } from '../../../src/site/pages/card/card-svg.ts';
import { draw } from '../../../src/site/pages/card/draw-card.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

// What people take from the calendar to other places: an embedded list, shared events, news feeds. The clock is set to
// 20 November 2026.

let site: TestSite;
let browser: Browser;

const TITLE = 'Jazz & Blues <b>早春</b>';
beforeAll(async () => {
  site = await builtinSite();
  browser = pagesOf(site)();
  const made = [
    {
      title: 'Jazz &amp; Blues &lt;b&gt;早春&lt;/b&gt;',
      slug: 'jazz',
      categories: ['Music'],
      venue: { venue: 'Hall' },
    },
    ...Array.from({ length: 12 }, (_, index) => ({ title: `Chess ${index}`, slug: `chess-${index}` })),
  ];
  for (const [index, event] of made.entries())
    await site.ask('administrator', 'POST', '/events', {
      start_date: `2026-12-${String(index + 1).padStart(2, '0')} 20:00`,
      end_date: `2026-12-${String(index + 1).padStart(2, '0')} 22:00`,
      ...event,
    });
});
afterAll(() => site.close());

describe('a list embedded in another site', () => {
  test('may be framed by any site, is not indexed, and sets no cookie', async () => {
    const { headers, status } = await browser.get('/embed/');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.getSetCookie()).toEqual([]);
  });

  test('shows the next ten events, and how many more there are', async () => {
    const { html } = await browser.get('/embed/');
    expect(html.match(/<li class="ev/g)).toHaveLength(10);
    expect(html).toContain('>3 more</a>');
  });

  test('shows the next date of a series only, and long-running events below', async () => {
    const chapel = await site.ask('administrator', 'POST', '/venues', { venue: 'Chapel' });
    for (const day of ['04', '11', '18'])
      await site.ask('administrator', 'POST', '/events', {
        title: 'Choir',
        categories: ['Choirs'],
        venue: chapel.body.id,
        start_date: `2026-12-${day} 19:00`,
        end_date: `2026-12-${day} 21:00`,
      });
    const lasts = { title: 'Pictures', start_date: '2026-11-01', end_date: '2027-01-31', all_day: true };
    await site.ask('administrator', 'POST', '/events', { ...lasts, categories: ['Choirs'] });
    const { html } = await browser.get('/embed/?category=choirs');
    expect([...html.matchAll(/<h3><a [^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual(['Choir', 'Pictures']);
    for (const link of html.match(/<a [^>]*>/g) ?? []) expect(link).toContain('target="_blank"');
    expect(html).toContain('/dates/" target="_blank"');
  });

  test('opens every link in a new tab', async () => {
    const { html } = await browser.get('/embed/?category=music&count=3&theme=dark');
    const links = html.match(/<a [^>]*>/g) ?? [];
    expect(links).toHaveLength(3);
    for (const link of links) expect(link).toMatch(/target="_blank" rel="noopener"|rel="noopener" target="_blank"/);
    expect(html).toContain(
      'href="http://calendar.example/feeds/events?category=music"'.replace(
        'http://calendar.example',
        site.settings.publicUrl,
      ),
    );
    expect(html).toContain(' data-theme="dark"');
  });

  test('refuses a search that is too long, on a page that may be framed as well', async () => {
    const { status, headers } = await browser.get(`/embed/?search=${'x'.repeat(300)}`);
    expect([status, headers.get('content-security-policy')]).toEqual([
      400,
      expect.stringContaining('frame-ancestors *'),
    ]);
  });

  test('is inserted by a script that any page may load', async () => {
    const { headers, html } = await browser.get('/embed.js');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(html).toContain('calsyncd:size');
  });
});

describe('the page that makes an embedded list', () => {
  test('keeps the selection, previews it, and has the code to copy', async () => {
    const { html, headers } = await browser.get('/embed/new?category=music&count=5&theme=light&search=%22jazz%22');
    expect(html).toMatch(/name="category" value="music" checked>/);
    expect(html).toContain('<option value="5" selected>5</option>');
    const query = 'search=%22jazz%22&amp;category=music&amp;count=5&amp;theme=light';
    expect(html).toContain(`<iframe src="/embed/?${query}"`);
    expect(html).toContain(
      `&lt;iframe src=&quot;${site.settings.publicUrl}/embed/?${query.replaceAll('&', '&amp;')}&quot;`,
    );
    expect(headers.get('content-security-policy')).toContain("frame-src 'self'");
    expect((await browser.get('/')).headers.get('content-security-policy')).not.toContain('frame-src');
  });

  test.each([
    ['when=weekend', /<option value="weekend" selected>This weekend</],
    ['when=2026-12-05', /<option value="2026-12-05" selected>Saturday, 5 December 2026</],
    ['from=2026-12-05', /name="from" value="2026-12-05" checked>From Saturday, 5 December 2026</],
    ['language=fr', /<option value="fr" selected>French</],
  ])('keeps %s for the next choice', async (query, kept) => {
    expect((await browser.get(`/embed/new?${query}`)).html).toMatch(kept);
  });

  test('is not for search engines', async () =>
    expect((await browser.get('/embed/new')).html).toContain('<meta name="robots" content="noindex">'));
});

test('the page of an event links to six calendars, and offers to share it', async () => {
  const { html } = await browser.get('/event/jazz/');
  const buttons = [...html.matchAll(/<span class="gl" aria-hidden="true">(.)<\/span>([^<]+)<\/a>/g)].map(
    ([, , name]) => name,
  );
  expect(buttons).toEqual(['Google', 'Outlook', 'Microsoft 365', 'Yahoo', 'Apple', 'Calendar file (.ics)']);
  expect(html).toContain('src="/qr/event/jazz/.svg"');
  expect(html).toContain(`data-copy-text="${site.settings.publicUrl}/event/jazz/"`);
  // Without JavaScript, these buttons do nothing, so they start hidden.
  expect(html.match(/<button [^>]*data-(?:share|copy-text)[^>]*hidden>/g)).toHaveLength(2);
  expect(html).toContain(TITLE.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
});

const pictureOf = (html: string): string =>
  /property="og:image" content="[^"]*?(\/event\/[^"]+)"/.exec(html)?.[1] ?? '';

describe('the picture that social networks show of an event', () => {
  test('is made if the event has none of its own', async () => {
    const path = pictureOf((await browser.get('/event/jazz/')).html);
    expect(path).toBe('/event/jazz/card.png');
    const { status, headers } = await browser.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    const again = await browser.get(`${path}?x=1`, { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('has the size that its header says', async () => {
    const texts = { title: 'Jazz', when: 'now', place: '', calendar: 'x', month: 'Nov', day: '1', weekday: 'Sat' };
    const bytes = Buffer.from((await draw(cardSvg(texts, '#0b5b6b'))) ?? []);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test('is not made for an event that visitors cannot see', async () => {
    await site.ask('administrator', 'POST', '/events', {
      title: 'Draft',
      slug: 'draft',
      status: 'draft',
      start_date: '2026-12-06 10:00',
      end_date: '2026-12-06 11:00',
    });
    for (const slug of ['draft', 'nothing', '%E0%A4%A'])
      expect((await browser.get(`/event/${slug}/card.png`)).status).toBe(404);
  });
});

describe('feeds of the same events', () => {
  const linksOn = async (path: string): Promise<readonly (readonly [string, string])[]> =>
    [
      ...(await browser.get(path)).html.matchAll(/<link rel="alternate" type="([^"]+)" title="[^"]*" href="([^"]+)">/g),
    ].map(([, type = '', href = '']) => [type, href]);

  test('are linked from the list, with the same selection', async () =>
    expect(await linksOn('/?search=jazz&category=music')).toEqual([
      ['text/calendar', '/feeds/events.ics?search=jazz&amp;category=music'],
      ['application/rss+xml', '/feeds/events.rss?search=jazz&amp;category=music'],
      ['application/atom+xml', '/feeds/events.atom?search=jazz&amp;category=music'],
      ['application/feed+json', '/feeds/events.json?search=jazz&amp;category=music'],
    ]));

  test('are linked from the page of a category', async () =>
    expect((await linksOn('/category/music/')).map(([, href]) => href)).toContain('/feeds/category/music.rss'));
});
