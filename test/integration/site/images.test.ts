import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openFeedHttp } from '../../../src/run/fetch/fetch-feed.ts';
import { fetchImage } from '../../../src/run/fetch/fetch-image.ts';
import { sql } from '../../../src/db/database.ts';
import { emptyTrash } from '../../../src/site/store/housekeeping.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { body, feedServer, redirect, status, type FeedServer } from '../../support/feed-server.ts';
import { jpeg, png } from '../../support/pictures.ts';

const concert = { title: 'Concert', start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00' };
const http = openFeedHttp(['127.0.0.1/32']);
const guarded = openFeedHttp([]);
let site: TestSite;
let server: FeedServer;
let connections = http;

beforeAll(async () => {
  server = await feedServer();
  site = await builtinSite({}, undefined, (url) => fetchImage(url, connections, 'tests'));
});
afterAll(async () => {
  await site.close();
  await server.close();
  await http.close();
  await guarded.close();
});
beforeEach(() => {
  connections = http;
});

const create = (image: unknown, more: object = {}, as: Parameters<TestSite['ask']>[0] = 'editor') =>
  site.ask(as, 'POST', '/events', { ...concert, image, ...more });
const counts = async () =>
  (
    await sql<
      Record<string, number>
    >`select (select count(*)::integer from site.events) as events, (select count(*)::integer from site.images) as images,
  (select count(*)::integer from site.venues) as venues, (select count(*)::integer from site.terms) as terms`.execute(
      site.db,
    )
  ).rows[0];

test('writing back all that was read of an event changes nothing', async () => {
  server.on('/back.png', body(png(40, 30, 1)));
  const { id } = (
    await create(`${server.url}/back.png`, {
      title: `Q & A -- "50 × 20" it's <b>on</b>`,
      description: 'One & two\n\n<a href="https://site.example/?a=1&b=2">three</a>',
      excerpt: 'In "short"',
      timezone: 'Europe/London',
      cost: '10-20 zł',
      website: 'https://site.example/?a=1&b=2',
      featured: true,
      venue: { venue: 'Hall & Co', city: 'Hel', show_map: '0' },
      organizer: [{ organizer: 'A & "B"' }, { organizer: 'C' }],
      categories: ['Rock & Roll'],
      tags: ['R&B', 'open air'],
    })
  ).body;
  const read = async (): Promise<object> => {
    const { modified: _, modified_utc: __, ...event } = (await site.ask('editor', 'GET', `/events/${id}`)).body;
    return event;
  };
  const before = await read();
  site.clock.now += 60_000;
  expect((await site.ask('editor', 'PUT', `/events/${id}`, before)).status).toBe(200);
  expect(await read()).toEqual(before);
});

describe('an image by its address', () => {
  test('is fetched once, kept, and served by the site', async () => {
    server.on('/Poster%20One.JPG', body(jpeg(640, 480), { 'content-type': 'text/html' }));
    const url = `${server.url}/Poster%20One.JPG?v=1`;
    const before = server.requests.length;
    const { status: code, body: event } = await create(url);
    expect(code).toBe(201);
    const image = event['image'] as { url: string; id: number };
    expect(image).toEqual({
      url: expect.stringMatching(/^https:\/\/site\.example\/media\/[0-9a-f]{40}\/poster-one\.jpg$/),
      id: expect.any(Number),
      extension: 'jpg',
      width: 640,
      height: 480,
      filesize: jpeg(640, 480).length,
    });
    expect((await create(url)).body['image']).toEqual(image);
    expect((await site.ask('editor', 'POST', `/events/${event.id}`, { image: url })).body['image']).toEqual(image);
    expect(server.requests.length - before).toBe(1);

    const file = await site.media(new Request(image.url));
    expect([file.status, new Uint8Array(await file.arrayBuffer())]).toEqual([200, jpeg(640, 480)]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(jpeg(640, 480).length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${image.url.split('/').at(-2)}"`,
    });
    const known = await site.media(
      new Request(image.url, { headers: { 'if-none-match': `W/"x", ${file.headers.get('etag')}` } }),
    );
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await site.media(new Request(image.url, { method: 'HEAD' }));
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(jpeg(640, 480).length),
      '',
    ]);
  });

  test('may be sent back by its address on the site, even by a user who may not upload', async () => {
    server.on('/own.png', body(png(10, 10)));
    const image = (await create(`${server.url}/own.png`)).body['image'] as { url: string };
    const before = server.requests.length;
    expect((await create(image.url)).body['image']).toEqual(image);
    expect((await create(image.url, {}, 'contributor')).body['image']).toEqual(image);
    expect((await create(image.url.replace(/[0-9a-f]{40}/, 'f'.repeat(40)))).body.data['params']).toEqual({
      image: 'Invalid parameter. There is no such image on this site.',
    });
    expect(server.requests.length).toBe(before);
  });

  test('the same picture at two addresses is one file', async () => {
    server.on('/twin-a.png', body(png(11, 11)));
    server.on('/twin-b.png', body(png(11, 11)));
    const [one, other] = [
      (await create(`${server.url}/twin-a.png`)).body,
      (await create(`${server.url}/twin-b.png`)).body,
    ].map((event) => event['image'] as { url: string; id: number });
    expect(one!.id).not.toBe(other!.id);
    expect(one!.url.split('/').at(-2)).toBe(other!.url.split('/').at(-2));
  });

  test('redirects are followed', async () => {
    server.on('/moved.png', redirect('/landed.png'));
    server.on('/landed.png', body(png(12, 12)));
    expect((await create(`${server.url}/moved.png`)).body['image']).toMatchObject({ width: 12, height: 12 });
  });

  test.each([
    ['missing', status(404), 'does not exist (404)'],
    ['a web page', body('<html><body>Not here</body></html>', { 'content-type': 'image/png' }), 'is no JPEG, PNG'],
    ['SVG', body('<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/svg+xml' }), 'is no JPEG, PNG'],
    ['empty', body(''), 'nothing at all'],
    ['too large', body(Buffer.concat([png(9, 9), Buffer.alloc(10_000_001)])), 'larger than 10 MB'],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'not followed'],
  ])('%s: nothing of the request is written', async (name, listener, words) => {
    const path = `/bad-${encodeURIComponent(name)}.png`;
    server.on(path, listener);
    const before = await counts();
    const refused = await create(`${server.url}${path}`, {
      venue: { venue: `Hall ${name}` },
      categories: [`New ${name}`],
    });
    const { message } = (refused.body.data['details'] as { image: { message: string } }).image;
    expect([refused.status, refused.body.code, refused.body.data['params']]).toEqual([
      400,
      'rest_invalid_param',
      { image: `Invalid parameter. ${message}` },
    ]);
    expect(message).toContain(words);
    expect(await counts()).toEqual(before);
  });

  test('an address in the internal network is refused', async () => {
    connections = guarded;
    const before = server.requests.length;
    const refused = await create(`${server.url}/guarded.png`);
    expect([refused.status, refused.body.data['params']]).toEqual([
      400,
      { image: expect.stringContaining('is not an address of the public internet') as string },
    ]);
    expect(server.requests.length).toBe(before);
  });
  test('only editors are told which internal address a name has', async () => {
    connections = openFeedHttp([], { resolve: async () => [{ address: '10.1.2.3', family: 4 }] });
    const told = async (as: 'author' | 'editor') => (await create('http://db.example/a.png', {}, as)).body;
    expect(JSON.stringify(await told('editor'))).toContain('db.example has the address 10.1.2.3');
    const forAuthors = JSON.stringify(await told('author'));
    expect(forAuthors).toContain('This is not an address of the public internet, so nothing is fetched from there.');
    expect(forAuthors).not.toContain('10.1.2.3');
    await connections.close();
  });

  test.each([null, 'subscriber', 'contributor'] as const)('nothing is fetched for %s', async (as) => {
    const before = server.requests.length;
    expect((await create(`${server.url}/foreign.png`, {}, as)).status).toBeGreaterThanOrEqual(400);
    await site.ask(as, 'POST', '/api/batch/v1', {
      requests: [
        {
          method: 'POST',
          path: '/calendar/events/v1/events',
          body: { ...concert, image: `${server.url}/foreign.png` },
        },
      ],
    });
    expect(server.requests.length).toBe(before);
  });

  test('venues and organizers have images too, even those created with an event', async () => {
    server.on('/hall.png', body(png(20, 10)));
    server.on('/host.png', body(png(10, 20)));
    const { body: event } = await create('', {
      image: undefined,
      venue: { venue: 'Painted hall', image: `${server.url}/hall.png` },
      organizer: [{ organizer: 'Painter', image: `${server.url}/host.png` }],
    });
    expect([event.venue['image'], event.organizer[0]['image']]).toMatchObject([
      { width: 20, height: 10 },
      { width: 10, height: 20 },
    ]);
    expect(
      (await site.ask('editor', 'POST', '/venues', { venue: 'Other hall', image: `${server.url}/hall.png` })).body[
        'image'
      ],
    ).toEqual(event.venue['image']);
  });
});

