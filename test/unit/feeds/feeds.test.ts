import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/error.ts';
import type { FeedDefinition } from '../../../src/feeds/definition/definition.ts';
import { handleFeedsUnasked } from '../../../src/feeds/handle-feeds.ts';
import { buildFeed } from '../../../src/feeds/content/build-feed.ts';
import { memoryExportState } from '../../support/memory-export-state.ts';
import { keyFor } from '../../../src/sync/model/slug.ts';
import { feedWorld, linesOf, music, NOW, ours } from '../../support/feed-world.ts';
import { violationsOf } from '../../support/ical-check.ts';
import { memorySite, siteEvent } from '../../support/memory-site.ts';

test('a feed has the events of its filters and its window, with stable UIDs', async () => {
  const { get, site } = feedWorld([
    ours,
    siteEvent(6, { categories: [music] }),
    siteEvent(7, { start_date: '2020-01-01 10:00:00', end_date: '2020-01-01 11:00:00' }),
    siteEvent(8, { start_date: '2026-01-01 10:00:00', end_date: '2026-11-01 11:00:00' }),
  ]);
  const all = await (await get('/feeds/all.ics')).text();
  expect(linesOf(all, 'UID:')).toEqual([
    `UID:${keyFor('library', 'uid-1')}@calsyncd`,
    'UID:6@site.example',
    'UID:8@site.example',
  ]);
  expect(linesOf(await (await get('/feeds/music.ics')).text(), 'UID:')).toEqual(['UID:6@site.example']);
  expect(violationsOf(Buffer.from(all))).toEqual([]);
  expect(site.queries).toEqual([
    { status: 'publish', ends_after: '2026-08-21', starts_before: '2028-05-13' },
    { status: 'publish', ends_after: '2026-08-21', starts_before: '2028-05-13', categories: 'music' },
  ]);
});

test("a window without past days still has tonight's events, west of Greenwich", async () => {
  const timezone = 'America/Los_Angeles';
  const tonight = siteEvent(1, { timezone, start_date: '2026-11-20 20:00:00', end_date: '2026-11-20 22:00:00' });
  const { get, clock } = feedWorld([tonight], [{ id: 'all', title: 'All', window: { past: 0, future: 86_400_000 } }], {
    timezone,
  });
  clock.now = Date.parse('2026-11-20T19:00:00-08:00');
  expect(linesOf(await (await get('/feeds/all.ics')).text(), 'UID:')).toEqual(['UID:1@site.example']);
});

test('events that are not public are left out, and unreadable ones are reported', async () => {
  const hidden = { title: 'Secret' };
  const { get, problems } = feedWorld([
    siteEvent(1, { ...hidden, status: 'draft' }),
    siteEvent(2, { ...hidden, status: 'private' }),
    siteEvent(3, { ...hidden, all_day: null as unknown as boolean, featured: null as unknown as boolean }),
    siteEvent(4, { start_date: '2027-99-99 00:00:00' }),
  ]);
  const text = await (await get('/feeds/all.ics')).text();
  expect(text).not.toContain('Secret');
  expect(linesOf(text, 'UID:')).toEqual([]);
  expect(violationsOf(Buffer.from(text))).toEqual([]);
  expect(problems).toEqual([expect.objectContaining({ code: 'event-dates', where: { slug: 'event-4' } })]);
});

test('a copy of our event gets a UID of its own, and an event that is listed twice appears once', async () => {
  const { get } = feedWorld([ours, { ...ours, id: 9 }, ours]);
  expect(linesOf(await (await get('/feeds/all.ics')).text(), 'UID:')).toEqual([
    `UID:${keyFor('library', 'uid-1')}@calsyncd`,
    'UID:9@site.example',
  ]);
});

