import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SiteClient, Transport } from '../../../src/client/site-client.ts';
import { all, clientOf, closeClients, EVENT, post, statuses } from '../../support/client-of.ts';
import { realSite, type RealSite, type RealSiteOptions } from '../../support/real-site/real-site.ts';

let site: RealSite;
let client: SiteClient;
beforeEach(() => start());
afterEach(async () => {
  await closeClients();
  await site.close();
});

async function start(options: RealSiteOptions = {}): Promise<void> {
  await site?.close();
  site = await realSite(options);
  client = clientOf(site);
}

const isWrite = (method: string): boolean => method !== 'GET';

describe('writing', () => {
  test('sends writes one by one and in order where the routes allow no batch', async () => {
    const answers = await client.write([post('a'), post('b', { title: '' }), post('a')]);
    expect(statuses(answers)).toEqual([201, 400, 201]);
    expect(answers.map((answer) => answer.kind === 'answered' && (answer.body as { slug?: string }).slug)).toEqual([
      'a',
      undefined,
      'a-2',
    ]);
  });
  test('updates and deletes', async () => {
    const { id } = site.person.addEvent({ ...EVENT, slug: 'x' });
    expect(
      statuses(
        await client.write([
          { method: 'PUT', path: `/events/${id}`, body: { title: 'New' } },
          { method: 'DELETE', path: `/events/${id}` },
          { method: 'DELETE', path: `/events/${id}` },
        ]),
      ),
    ).toEqual([200, 200, 410]);
  });
  test('asks as each write is sent whether to go on, and stops after a no', async () => {
    const onSite: number[] = [];
    const answers = await client.write([post('a'), post('b'), post('c')], async (write, sent) => {
      onSite.push(site.person.events().length);
      await sent;
      return write.body?.['slug'] !== 'b';
    });
    expect(statuses(answers)).toEqual([201, 201]);
    expect(onSite).toEqual([0, 1]);
  });
  test('an empty list of writes sends no request', async () => {
    await client.abilities();
    expect([await client.write([]), client.requests()]).toEqual([[], 2]);
  });
  test('more than 25 writes at a time throw an error', async () => {
    await expect(client.write(Array.from({ length: 26 }, (_, at) => post(`e${at}`)))).rejects.toThrow(/at most 25/);
  });
  test('a write whose answer is lost is not repeated, and the rest stays unsent', async () => {
    await client.abilities();
    site.fail({ kind: 'lost' }, { when: isWrite, after: 1 });
    const answers = await client.write([post('a'), post('b'), post('c')]);
    expect(statuses(answers)).toEqual([201, 'lost', 'lost']);
    expect(answers[1]).not.toHaveProperty('isUnsent');
    expect(answers[2]).toMatchObject({
      isUnsent: true,
      message: expect.stringMatching(/^not sent, because the write before it failed: the connection broke off/),
    });
    expect(site.person.events().map(({ slug }) => slug)).toEqual(['a', 'b']);
  });
  test.each([
    { kind: 'status', status: 502, carriedOut: true },
    { kind: 'status', status: 504 },
    { kind: 'status', status: 500, carriedOut: true },
    { kind: 'page', carriedOut: true },
  ] as const)('%j leaves unknown whether the write was carried out', async (fault) => {
    await client.abilities();
    site.fail(fault, { when: isWrite });
    expect(statuses(await client.write([post('a')]))).toEqual(['lost']);
    expect(site.person.events()).toHaveLength('carriedOut' in fault ? 1 : 0);
  });
  test('the Retry-After of a maintenance page is reported, and the rest stays unsent', async () => {
    await client.abilities();
    site.fail({ kind: 'status', status: 503, retryAfter: '600' }, { when: isWrite });
    const unsent = {
      kind: 'lost',
      message: expect.stringMatching(/^not sent, because the write before it failed: (?!not sent)/),
      retryAfterMs: 600_000,
      isUnsent: true,
    };
    expect(await client.write([post('a'), post('b'), post('c')])).toEqual([
      { kind: 'lost', message: expect.any(String), retryAfterMs: 600_000 },
      unsent,
      unsent,
    ]);
  });
  test('429 means that a write was not carried out, so it is retried', async () => {
    await client.abilities();
    site.fail({ kind: 'status', status: 429, retryAfter: '0' }, { when: isWrite, times: 2 });
    expect(statuses(await client.write([post('a')]))).toEqual([201]);
    expect(site.person.events()).toHaveLength(1);
  });
  test('a write that gets no answer in time is lost', async () => {
    const quick = clientOf(site, {}, 300);
    await quick.abilities();
    site.fail({ kind: 'mute' }, { when: isWrite });
    expect(statuses(await quick.write([post('a')]))).toEqual(['lost']);
    expect(site.person.events()).toHaveLength(1);
  });
  test('a 403 page of a firewall is a refusal', async () => {
    await client.abilities();
    site.fail({ kind: 'page', status: 403 }, { when: isWrite });
    expect(await client.write([post('a'), post('b')])).toMatchObject([
      { kind: 'answered', status: 403, body: { code: 'site-not-json' } },
      { kind: 'answered', status: 201 },
    ]);
  });
  test('credentials that do not reach the site stop everything at the first write', async () => {
    await start({ dropsCredentials: true });
    await expect(client.write([post('a'), post('b')])).rejects.toMatchObject({
      code: 'site-unauthorized',
      message: expect.stringMatching(/did not see the credentials/),
    });
    expect(site.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });
  test('an error in the body of a 200 is an error', async () => {
    await start({ isOld: true });
    expect(await client.write([{ method: 'PUT', path: '/events/by-slug/none', body: EVENT }])).toMatchObject([
      { kind: 'answered', status: 404, body: { code: 'event-not-found' } },
    ]);
  });
  test('PUT and DELETE are sent as POST where a host blocks them', async () => {
    await start({ blocksMethods: true });
    const [one, two] = [site.person.addEvent({ ...EVENT, slug: 'x' }), site.person.addEvent({ ...EVENT, slug: 'y' })];
    expect(
      statuses(
        await client.write([
          { method: 'DELETE', path: `/events/${one.id}` },
          { method: 'PUT', path: `/events/${two.id}`, body: { title: 'New' } },
        ]),
      ),
    ).toEqual([200, 200]);
    expect([one.status, two.title, client.requests()]).toEqual(['trash', 'New', 5]);
  });
  test('every request carries the language', async () => {
    const polish = clientOf(site, { languageParameter: 'wpml_language', language: 'pl' });
    await polish.write([post('a')]);
    await polish.read('events', { slug: 'a' });
    await all(polish.list('venues', {}));
    expect(site.requests.slice(2).every((request) => request.includes('wpml_language=pl'))).toBe(true);
  });
});

describe('a site that allows batches', () => {
  const routes = Object.fromEntries(
    ['events', 'venues', 'organizers', 'categories', 'tags'].map((resource) => [
      `/calendar/events/v1/${resource}`,
      {
        endpoints: [
          { methods: ['GET'], args: { per_page: { maximum: 40 } } },
          { methods: ['POST'], args: { geo_lat: {}, geo_lng: {} }, allow_batch: { v1: true } },
        ],
      },
    ]),
  );
  const batching = (
    onBatch: (body: { requests: { method: string; path: string; body?: unknown }[] }) => Response,
    onWrite: (request: Request) => Promise<Response | undefined> = async () => undefined,
  ): SiteClient => {
    const transport: Transport = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/')
        return Response.json({ name: 'Town', timezone_string: 'Europe/Warsaw', namespaces: ['calendar/events/v1'] });
      if (pathname === '/api/calendar/events/v1') return Response.json({ routes });
      if (pathname === '/api/batch/v1')
        return onBatch((await request.json()) as { requests: { method: string; path: string }[] });
      return (await onWrite(request)) ?? Response.json({ id: 1, slug: pathname }, { status: 201 });
    };
    return clientOf(site, {
      root: 'http://site.invalid/api/',
      namespace: 'calendar/events/v1',
      transport,
      languageParameter: 'lang',
      language: 'en',
    });
  };

  test('is recognised', async () => {
    expect(await batching(() => Response.json({})).abilities()).toMatchObject({
      batch: true,
      venueCoordinates: true,
      perPageMax: 40,
    });
  });
  test('gets one request for all writes and answers each of them', async () => {
    let sent: unknown;
    const one = batching((body) => {
      sent = body;
      return Response.json(
        {
          responses: [
            { status: 201, body: { id: 1 }, headers: [] },
            { status: 400, body: { code: 'rest_invalid_param' }, headers: [] },
            { status: 500, body: { code: 'internal_server_error' }, headers: [] },
          ],
        },
        { status: 207 },
      );
    });
    expect(statuses(await one.write([post('a'), { method: 'DELETE', path: '/events/4' }, post('c')]))).toEqual([
      201,
      400,
      'lost',
    ]);
    expect(one.requests()).toBe(3);
    expect(sent).toEqual({
      validation: 'normal',
      requests: [
        { method: 'POST', path: '/calendar/events/v1/events?lang=en', body: { ...EVENT, slug: 'a' } },
        { method: 'DELETE', path: '/calendar/events/v1/events/4?lang=en' },
        { method: 'POST', path: '/calendar/events/v1/events?lang=en', body: { ...EVENT, slug: 'c' } },
      ],
    });
  });
  test('but refuses to batch some writes gets those one by one', async () => {
    const one = batching(() =>
      Response.json(
        {
          responses: [
            { status: 201, body: { id: 1 }, headers: [] },
            { status: 400, body: { code: 'rest_batch_not_allowed' }, headers: [] },
          ],
        },
        { status: 207 },
      ),
    );
    expect(await one.write([post('a'), post('b')])).toMatchObject([
      { status: 201, body: { id: 1 } },
      { status: 201, body: { slug: '/api/calendar/events/v1/events' } },
    ]);
  });
  test('but has no batch route gets all writes one by one', async () => {
    const one = batching(() =>
      Response.json({ code: 'rest_no_route', message: 'no', data: { status: 404 } }, { status: 404 }),
    );
    expect(statuses(await one.write([post('a'), post('b')]))).toEqual([201, 201]);
  });
  test.each<[string, number]>([
    ['a limit on sizes', 413],
    ['a firewall', 403],
    ['a firewall with its own code', 406],
  ])('but where %s rejects a batch because of one write has only that write refused', async (_, status) => {
    const page = (): Response => new Response('<html>No</html>', { status });
    const one = batching(page, async (request) => ((await request.text()).includes('"b"') ? page() : undefined));
    const [first, second, third] = await one.write([post('a'), post('b'), post('c')]);
    expect([first, third]).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect(second).toMatchObject({
      kind: 'answered',
      status,
      body: { message: expect.stringContaining(status === 413 ? 'takes no request as large as this' : 'a firewall') },
    });
  });
  test.each([400, 422])(
    'but answers a batch with %i because of one write has only that write refused',
    async (status) => {
      const no = (): Response => Response.json({ code: 'rest_invalid_param', message: 'no' }, { status });
      const one = batching(no, async (request) => ((await request.text()).includes('"b"') ? no() : undefined));
      expect(statuses(await one.write([post('a'), post('b'), post('c')]))).toEqual([201, status, 201]);
    },
  );
  test.each<[string, () => Response, unknown]>([
    ['a crash', () => Response.json({ code: 'internal_server_error' }, { status: 500 }), ['lost', 'lost']],
    ['a gateway', () => new Response('<html>', { status: 502 }), ['lost', 'lost']],
    ['a page', () => new Response('<html>'), ['lost', 'lost']],
    ['too few answers', () => Response.json({ responses: [] }, { status: 207 }), ['lost', 'lost']],
  ])('%s leaves unknown which writes were carried out', async (_, answer, expected) =>
    expect(statuses(await batching(answer).write([post('a'), post('b')]))).toEqual(expected),
  );
  test.each<[string, () => Response, string]>([
    ['a refusal', () => Response.json({ code: 'rest_gone', message: 'no' }, { status: 410 }), 'site-refused'],
    [
      'missing rights',
      () => Response.json({ code: 'rest_forbidden', message: 'no' }, { status: 403 }),
      'site-forbidden',
    ],
    ['missing credentials', () => Response.json({ code: 'rest_forbidden' }, { status: 401 }), 'site-unauthorized'],
    [
      'a redirect',
      () => new Response(null, { status: 301, headers: { location: 'https://b.example/' } }),
      'site-redirects',
    ],
  ])('%s for the whole batch is an error: nothing was carried out', async (_, answer, code) => {
    await expect(batching(answer).write([post('a'), post('b')])).rejects.toMatchObject({ code });
  });
});