describe('images in a batch', () => {
  test('a broken one fails its own item only, and each address is fetched once', async () => {
    server.on('/batch.png', body(png(30, 30)));
    server.on('/batch-broken.png', body('nothing of the kind'));
    const requests = ['batch', 'batch-broken', 'batch'].map((name) => ({
      method: 'POST',
      path: '/calendar/events/v1/events',
      body: { ...concert, image: `${server.url}/${name}.png` },
    }));
    const before = server.requests.length;
    const {
      status: code,
      body: { responses },
    } = await site.ask('editor', 'POST', '/api/batch/v1', { requests });
    expect([code, responses.map((item) => item.status)]).toEqual([207, [201, 400, 201]]);
    expect(responses[0]!.body['image']).toEqual(responses[2]!.body['image']);
    expect(server.requests.length - before).toBe(2);
  });

  test('other writes go on while one waits for a foreign server', async () => {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.on('/slow.png', (_, response) => {
      asked.resolve();
      released.promise.then(
        () => response.end(png(40, 40)),
        () => response.destroy(),
      );
    });
    const slow = site.ask('editor', 'POST', '/api/batch/v1', {
      requests: [
        { method: 'POST', path: '/calendar/events/v1/events', body: concert },
        { method: 'POST', path: '/calendar/events/v1/events', body: { ...concert, image: `${server.url}/slow.png` } },
      ],
    });
    await asked.promise;
    expect((await site.ask('editor', 'POST', '/events', concert)).status).toBe(201);
    released.resolve();
    expect((await slow).body.responses.map((item) => item.status)).toEqual([201, 201]);
  });
});

