import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

// Pages that are printed for the noticeboard. The clock is set to Friday, 20 November 2026.

let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await builtinSite();
  browser = pagesOf(site)();
  const make = (title: string, first: string, last: string, fields: object = {}): Promise<unknown> =>
    site.ask('administrator', 'POST', '/events', { title, start_date: first, end_date: last, ...fields });
  await make('Choir & organ', '2026-12-08 18:00', '2026-12-08 19:30', {
    slug: 'choir',
    cost: '10',
    venue: { venue: 'Town Hall' },
    categories: ['Music'],
    description: `<p>Come.</p><script>x()</script>${'<p>All of it is sung. </p>'.repeat(60)}`,
  });
  await make('Winters', '2026-11-01', '2027-02-28', { all_day: true });
  await make('Behind the door', '2026-12-09 18:00', '2026-12-09 19:00', { slug: 'door', password: 'sesame' });
  for (let hour = 8; hour < 20; hour += 1)
    for (const day of ['14', '15'])
      await make(`Visit ${day} ${hour}`, `2026-12-${day} ${hour}:00`, `2026-12-${day} ${hour}:30`, {
        venue: { venue: 'Hall' },
      });
});
afterAll(() => site.close());

const wordsOf = (html: string): string =>
  html
    .replace(/<svg[^]*?<\/svg>|<head>[^]*?<\/head>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('the printed week', () => {
  test('has its seven days, long events, and a QR code of its address', async () => {
    const { status, html } = await browser.get('/week/2026-12-07/sheet/');
    expect(status).toBe(200);
    expect(html.match(/<section class="day">/g)).toHaveLength(8);
    expect(wordsOf(html)).toContain('Tue 8 18:00 Choir &amp; organ Town Hall · $10');
    expect(wordsOf(html)).toContain('Winters until 28 February');
    expect(html).toMatch(/<div class="code" role="img" aria-label="[^"]+"><svg /);
    expect(wordsOf(html)).toContain('/week/2026-12-07 Point your phone');
    // The printed page is light, is not indexed, and has no navigation.
    expect(html).toContain('data-theme="light"');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('<nav');
  });

  test('is linked beside the name of the week, with the selection', async () => {
    const { html } = await browser.get('/week/2026-12-07/?search=choir');
    const bar = /<div class="bar-nav"><h1>[^]*?<\/div>/.exec(html)?.[0] ?? '';
    expect(wordsOf(bar)).toMatch(/^7 – 13 December .* Print$/);
    expect(bar).toContain('href="/week/2026-12-07/sheet/?search=choir"');
  });

  test('is set smaller if it has many events', async () => {
    expect((await browser.get('/week/2026-12-07/sheet/')).html).toContain('class="sheet"');
    const { html } = await browser.get('/week/2026-12-14/sheet/');
    expect(html).toContain('class="sheet close dense"');
    // Title and place are on one line there.
    expect(html).toContain('Visit 14 8</strong> <span>Hall');
  });

  test.each([
    ['/week/sheet/', 200, null],
    ['/week/2026-12-09/sheet/', 302, '/week/2026-12-07/sheet/'],
    ['/week/2026-12-09/sheet/?category=music', 302, '/week/2026-12-07/sheet/?category=music'],
    ['/week/2026-13-09/sheet/', 404, null],
    ['/week/2626-12-04/sheet/', 404, null],
  ])('%s answers %i', async (path, status, to) => {
    const answer = await browser.get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, to]);
  });

  test('of a category has only the events of that category', async () => {
    const { html } = await browser.get('/week/2026-12-07/sheet/?category=music');
    expect(wordsOf(html)).toContain('Choir');
    expect(wordsOf(html)).not.toContain('Winters');
  });
});

describe('the printed event', () => {
  test('says when, where and what it is, and has a QR code', async () => {
    const { html } = await browser.get('/event/choir/sheet/');
    expect(wordsOf(html)).toMatch(/Choir &amp; organ Tuesday, 8 December 2026 18:00 – 19:30 Town Hall \$10 Come\./);
    expect(wordsOf(html)).toContain('All… ');
    expect(html).toMatch(/<div class="code" role="img"[^>]*><svg /);
    expect(html).not.toMatch(/<script>|x\(\)/);
    expect((await browser.get('/event/choir/')).html).toContain('href="/event/choir/sheet/"');
  });

  test.each(['door', 'nothing'])('is not found at /event/%s/sheet/', async (slug) => {
    const { status, html } = await browser.get(`/event/${slug}/sheet/`);
    expect(status).toBe(404);
    expect(html).not.toContain('Behind');
  });
});
