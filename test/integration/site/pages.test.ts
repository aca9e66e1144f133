import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/time.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { pagesOf, type Browser } from '../../support/site-pages.ts';

// The public pages over the real interface and store. The clock is set to 20 November 2026.

let site: TestSite;
let browser: Browser;

beforeAll(async () => {
  site = await builtinSite();
  browser = pagesOf(site)();
  const venue = { venue: 'Hall & Garden', address: 'ul. Leśna 1', city: 'Zielonka', show_map_link: 'true' };
  const made = [
    {
      title: 'Jazz & Blues',
      slug: 'jazz',
      start_date: '2026-12-05 20:00',
      end_date: '2026-12-05 23:00',
      categories: ['Music'],
      tags: ['Indoors'],
      venue,
      organizer: [{ organizer: 'Jazz club', website: 'https://jazz.example' }],
      show_map_link: true,
      website: 'https://jazz.example/?a=1&b=2',
      description: '<p>Loud.</p><script>x()</script></script>',
      cost: '12',
    },
    { title: 'Exhibition', slug: 'exhibition', start_date: '2026-10-01', end_date: '2026-12-31', all_day: true },
    { title: 'Over', slug: 'over', start_date: '2026-11-01 10:00', end_date: '2026-11-01 11:00' },
    { title: 'Draft', slug: 'draft', status: 'draft', start_date: '2026-12-06 10:00', end_date: '2026-12-06 11:00' },
    { title: 'Gone', slug: 'gone', start_date: '2026-12-06 10:00', end_date: '2026-12-06 11:00' },
    { title: '早春音乐会', start_date: '2026-12-07 10:00', end_date: '2026-12-07 11:00', categories: ['音乐'] },
    {
      title: 'New York talk',
      slug: 'talk',
      start_date: '2026-12-08 10:00',
      end_date: '2026-12-08 11:00',
      timezone: 'America/New_York',
    },
  ];
  for (const event of made) await site.ask('administrator', 'POST', '/events', event);
  await site.ask('administrator', 'DELETE', '/events/by-slug/gone');
});
afterAll(() => site.close());