test('a feed is the same bytes while nothing changes; SEQUENCE rises when something does', async () => {
  const { get, clock, site } = feedWorld([siteEvent(1)]);
  const first = await get('/feeds/all.ics');
  clock.now += 3_600_000;
  clock.revision++;
  const second = await get('/feeds/all.ics');
  expect([second.headers.get('etag'), second.headers.get('last-modified')]).toEqual([
    first.headers.get('etag'),
    first.headers.get('last-modified'),
  ]);
  const before = await first.text();
  expect(await second.text()).toBe(before);
  site.events = [siteEvent(1, { title: 'Moved', modified_utc: '2026-11-20 11:00:00' })];
  clock.revision++;
  clock.now += 60_000;
  const third = await get('/feeds/all.ics');
  const after = await third.text();
  expect(third.headers.get('etag')).not.toBe(first.headers.get('etag'));
  expect(Date.parse(third.headers.get('last-modified')!)).toBeGreaterThan(
    Date.parse(first.headers.get('last-modified')!),
  );
  expect(Number(linesOf(after, 'SEQUENCE:')[0]!.slice(9))).toBeGreaterThan(
    Number(linesOf(before, 'SEQUENCE:')[0]!.slice(9)),
  );
  expect(linesOf(after, 'DTSTAMP:')).toEqual(['DTSTAMP:20261120T110000Z']);
});

test('another public address of calsyncd is not a change of its events', async () => {
  const state = memoryExportState();
  const at = async (publicUrl: string, title: string, modified_utc: string) => {
    const client = memorySite([
      siteEvent(1, {
        title,
        modified_utc,
        url: `${publicUrl}/event/one`,
        image: { url: `${publicUrl}/images/a.png`, id: 1, extension: 'png' },
      }),
    ]);
    const { body } = await buildFeed(
      {
        client,
        ourKeys: async () => new Map<number, string>(),
        state,
        host: 'site.example',
        publicUrl,
        home: `${publicUrl}/`,
      },
      { id: 'all', title: 'All' },
      NOW,
    );
    return linesOf((await body.bytes()).toString(), 'SEQUENCE:');
  };
  const first = await at('http://127.0.0.1:8080', 'Jazz', '2026-11-02 09:00:00');
  expect(await at('http://127.0.0.1:9000', 'Jazz', '2026-11-02 10:00:00')).toEqual(first);
  expect(await at('http://127.0.0.1:9000', 'Blues', '2026-11-02 10:00:00')).not.toEqual(first);
});

test.each([
  ['UTC', 'Etc/UTC', ['UTC']],
  ['UTC+2', 'Etc/UTC', []],
  ['Europe/Warsaw', 'Europe/Warsaw', ['Europe/Warsaw']],
  ['europe/warsaw', 'Europe/Warsaw', ['Europe/Warsaw']],
])('a feed without events is a valid calendar on a site in %s', async (timezone, tzid, named) => {
  const site = memorySite([]);
  const { body } = await buildFeed(
    {
      client: { ...site, abilities: async () => ({ ...(await site.abilities()), timezone }) },
      ourKeys: async () => new Map<number, string>(),
      state: memoryExportState(),
      host: 'site.example',
      publicUrl: 'https://cal.example',
      home: 'https://cal.example/',
    },
    { id: 'all', title: 'All' },
    NOW,
  );
  const text = (await body.bytes()).toString();
  expect(violationsOf(Buffer.from(text))).toEqual([]);
  expect(linesOf(text, 'TZID:')).toEqual([`TZID:${tzid}`]);
  expect(linesOf(text, 'X-WR-TIMEZONE:')).toEqual(named.map((name) => `X-WR-TIMEZONE:${name}`));
});

test('the site is asked once for any number of requests, and again after a change', async () => {
  const { get, clock, site } = feedWorld([siteEvent(1)]);
  const texts = await Promise.all(Array.from({ length: 20 }, async () => (await get('/feeds/all.ics')).text()));
  expect([new Set(texts).size, site.queries.length]).toEqual([1, 1]);
  await get('/feeds/all.ics');
  expect(site.queries.length).toBe(1);
  clock.revision++;
  await Promise.all([get('/feeds/all.ics'), get('/feeds/all.ics')]);
  expect(site.queries.length).toBe(2);
  clock.now += 86_400_000;
  await get('/feeds/all.ics');
  await expect.poll(() => site.queries.length).toBe(3);
});

