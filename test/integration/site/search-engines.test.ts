import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { feedWorld, music } from '../../support/feed-world.ts';
import { siteEvent } from '../../support/memory-site.ts';
import { pagesOf, type Browser, type Shown } from '../../support/site-pages.ts';

// What each kind of public page tells search engines. The clock is set to Friday, 20 November 2026.

let site: TestSite;
let browser: Browser;

beforeAll(async () => {
  site = await builtinSite({ suggestions: true, description: 'Concerts & "markets"' });
  browser = pagesOf(site)();
  const make = async (title: string, day: string, fields: object = {}): Promise<unknown> =>
    site.ask('administrator', 'POST', '/events', {
      title,
      start_date: `${day} 18:00`,
      end_date: `${day} 19:00`,
      ...fields,
    });
  const named = {
    categories: ['Music'],
    tags: ['Indoors'],
    venue: { venue: 'Hall' },
    organizer: [{ organizer: 'Club' }],
  };
  await make('Jazz', '2026-12-05', named);
  await make('Over', '2026-11-02', { venue: { venue: 'Ruin' }, categories: ['Past'] });
  await make('Off', '2026-12-06', { tags: ['Cancelled'] });
  await make('Locked', '2026-12-07', { password: 'sesame' });
  await make('Gone', '2026-12-08');
  await site.ask('administrator', 'DELETE', '/events/by-slug/gone');
});
afterAll(() => site.close());

/** Indexed under an address, not indexed, or not to be crawled at all. */
type Wanted = `/${string}` | 'noindex' | 'closed';
const PAGES: readonly (readonly [path: string, status: number, wanted: Wanted])[] = [
  ['/', 200, '/'],
  ['/?category=music', 200, 'closed'],
  ['/?search=x&when=weekend', 200, 'closed'],
  [`/?search=${'x'.repeat(201)}`, 400, 'closed'],
  ['/month/', 200, '/month/2026-11/'],
  ['/month/2026-12/', 200, '/month/2026-12/'],
  ['/month/2026-12/?category=music', 200, 'closed'],
  ['/month/2026-10/', 200, 'noindex'],
  ['/month/2027-01/', 200, 'noindex'],
  ['/month/1950-01/', 404, 'noindex'],
  ['/week/', 200, 'noindex'],
  ['/week/2026-11-30/', 200, '/week/2026-11-30/'],
  ['/week/2026-11-30/?category=music', 200, 'closed'],
  ['/week/2026-11-02/', 200, 'noindex'],
  ['/week/2026-11-30/sheet/', 200, 'noindex'],
  ['/event/jazz/', 200, '/event/jazz/'],
  ['/event/over/', 200, '/event/over/'],
  ['/event/off/', 200, '/event/off/'],
  ['/event/locked/', 200, 'noindex'],
  ['/event/jazz/dates/', 200, 'noindex'],
  ['/event/jazz/sheet/', 200, 'noindex'],
  ['/event/jazz/embed/', 200, 'noindex'],
  ['/event/gone/', 410, 'noindex'],
  ['/event/never/', 404, 'noindex'],
  ['/category/music/', 200, '/category/music/'],
  ['/category/past/', 200, 'noindex'],
  ['/tag/indoors/', 200, '/tag/indoors/'],
  ['/venue/hall/', 200, '/venue/hall/'],
  ['/venue/ruin/', 200, 'noindex'],
  ['/venue/never/', 404, 'noindex'],
  ['/organizer/club/', 200, '/organizer/club/'],
  ['/embed/', 200, 'closed'],
  ['/embed/new', 200, 'closed'],
  ['/authorize', 200, 'closed'],
  ['/edit/', 401, 'closed'],
  ['/suggest/', 200, 'closed'],
];

/** Whether robots.txt asks programs to stay away from a path. */
function isClosed(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, rule = '']) => rule);
  return rules.some((rule) => {
    const [before = '', after = ''] = rule.split('*');
    return path.startsWith(before) && path.slice(before.length).includes(after);
  });
}

const isHidden = ({ status, headers, html }: Shown): boolean =>
  status >= 400 ||
  html.includes('<meta name="robots" content="noindex">') ||
  (headers.get('x-robots-tag') ?? '').includes('noindex');

test.each(PAGES)('%s is %i and %s', async (path, status, wanted) => {
  const robots = await (await feedWorld([]).get('/robots.txt')).text();
  const page = await browser.get(path);
  const canonical = /<link rel="canonical" href="https:\/\/site\.example([^"]*)"/.exec(page.html)?.[1];
  expect(page.status).toBe(status);
  expect(isClosed(robots, path)).toBe(wanted === 'closed');
  // Other sites may link to what is closed.
  expect(isHidden(page) ? 'noindex' : canonical).toBe(wanted === 'closed' ? 'noindex' : wanted);
});

test.each(PAGES.flatMap(([path, , wanted]) => (wanted.startsWith('/') ? [[path, wanted] as const] : [])))(
  'sharing %s shares its canonical address and its title',
  async (path, wanted) => {
    const { html } = await browser.get(path);
    const of = (name: string): string | undefined =>
      new RegExp(`<meta property="og:${name}" content="([^"]+)"`).exec(html)?.[1];
    expect([of('url'), of('site_name')]).toEqual([`https://site.example${wanted}`, 'Site']);
    expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toContain(of('title'));
  },
);

test.each([
  ['/feeds/', 200, 'found'],
  ['/feeds/music', 200, 'found'],
  ['/feeds/events', 200, 'found'],
  ['/feeds/events?category=music', 200, 'closed'],
  ['/feeds/category/music', 200, 'found'],
  ['/feeds/never', 404, 'noindex'],
] as const)('%s is %i and %s', async (path, status, wanted) => {
  const { get } = feedWorld([siteEvent(1, { categories: [music] })]);
  const robots = await (await get('/robots.txt')).text();
  const answer = await get(path);
  const page = { status: answer.status, headers: answer.headers, html: await answer.text() };
  expect([page.status, isHidden(page), isClosed(robots, path)]).toEqual([
    status,
    wanted !== 'found',
    wanted === 'closed',
  ]);
});

test('robots.txt allows feeds, calendar files and the sitemap', async () => {
  const { get } = feedWorld([]);
  const robots = await (await get('/robots.txt')).text();
  for (const path of ['/feeds/all.ics', '/feeds/all.rss', '/feeds/music.json', '/sitemap.xml', '/event/jazz.ics'])
    expect([path, isClosed(robots, path)]).toEqual([path, false]);
});

test('robots.txt has the path of the calendar in its rules', async () => {
  const { get } = feedWorld([], undefined, { publicUrl: 'https://town.example/events' });
  const robots = await (await get('/robots.txt')).text();
  const asked = [
    '/events/authorize',
    '/events/?search=a',
    '/events/month/2027-01/?free=1',
    '/events/event/jazz/',
    '/other',
  ];
  expect(asked.map((path) => isClosed(robots, path))).toEqual([true, true, true, false, false]);
  expect(robots).toContain('\nAllow: /events/feeds/\n');
});

test('the description of the calendar is on its front page only', async () => {
  const said = async (path: string): Promise<boolean> =>
    (await browser.get(path)).html.includes('<meta name="description" content="Concerts &amp; &quot;markets&quot;">');
  expect([await said('/'), await said('/?category=music'), await said('/month/2026-12/')]).toEqual([
    true,
    false,
    false,
  ]);
});
