import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { openFeedHttp, type FeedHttp } from '../../../src/run/fetch/fetch-feed.ts';
import { fetchPage } from '../../../src/run/fetch/fetch-page.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { body, endless, feedServer, redirect, type FeedServer } from '../../support/feed-server.ts';

// The oEmbed proxy over real connections, to another site that says where its oEmbed data are.

let site: TestSite;
let server: FeedServer;
let http: FeedHttp;
let guarded: FeedHttp;
let isGuarded = false;
const HTML = { 'content-type': 'text/html' };
const DATA = {
  version: '1.0',
  type: 'rich',
  title: 'Elsewhere',
  html: '<iframe src="https://x.example/f"></iframe>',
  width: 600,
  height: 300,
};
const DAY_MS = 86_400_000;

beforeAll(async () => {
  server = await feedServer();
  http = openFeedHttp(['127.0.0.1']);
  guarded = openFeedHttp([]);
  site = await builtinSite({}, (url, accept) => fetchPage(url, accept, isGuarded ? guarded : http, 'test'));
  await site.ask('administrator', 'POST', '/events', {
    title: 'Jazz & more',
    start_date: '2027-01-10 18:00',
    end_date: '2027-01-10 20:00',
    slug: 'jazz',
  });
});
beforeEach(() => {
  isGuarded = false;
  server.on('/page', body(`<head><link type="application/json+oembed" href="/oembed?url=x"></head>`, HTML));
  server.on('/oembed', body(JSON.stringify(DATA), { 'content-type': 'application/json' }));
});
afterAll(async () => {
  await Promise.all([http.close(), guarded.close(), server.close(), site.close()]);
});

const proxy = (params: Readonly<Record<string, string>>, as: 'contributor' | 'subscriber' | null = 'contributor') =>
  site.ask(as, 'GET', `/api/oembed/1.0/proxy?${new URLSearchParams(params)}`);
const asked = (path: string): number => server.requests.filter(({ url }) => url?.startsWith(path)).length;

test("the oEmbed data of another site's page are found, and made harmless", async () => {
  const { status, body: found } = await proxy({ url: `${server.url}/page?1`, maxwidth: '300', maxheight: '200' });
  expect({ status, found }).toMatchObject({
    status: 200,
    found: { title: 'Elsewhere', type: 'rich', html: expect.stringContaining('sandbox="allow-scripts"') as string },
  });
  const { searchParams } = new URL(server.requests.at(-1)!.url!, server.url);
  expect(Object.fromEntries(searchParams)).toEqual({ url: 'x', maxwidth: '300', maxheight: '200' });
});

test('the same request is answered from the cache for a day', async () => {
  const question = { url: `${server.url}/page?2` };
  const before = asked('/oembed');
  await proxy(question);
  await proxy(question);
  expect(asked('/oembed') - before).toBe(1);
  await proxy({ ...question, maxwidth: '400' });
  expect(asked('/oembed') - before).toBe(2);
  site.clock.now += DAY_MS + 1;
  await proxy(question);
  expect(asked('/oembed') - before).toBe(3);
  const { rows: left } = await sql`select key from site.embeds`.execute(site.db);
  expect(left).toHaveLength(1);
});