test('a site that cannot report changes is asked a limited number of times an hour, for any number of subscribers', async () => {
  const { get, clock, site } = feedWorld([siteEvent(1)]);
  // As for remote sites: every quarter of an hour counts as a change.
  for (let second = 0; second < 3_600; second += 10) {
    clock.now = NOW + second * 1000;
    clock.revision = Math.floor(clock.now / 900_000);
    const answers = await Promise.all(
      ['/feeds/all.ics', '/feeds/all.ics', '/feeds/music.ics', '/feeds/all.ics?cancelled=hide', '/feeds/'].map((path) =>
        get(path),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }
  // Three feeds, four times.
  expect(site.queries).toHaveLength(12);
});

test('requests wait for the new feed, and get the old one if that takes long', async () => {
  const { get, clock, site } = feedWorld([siteEvent(1, { title: 'Old' })]);
  const text = async (): Promise<string> => (await get('/feeds/all.ics')).text();
  await text();
  const change = (title: string): void => {
    site.events = [siteEvent(1, { title })];
    clock.revision++;
  };
  change('New');
  expect(await text()).toContain('SUMMARY:New');
  const { promise, resolve } = Promise.withResolvers<void>();
  site.pause = promise;
  change('Newest');
  expect(await Promise.all([text(), text(), text()])).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('SUMMARY:New\r\n')),
  );
  expect(site.queries).toHaveLength(3);
  resolve();
  await expect.poll(text).toContain('SUMMARY:Newest');
  expect(site.queries).toHaveLength(3);
});

test('a failing site is not asked at every request, and its last feed is served for a while', async () => {
  const { get, clock, site, problems } = feedWorld([siteEvent(1)]);
  const failure = new AppError('site-unreachable', 'no answer');
  site.failure = failure;
  const refused = await Promise.all([get('/feeds/all.ics'), get('/feeds/all.ics')]);
  expect(refused.map((answer) => [answer.status, answer.headers.get('retry-after')])).toEqual([
    [503, '300'],
    [503, '300'],
  ]);
  expect((await get('/feeds/all.ics')).status).toBe(503);
  expect(site.queries).toHaveLength(1);
  expect(problems.map(({ code }) => code)).toEqual(['site-unreachable']);
  site.failure = undefined;
  clock.now += 31_000;
  expect((await get('/feeds/all.ics')).status).toBe(200);
  site.failure = failure;
  clock.revision++;
  clock.now += 60_000;
  expect((await get('/feeds/all.ics')).status).toBe(200);
  expect(await (await get('/feeds/all')).text()).toContain('This is what it showed 1 minute ago');
  site.failure = undefined;
  clock.now += 31_000;
  expect(await (await get('/feeds/all')).text()).not.toContain('This is what it showed');
  site.failure = failure;
  clock.revision++;
  expect((await get('/feeds/all.ics')).status).toBe(200);
  clock.now += 7 * 3_600_000;
  expect((await get('/feeds/all.ics')).status).toBe(503);
});