test('files that no image uses are deleted after a day, others stay', async () => {
  const ctx = { db: site.db, now: site.clock.now, settings: site.settings };
  await sql`insert into site.image_files (hash, media_type, extension, width, height, bytes, fetched_at)
    values ('old', 'image/png', 'png', 1, 1, '', now() - interval '2 days'), ('new', 'image/png', 'png', 1, 1, '', now())`.execute(
    site.db,
  );
  await sql`update site.image_files set fetched_at = now() - interval '2 days' where hash in (select hash from site.images)`.execute(
    site.db,
  );
  const kept = async () =>
    (await sql<{ hash: string }>`select hash from site.image_files order by hash`.execute(site.db)).rows.map(
      ({ hash }) => hash,
    );
  const before = await kept();
  await emptyTrash(ctx);
  expect(await kept()).toEqual(before.filter((hash) => hash !== 'old'));
  expect(before.length).toBeGreaterThan(2);
});

test.each(['/media/', '/media/x', `/media/${'0'.repeat(40)}/a.png`, '/media/%00'])('%s is no image', async (path) => {
  expect((await site.media(new Request(`https://site.example${path}`))).status).toBe(404);
});

test('addresses below /media/ are read-only', async () => {
  expect((await site.media(new Request('https://site.example/media/x', { method: 'POST' }))).status).toBe(405);
});