describe('there is nothing to embed', () => {
  const refused = { status: 404, body: { code: 'oembed_invalid_url' } };

  test('if discovery is switched off', async () => {
    const before = asked('/');
    expect(await proxy({ url: `${server.url}/page?3`, discover: 'false' })).toMatchObject(refused);
    expect(asked('/')).toBe(before);
  });

  test('if the address is not on the public internet', async () => {
    isGuarded = true;
    const before = asked('/');
    for (const url of [`${server.url}/page?4`, 'http://[::1]/', 'http://169.254.169.254/latest/meta-data/'])
      expect(await proxy({ url })).toMatchObject(refused);
    expect(asked('/')).toBe(before);
  });

  test('if the page, its oEmbed link or the data lead to a private address', async () => {
    // The connections reach 127.0.0.1, but not this other address.
    const inside = await feedServer('127.0.0.2');
    try {
      inside.on('/page', body('<head><link type="application/json+oembed" href="/oembed"></head>', HTML));
      inside.on('/oembed', body(JSON.stringify(DATA), { 'content-type': 'application/json' }));
      server.on('/page-inside', redirect(`${inside.url}/page`));
      server.on('/page-hops', redirect('/page-inside'));
      const linkTo = (href: string) => body(`<head><link type="application/json+oembed" href="${href}"></head>`, HTML);
      server.on('/link-inside', linkTo(`${inside.url}/oembed`));
      server.on('/data-inside', redirect(`${inside.url}/oembed`));
      server.on('/link-hops', linkTo('/data-inside'));
      for (const path of ['/page-inside', '/page-hops', '/link-inside', '/link-hops']) {
        const before = asked(path);
        expect(await proxy({ url: `${server.url}${path}` })).toMatchObject(refused);
        expect(asked(path)).toBe(before + 1);
      }
      expect(asked('/data-inside')).toBe(1);
      expect(inside.requests).toEqual([]);
    } finally {
      await inside.close();
    }
  });

  test('if the page is endless, has no oEmbed link, redirects forever or is missing, or its data are invalid', async () => {
    server.on('/endless', endless(new Uint8Array(65_536)));
    server.on('/plain', body('<p>Hi</p>', HTML));
    server.on('/loop', redirect('/loop'));
    for (const path of ['/endless', '/plain', '/loop', '/missing'])
      expect(await proxy({ url: `${server.url}${path}` })).toMatchObject(refused);
    server.on('/oembed', body('{"type":"rich","html":"<script>x()</script>"}', { 'content-type': 'application/json' }));
    expect(await proxy({ url: `${server.url}/page?5` })).toMatchObject(refused);
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '', 'x'])('for the address "%s"', async (url) =>
    expect(await proxy({ url })).toMatchObject(refused),
  );
});

test('only callers who may write may use the proxy', async () => {
  const question = { url: `${server.url}/page?6` };
  expect([(await proxy(question, null)).status, (await proxy(question, 'subscriber')).status]).toEqual([401, 403]);
});

test("the site's own pages are embedded without asking the network", async () => {
  const before = asked('/');
  const own = await proxy({ url: 'https://site.example/event/jazz/', format: 'xml', maxwidth: '450' });
  expect(own).toMatchObject({
    status: 200,
    body: {
      version: '1.0',
      provider_name: 'Site',
      provider_url: 'https://site.example',
      author_name: 'administrator',
      title: 'Jazz &#038; more',
      type: 'rich',
      width: 450,
      height: 254,
      html: expect.stringContaining(
        '<a href="https://site.example/event/jazz/">Jazz &amp; more</a></blockquote><iframe sandbox="allow-scripts',
      ) as string,
    },
  });
  expect(own.body).toEqual(
    (
      await site.ask(
        null,
        'GET',
        `/api/oembed/1.0/embed?url=${encodeURIComponent('https://site.example/event/jazz/')}&maxwidth=450`,
      )
    ).body,
  );
  expect((await proxy({ url: 'https://site.example/event/none/' })).status).toBe(404);
  expect(asked('/')).toBe(before);
});

test.each([
  [600, '/pic.png', 338],
  [300, '/320/pic.webp', 169],
  [200, '/320/pic.webp', 113],
])('a thumbnail is no wider than requested: %i', async (width, file, height) => {
  const { body: event } = await site.ask('administrator', 'POST', '/events', {
    title: 'With a picture',
    start_date: '2027-01-10 18:00',
    end_date: '2027-01-10 20:00',
    image: 'https://pictures.example/pic.png',
  });
  const image = event['image'] as { readonly url: string };
  expect(image).toMatchObject({ width: 640, height: 360 });
  const query = new URLSearchParams({ url: String(event['url']), maxwidth: String(width) });
  expect((await site.ask(null, 'GET', `/api/oembed/1.0/embed?${query}`)).body).toMatchObject({
    width,
    thumbnail_url: image.url.replace('/pic.png', file),
    thumbnail_width: width,
    thumbnail_height: height,
  });
});