const shown = async (path: string): Promise<string> => (await browser.get(path)).html;
const titlesOn = (html: string): readonly string[] =>
  [...html.matchAll(/<a href="\/event\/[^"]+\/">([^<]+)<\/a>/g)].map(([, title = '']) => title);

describe('the list', () => {
  test('has coming and ongoing events, in order', async () => {
    const html = await shown('/');
    expect(titlesOn(html)).toEqual(['Exhibition', 'Jazz &amp; Blues', '早春音乐会', 'New York talk']);
    expect([...html.matchAll(/<section class="day[^>]* id="d-([^"]+)"/g)].map(([, day]) => day)).toEqual([
      '2026-12-05',
      '2026-12-07',
      '2026-12-08',
    ]);
    expect(html).toContain('until 31 Dec');
    expect(html).toContain('10:00</time> EST');
  });

  test.each([
    ['/?search=jazz', ['Jazz &amp; Blues']],
    ['/?from=2026-12-08', ['Exhibition', 'New York talk']],
    ['/?from=2026-11-01', ['Exhibition', 'Over', 'Jazz &amp; Blues', '早春音乐会', 'New York talk']],
  ])('at %s has %j', async (path, titles) => {
    const html = await shown(path);
    expect(titlesOn(html)).toEqual(titles);
  });

  test('says so if the calendar is empty', async () => {
    const empty = await builtinSite({ languages: ['pl'] });
    try {
      const html = (await pagesOf(empty)().get('/')).html;
      expect(html).toContain('<html lang="pl">');
      expect(html).toContain('Nie ma jeszcze żadnych zapowiedzi.');
    } finally {
      await empty.close();
    }
  });
});

describe('an event', () => {
  test.each(['/event/jazz/', '/event/jazz', '/event/Jazz/'])('is at %s', async (path) => {
    const { status, html, headers } = await browser.get(path);
    expect(status).toBe(200);
    expect(html).toContain('<h1 dir="auto">Jazz &amp; Blues</h1>');
    expect(html).toContain('<title>Jazz &amp; Blues – Site</title>');
    expect(html).toContain('<link rel="canonical" href="https://site.example/event/jazz/">');
    expect(headers.get('link')).toBe('<https://site.example/api/>; rel="https://api.w.org/"');
  });

  test.each([
    ['/', ''],
    ['/month/2026-12/', ''],
    ['/event/jazz/', 'events/{id}'],
    ['/category/music/', 'events/?categories=music'],
    ['/tag/indoors/', 'events/?tags=indoors'],
    ['/venue/hall-garden/', 'events/?venue={venue}'],
  ])('like every page, links to its data in the REST interface: %s to %s', async (path, expected) => {
    const { body } = await site.ask(null, 'GET', '/events/by-slug/jazz');
    const address = `https://site.example/api/calendar/events/v1/${expected.replace('{id}', String(body.id)).replace('{venue}', String(body.venue.id))}`;
    const { headers, html } = await browser.get(path);
    expect([headers.get('x-tec-api-version'), headers.get('x-tec-api-origin'), headers.get('x-tec-api-root')]).toEqual([
      'v1',
      'https://site.example',
      address,
    ]);
    for (const part of [
      '<meta name="tec-api-version" content="v1">',
      '<meta name="tec-api-origin" content="https://site.example">',
      `<link rel="alternate" type="application/json" href="${address}">`,
    ])
      expect(html).toContain(part);
    const { status, body: there } = await site.ask(null, 'GET', new URL(address).pathname + new URL(address).search);
    expect([status, JSON.stringify(there).includes('Jazz') || expected === '']).toEqual([200, true]);
  });

  test('says when and where it is, who organizes it, and how to save it', async () => {
    const html = await shown('/event/jazz/');
    for (const part of [
      '<dd><a href="/venue/hall-garden/" dir="auto">Hall &amp; Garden</a></dd><dd>ul. Leśna 1, Zielonka</dd>',
      'https://www.openstreetmap.org/search?query=',
      '<a href="/organizer/jazz-club/" dir="auto">Jazz club</a>',
      'href="/category/music/"><i aria-hidden="true">M</i> Music</a>',
      '<a href="/tag/indoors/">Indoors</a>',
      'href="https://jazz.example/?a=1&amp;b=2"',
      '20:00</time> – <time',
      'href="/event/jazz.ics"',
      'https://calendar.google.com/',
      'https://outlook.live.com/',
      '<p>Loud.</p>',
    ])
      expect(html).toContain(part);
    expect(html).not.toContain('x()');
  });

  test('describes itself to programs', async () => {
    const html = await shown('/event/jazz/');
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as object;
    expect(data).toMatchObject({
      '@type': 'Event',
      name: 'Jazz & Blues',
      startDate: '2026-12-05T20:00:00+01:00',
      location: { '@type': 'Place', name: 'Hall & Garden' },
    });
    const link = /type="application\/json\+oembed" href="([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&');
    const { body } = await site.ask(null, 'GET', new URL(link).pathname + new URL(link).search);
    expect(body).toMatchObject({ type: 'rich', title: expect.stringContaining('Jazz') as string });
  });

  test.each<[string, number]>([
    ['/event/none/', 404],
    ['/event/draft/', 404],
    ['/event/gone/', 410],
    ['/event/gone__trashed/', 410],
    ['/event/gone/embed/', 410],
    ['/event/draft/embed/', 404],
    ['/event/%E0%A4%A/', 404],
    ['/event/a%00b/', 404],
    ['/nonsense', 404],
  ])('%s is answered with %i', async (path, status) => {
    const answer = await browser.get(path);
    expect([answer.status, answer.html.includes('Draft')]).toEqual([status, false]);
  });

  test('with a password is shown only for that password', async () => {
    await site.ask('administrator', 'POST', '/events', {
      title: 'Closed circle',
      slug: 'closed',
      start_date: '2026-12-10 10:00',
      end_date: '2026-12-10 11:00',
      description: 'The secret place',
    });
    await site.ask('administrator', 'PUT', '/events/by-slug/closed', { password: 'sesame' });
    const asked = await browser.get('/event/closed/');
    const [wrong, right] = [
      await browser.post('/event/closed/', { password: 'x' }),
      await browser.post('/event/closed/', { password: 'sesame' }),
    ];
    expect([asked.status, wrong.status, right.status, right.headers.get('cache-control')]).toEqual([
      200,
      403,
      200,
      'no-store',
    ]);
    expect(
      [asked, wrong, right].map(({ html }) => [html.includes('name="password"'), html.includes('The secret place')]),
    ).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);
    expect((await browser.get('/event/closed/embed/')).status).toBe(404);
    expect(await shown('/month/2026-12/')).toContain('Closed circle</bdi></a>');
    await site.ask('administrator', 'DELETE', '/events/by-slug/closed?password=sesame');
  });

  test('in another language than the page declares it, so that it is pronounced correctly', async () => {
    const { body } = await site.ask('administrator', 'POST', '/events', {
      title: 'Wieczór',
      slug: 'wieczor',
      start_date: '2026-12-11 10:00',
      end_date: '2026-12-11 11:00',
      description: 'Po polsku',
      translation_language: 'pl',
    });
    expect(await shown('/event/wieczor/')).toMatch(
      /<html lang="en">[\s\S]*<h1 lang="pl" dir="auto">Wieczór<\/h1>[\s\S]*description" lang="pl" dir="auto"><p>Po polsku/,
    );
    expect(await shown('/')).toContain('href="/event/wieczor/" lang="pl">Wieczór');
    expect(await shown('/month/2026-12/')).toMatch(/href="\/event\/wieczor\/" lang="pl">.*?Wieczór/);
    expect((await browser.get('/event/wieczor/embed/')).html).toContain('<h1 lang="pl">');
    await site.ask('administrator', 'DELETE', `/events/${body.id}`);
  });

  test('with a name in another script has links that work', async () => {
    const path = /href="(\/event\/%[^"]+\/)"/.exec(await shown('/'))![1]!;
    expect((await browser.get(path)).status).toBe(200);
    const category = /href="(\/category\/%[^"]+\/)"/.exec(await shown(path))![1]!;
    expect(await shown(category)).toContain('<h1 dir="auto">音乐</h1>');
  });

  test('is found by its id too', async () => {
    const {
      body: { id },
    } = await site.ask(null, 'GET', '/events/by-slug/jazz');
    const { status, headers } = await browser.get(`/?post_type=calendar_events&p=${id}`);
    expect([status, headers.get('location')]).toEqual([301, 'https://site.example/event/jazz/']);
  });
});