test('without the database, a public feed is served from memory for five minutes, with its ETag and Age', async () => {
  const secret: FeedDefinition = { id: 'staff', title: 'Staff', access: { secret: { reveal: () => 'open-sesame' } } };
  const { get, clock, site, feeds } = feedWorld(
    [siteEvent(1)],
    [{ id: 'all', title: 'All' }, { id: 'never', title: 'Never' }, secret],
  );
  const unasked = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response | undefined> =>
    handleFeedsUnasked(feeds, new Request(`http://127.0.0.1:8080${path}`, { headers, method }));
  const fresh = await get('/feeds/all.ics');
  const [etag, text] = [fresh.headers.get('etag') ?? '', await fresh.text()];
  expect((await get('/feeds/~open-sesame/staff.ics')).status).toBe(200);
  expect((await get('/feeds/events.csv?search=event')).status).toBe(200);
  const asked = site.queries.length;
  expect((await unasked('/feeds/all.ics'))?.status).toBe(200);
  // Even if nobody has asked for it for a long time.
  clock.now += 20 * 60_000;
  await feeds.notice();
  clock.now += 4 * 60_000;
  const kept = await unasked('/feeds/all.ics');
  expect([kept?.status, kept?.headers.get('etag'), kept?.headers.get('age'), kept?.headers.get('warning')]).toEqual([
    200,
    etag,
    '240',
    null,
  ]);
  expect(await kept?.text()).toBe(text);
  const [known, head, table] = [
    await unasked('/feeds/all.ics', { 'if-none-match': etag }),
    await unasked('/feeds/all.ics', {}, 'HEAD'),
    await unasked('/feeds/events.csv?search=event'),
  ];
  expect([known?.status, head?.status, await head?.text(), table?.status]).toEqual([304, 200, '', 200]);
  for (const path of [
    '/feeds/never.ics',
    '/feeds/all',
    '/feeds/',
    '/feeds/unknown.ics',
    '/feeds/~open-sesame/staff.ics',
    '/feeds/events.ics?search=other',
  ])
    expect([path, await unasked(path)]).toEqual([path, undefined]);
  expect(await unasked('/feeds/all.ics', {}, 'POST')).toBeUndefined();
  expect(site.queries).toHaveLength(asked);
  clock.now += 61_000;
  expect(await unasked('/feeds/all.ics')).toBeUndefined();
});

test('a feed that is outdated when the database goes away is not served from memory', async () => {
  const { get, clock, feeds } = feedWorld([siteEvent(1)]);
  const unasked = () => handleFeedsUnasked(feeds, new Request('http://127.0.0.1:8080/feeds/all.ics'));
  expect((await get('/feeds/all.ics')).status).toBe(200);
  await feeds.notice();
  expect((await unasked())?.status).toBe(200);
  clock.revision += 1;
  await feeds.notice();
  expect(await unasked()).toBeUndefined();
});

test('a site that has changed since it failed is asked at once', async () => {
  const { get, clock, site } = feedWorld([siteEvent(1)]);
  site.failure = new AppError('site-refused', 'no such category yet');
  expect((await get('/feeds/all.ics')).status).toBe(503);
  site.failure = undefined;
  clock.revision++;
  expect((await get('/feeds/all.ics')).status).toBe(200);
});

test('a feed has the headers that calendar programs need', async () => {
  const { get } = feedWorld([siteEvent(1)]);
  const answer = await get('/feeds/all.ics');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'public, max-age=900',
    'access-control-allow-origin': '*',
    'content-disposition': 'inline; filename="all.ics"',
    etag: expect.stringMatching(/^"[\w-]+"$/),
    'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT',
    vary: 'Accept-Encoding',
    'content-length': String((await answer.arrayBuffer()).byteLength),
  });
  const head = await get('/feeds/all.ics', {}, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
    200,
    '',
    answer.headers.get('content-length'),
  ]);
});