test('a site below a path has that path in all its links', async () => {
  const below = await builtinSite({ publicUrl: 'https://town.example/calendar' });
  try {
    await below.ask('administrator', 'POST', '/api/calendar/events/v1/events', {
      title: 'Jazz',
      slug: 'jazz',
      start_date: '2026-12-05 20:00',
      end_date: '2026-12-05 23:00',
      categories: ['Music'],
    });
    // The proxy in front of it removes the path.
    const reader = pagesOf(below)();
    const pages = await Promise.all(
      ['/', '/month/2026-12/', '/event/jazz/', '/category/music/', '/authorize'].map((path) => reader.get(path)),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const links = pages.flatMap(({ html }) =>
      [...html.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, link = '']) => link),
    );
    expect(links.filter((link) => !link.startsWith('/calendar/'))).toEqual([]);
    expect(pages.at(-1)!.headers.getSetCookie()[0]).toContain('Path=/calendar/authorize;');
  } finally {
    await below.close();
  }
});

test('the card may be framed by any site, the pages only by their own', async () => {
  const card = await browser.get('/event/jazz/embed/');
  expect(card.status).toBe(200);
  expect(card.headers.get('content-security-policy')).toContain('frame-ancestors *');
  expect(card.html).toContain('target="_blank"');
  expect((await browser.get('/event/jazz/')).headers.get('content-security-policy')).toContain(
    "frame-ancestors 'self'",
  );
});

test.each<[string, readonly string[]]>([
  ['/category/music/', ['<h1 dir="auto">Music</h1>', 'Jazz &amp; Blues']],
  ['/tag/indoors', ['<h1 dir="auto">Indoors</h1>', 'Jazz &amp; Blues']],
  [
    '/venue/hall-garden/',
    ['<h1 dir="auto">Hall &amp; Garden</h1>', 'ul. Leśna 1', 'openstreetmap.org', 'Jazz &amp; Blues'],
  ],
  ['/organizer/jazz-club/', ['<h1 dir="auto">Jazz club</h1>', 'https://jazz.example', 'Jazz &amp; Blues']],
])('%s has its name, its details and its event', async (path, parts) => {
  const { status, html } = await browser.get(path);
  expect([status, parts.filter((part) => !html.includes(part)), titlesOn(html)]).toEqual([
    200,
    [],
    ['Jazz &amp; Blues'],
  ]);
});

test.each([
  ['/?ical=1', '/feeds/events.ics'],
  ['/event/jazz/?ical=1', '/event/jazz.ics'],
  ['/category/music/?outlook-ical=1', '/feeds/category/music.ics'],
])('%s redirects to %s', async (path, calendar) => {
  const { status, headers } = await browser.get(path);
  expect([status, headers.get('location')]).toEqual([302, calendar]);
});

test.each(['/category/none/', '/tag/music/', '/venue/none/', '/organizer/hall-garden/'])(
  '%s is not found',
  async (path) => expect((await browser.get(path)).status).toBe(404),
);