test('scripts of other sites may send conditional requests', async () => {
  const { get } = feedWorld([]);
  for (const path of ['/feeds/all.ics', '/feeds/~secret/staff.ics']) {
    const answer = await get(
      path,
      {
        origin: 'https://other.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
      'OPTIONS',
    );
    expect([
      answer.status,
      answer.headers.get('access-control-allow-origin'),
      answer.headers.get('access-control-allow-headers'),
    ]).toEqual([204, '*', 'If-None-Match, If-Modified-Since']);
  }
});

test('conditional requests are answered with 304 if nothing has changed', async () => {
  const { get } = feedWorld([siteEvent(1)]);
  const { headers } = await get('/feeds/all.ics');
  const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!];
  const status = async (conditions: Record<string, string>): Promise<number> =>
    (await get('/feeds/all.ics', conditions)).status;
  expect(
    await Promise.all(
      [
        { 'if-none-match': etag },
        { 'if-none-match': `"other", W/${etag}` },
        { 'if-none-match': '*' },
        { 'if-none-match': etag.replace(/"$/, '-gzip"') },
        { 'if-modified-since': modified },
      ].map(status),
    ),
  ).toEqual([304, 304, 304, 304, 304]);
  expect(
    await Promise.all(
      [
        { 'if-none-match': '"other"' },
        { 'if-none-match': '"other"', 'if-modified-since': modified },
        { 'if-modified-since': 'Thu, 19 Nov 2026 12:00:00 GMT' },
        { 'if-modified-since': 'yesterday' },
      ].map(status),
    ),
  ).toEqual([200, 200, 200, 200]);
  const unchanged = await get('/feeds/all.ics', { 'if-none-match': etag });
  expect([await unchanged.text(), unchanged.headers.get('etag'), unchanged.headers.get('content-length')]).toEqual([
    '',
    etag,
    null,
  ]);
});

test.each<[string, string | null, (body: Buffer) => Buffer]>([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['identity', null, (body) => body],
  ['*', 'br', brotliDecompressSync],
  ['gzip;q=0.5, identity', null, (body) => body],
  ['', null, (body) => body],
])('Accept-Encoding %j gets %s', async (accepted, coding, decode) => {
  const { get } = feedWorld([siteEvent(1)]);
  const [plain, coded] = [await get('/feeds/all.ics'), await get('/feeds/all.ics', { 'accept-encoding': accepted })];
  expect(coded.headers.get('content-encoding')).toBe(coding);
  expect(decode(Buffer.from(await coded.arrayBuffer())).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
  expect(coded.headers.get('etag') === plain.headers.get('etag')).toBe(coding === null);
});

test.each<[string, string, number, RegExp]>([
  [
    'GET',
    '/feeds/nothing.ics',
    404,
    /https:\/\/cal\.example\/feeds\/all\.ics {2}Everything on\nhttps:\/\/cal\.example\/feeds\/music\.ics/,
  ],
  ['GET', '/feeds/%E0%A4.ics', 404, /no such feed/],
  ['GET', '/feeds/nothing', 404, /no such feed/],
  ['POST', '/feeds/all.ics', 405, /GET or HEAD/],
  ['GET', '/robots.txt', 200, /^User-agent: \*\nAllow: \/feeds\/\n/],
  ['GET', '/feeds', 301, /^$/],
])('%s %s is %i', async (method, path, status, text) => {
  const answer = await feedWorld([]).get(path, {}, method);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toMatch(text);
});

test('the page lists every feed, and texts of the configuration are escaped', async () => {
  const { get, feeds } = feedWorld(
    [siteEvent(1)],
    [
      {
        id: 'a b',
        title: 'Rock <script>alert(1)</script> & "Roll"',
        description: '<b>x</b>',
        categories: ['music', 'jazz'],
        search: 'a"b',
      },
    ],
  );
  await feeds.feed(feeds.definitions[0]!);
  const answer = await get('/feeds/');
  const html = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('href="webcal://cal.example/feeds/a%20b.ics"');
  expect(html).toContain('<p class="src">0 events</p>');
  expect(html).not.toMatch(/<script>alert|<b>x/);
  const page = await (await get('/feeds/a%20b')).text();
  expect(page).toContain('value="https://cal.example/feeds/a%20b.ics"');
  expect(page).toContain(
    '0 events: categories music or jazz, containing “a&quot;b”, from 90 days back to 540 days ahead.',
  );
  expect(page).not.toMatch(/<script>alert|<b>x/);
  const csp = answer.headers.get('content-security-policy')!;
  expect(csp).toContain("script-src 'self'");
});