describe('what caches and programs need', () => {
  test('pages that are read in turn are made only once each', async () => {
    const weeks = Array.from({ length: 70 }, (_, week) => `/week/${dayAfter('2026-01-05', 7 * week)}/`);
    for (const week of weeks) expect((await browser.get(week)).status).toBe(200);
    const before = site.statements();
    for (const week of weeks) await browser.get(week);
    // Only the revision is read.
    expect(site.statements() - before).toBe(weeks.length);
  });

  test('the events of a list, month or week are looked up once, even for another address', async () => {
    for (const path of ['/', '/month/2026-12/', '/week/2026-12-14/']) {
      await browser.get(path);
      const before = site.statements();
      const { status } = await browser.get(`${path}?from-a-letter=1`);
      // Only the revision is read.
      expect([path, status, site.statements() - before]).toEqual([path, 200, 1]);
    }
  });

  test('an unchanged page is not sent again, until something is written', async () => {
    const { headers } = await browser.get('/');
    const tag = headers.get('etag')!;
    const again = await browser.get('/', { 'if-none-match': `W/${tag}` });
    expect([again.status, again.html, again.headers.get('etag')]).toEqual([304, '', tag]);
    const before = site.statements();
    await browser.get('/');
    // Only the revision is read.
    expect(site.statements() - before).toBe(1);
    await site.ask('administrator', 'POST', '/events', {
      title: 'New',
      slug: 'new',
      start_date: '2026-12-20 10:00',
      end_date: '2026-12-20 11:00',
    });
    expect(titlesOn((await browser.get('/', { 'if-none-match': tag })).html)).toContain('New');
    await site.ask('administrator', 'DELETE', '/events/by-slug/new');
  });

  test('a page that is requested again is sent compressed', async () => {
    const address = `/?search=${Date.now()}`;
    const ask = (): ReturnType<Browser['get']> => browser.get(address, { 'accept-encoding': 'gzip, deflate, br' });
    const [first, second] = [await ask(), await ask()];
    const plain = await browser.get(address);
    expect([first, second, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'br', null]);
    expect(plain.html).toBe(first.html);
    const [whole = 0, less = 0] = [first, second].map(({ headers }) => Number(headers.get('content-length')));
    expect(less).toBeLessThan(whole / 2);
  });

  test('an event from an earlier day shows when it ends, unless it is all day', async () => {
    const make = (slug: string, start: string, end: string, more: object = {}): Promise<unknown> =>
      site.ask('administrator', 'POST', '/events', { title: slug, slug, start_date: start, end_date: end, ...more });
    const today = '2026-11-20';
    await make('fair', '2026-11-18 17:45', `${today} 18:30`);
    await make('camp', '2026-11-18 17:45', '2026-11-22 12:00');
    await make('sale', '2026-11-18', today, { all_day: true });
    const { html } = await browser.get(`/?from=${today}&lasting=all`);
    const timeOf = (slug: string): string | undefined =>
      new RegExp(String.raw`<div class="t">((?:(?!</div>).)*)</div>\s*<div><h3><a[^>]*/event/${slug}/`, 's')
        .exec(html)?.[1]
        ?.replaceAll(/<[^>]+>/g, '');
    expect(['fair', 'camp', 'sale'].map(timeOf)).toEqual(['until 18:30', 'until 22 Nov', 'all day']);
    for (const slug of ['fair', 'camp', 'sale']) await site.ask('administrator', 'DELETE', `/events/by-slug/${slug}`);
  });

  test('the parts of an event in a list are separate words, even without styles', async () => {
    const venue = await site.ask('administrator', 'POST', '/venues', { venue: 'Shed' });
    await site.ask('administrator', 'POST', '/events', {
      title: 'Tea',
      slug: 'tea',
      start_date: '2026-11-21 19:00',
      end_date: '2026-11-21 21:00',
      venue: venue.body.id,
      cost: 'Free',
    });
    const { html } = await browser.get('/?from=2026-11-21');
    const line = html.split('<li class="ev">').find((one) => one.includes('/event/tea/')) ?? '';
    expect(line.replace(/<\/li>.*/s, '').replaceAll(/<[^>]+>/g, '')).toBe('19:00 2 h\nTea\nShed Free');
    await site.ask('administrator', 'DELETE', '/events/by-slug/tea');
    await site.ask('administrator', 'DELETE', `/venues/${venue.body.id}`);
  });

  test('pages are read-only', async () => expect((await browser.post('/', {})).status).toBe(405));

  test('assets are served, and not sent again to a client that has them', async () => {
    for (const [path, type] of [
      ['/favicon.ico', 'image/svg+xml'],
      ['/assets/doc/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
      ['/assets/doc/swagger-ui.css', 'text/css; charset=utf-8'],
      ['/assets/doc/doc.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const { status, headers } = await browser.get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, type]);
      expect((await browser.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
    }
    expect([
      (await browser.get('/assets/../package.json')).status,
      (await browser.get('/assets/constructor')).status,
    ]).toEqual([404, 404]);
  });

  test('the documentation is a page for browsers and a document for programs', async () => {
    const path = '/api/calendar/events/v1/doc';
    const page = await browser.get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(page.html).toContain('/assets/doc/swagger-ui-bundle.js');
    const document = await browser.get(path, { accept: '*/*' });
    expect([document.headers.get('content-type'), document.headers.get('vary')]).toEqual([
      'application/json; charset=UTF-8',
      expect.stringContaining('Accept'),
    ]);
    expect(JSON.parse(document.html)).toMatchObject({ openapi: '3.0.3' });
  });
});

test('long events are beside the days, or in their place if there are none', async () => {
  const beside = /<aside class="stack[^"]*">\n?<section class="long[\s\S]*<section class="day/;
  const inPlace = /<\/aside>\n<div>[^<]*<section class="long/;
  const all = await shown('/');
  expect([beside.test(all), inPlace.test(all)]).toEqual([true, false]);
  const alone = await shown('/?search=exhibition');
  expect([beside.test(alone), inPlace.test(alone)]).toEqual([false, true]);
});

test.each([
  ['/', null],
  ['/?search=jazz', null],
  ['/week/', null],
  ['/month/', null],
  ['/event/jazz/', '/'],
  ['/event/jazz/dates/', '/event/jazz/'],
  ['/event/gone/', '/'],
  ['/venue/hall-garden/', '/'],
  ['/category/music/', '/'],
  ['/nothing/', '/'],
  ['/embed/new', '/'],
  ['/authorize', '/'],
  ['/edit/', '/'],
  ['/week/sheet/', null],
  ['/embed/', null],
])('%s leads back to %s', async (path, up) => {
  const html = await shown(path);
  const crumbs = [...html.matchAll(/<p class="crumb"><a href="([^"]+)">← /g)].map(([, href]) => href);
  expect(crumbs).toEqual(up === null ? [] : [up]);
  expect(up === null || html.includes('<main id="main" class="wrap">\n<p class="crumb">')).toBe(true);
});

test('the site reported no errors', () => expect(site.errors).toEqual([]));
