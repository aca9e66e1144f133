import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targets, type Answer, type Sent, type Target } from '../support/contract-target.ts';
import { madeOn, type Made } from './cases/made.ts';

// Common to all routes (contract.md, section 1).
describe.each(targets)('%s', (_, open) => {
  let target: Target;
  let made: Made;
  beforeAll(async () => {
    target = await open();
    made = await madeOn(target);
  });
  afterAll(async () => {
    await made.clear();
    await target.close();
  });
  const send = (line: string, sent: Sent = { as: null }): Promise<Answer> => target.send(line, sent);
  const names = async (path: string): Promise<unknown> => {
    const { status, body } = await send(`GET ${path}`);
    return [status, Object.keys(body).slice(0, 3)];
  };

  it('routes may end in a slash and ignore case', async () => {
    const plain = (await send(`GET /events/${made.near.id}`)).body;
    for (const path of [
      `/events/${made.near.id}/`,
      `/Events/${made.near.id}`,
      `/EVENTS/by-SLUG/${made.near.slug}`,
      `/events/by-slug/${made.near.slug}/`,
    ])
      expect((await send(`GET ${path}`)).body).toEqual(plain);
    for (const collection of ['/events', '/venues', '/organizers', '/categories', '/tags', '/doc', ''])
      expect(await names(`${collection}/`)).toEqual(await names(collection));
  });
  it('routes may be named in a query, as on sites with plain permalinks', async () => {
    const inQuery = (path: string, home = ''): string => `//../${home}?rest_route=/${target.namespace}${path}`;
    const { id, slug } = made.near;
    const plain = (await send(`GET /events/${id}`)).body;
    for (const line of [
      inQuery(`/events/${id}`),
      inQuery(`/events/by-slug/${slug}/`),
      inQuery(`/events/${id}`, 'index.php'),
    ])
      expect((await send(`GET ${line}`)).body).toEqual(plain);
    const page = await send(`GET ${inQuery('/events')}&per_page=1&include=${id}`);
    expect([page.status, page.body['total'], page.headers.get('x-tec-total')]).toEqual([200, 1, '1']);
    expect((await send('GET //../?rest_route=/')).body['namespaces']).toContain(target.namespace);
    expect((await send(`GET ${inQuery('/nothing')}`)).body.code).toBe('rest_no_route');
    expect((await send(`POST ${inQuery('/events')}`, { as: null, json: {} })).body.code).toBe(
      'rest_missing_callback_param',
    );
    const written = await send(`POST ${inQuery(`/events/${id}`)}`, { json: { excerpt: 'In the query' } });
    expect([written.status, written.body['excerpt']]).toEqual([200, '<p>In the query</p>']);
    expect((await send(`OPTIONS ${inQuery('/events')}`, { as: null })).headers.get('allow')).toBe('GET');
  });
  it.each([
    ['PATCH /events'],
    ['POST /doc'],
    ['DELETE /tags'],
    ['GET //batch/v1'],
    ['GET /events/0x1'],
    ['GET /categories/by-slug/a'],
    ['GET /nothing'],
    ['POST //'],
  ])('%s is not a route', async (line) => {
    const { status, body, headers } = await send(line, { as: 'editor' });
    expect([status, body.code, headers.has('allow')]).toEqual([404, 'rest_no_route', false]);
  });
  it('HEAD is GET without a body', async () => {
    for (const path of ['/events', `/events/${made.near.id}`, '/tags', '/doc', '']) {
      const [head, get] = [await send(`HEAD ${path}`), await send(`GET ${path}`)];
      expect([head.status, head.text, head.headers.get('x-tec-total'), head.headers.get('content-type')]).toEqual([
        200,
        '',
        get.headers.get('x-tec-total'),
        get.headers.get('content-type'),
      ]);
    }
  });
  it('OPTIONS describes the route as the index does', async () => {
    const { body } = await send('GET ');
    const routes = body['routes'] as Readonly<Record<string, { readonly methods: unknown }>>;
    for (const [key, path] of [
      ['/events', '/events'],
      [String.raw`/venues/(?P<id>\d+)`, `/venues/${made.venue.id}`],
      ['/doc', '/doc'],
    ] as const) {
      const told = await send(`OPTIONS ${path}`, { as: null, headers: { origin: 'https://page.example' } });
      expect([told.status, told.headers.get('access-control-allow-origin'), told.body['methods']]).toEqual([
        200,
        'https://page.example',
        routes[`/${target.namespace}${key}`]?.methods,
      ]);
    }
    expect((await send('OPTIONS /nothing')).status).toBe(404);
  });
  it('pages of any origin may read', async () => {
    const { headers } = await send('GET /events', { as: null, headers: { origin: 'https://page.example' } });
    expect([
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-methods'),
      headers.get('access-control-allow-credentials'),
    ]).toEqual(['https://page.example', 'OPTIONS, GET, POST, PUT, PATCH, DELETE', 'true']);
    expect(headers.get('access-control-expose-headers')).toContain('X-WP-Total');
    expect(headers.get('vary')).toContain('Origin');
  });
  it('Allow names what the caller may use', async () => {
    expect((await send('GET /events')).headers.get('allow')).toBe('GET');
    expect((await send('GET /events', { as: 'editor' })).headers.get('allow')).toBe('GET, POST');
  });
  it('_fields selects keys, _envelope wraps the answer', async () => {
    expect((await send(`GET /events/${made.near.id}?_fields=id,venue.id,nothing`)).body).toEqual({
      id: made.near.id,
      venue: { id: made.venue.id },
    });
    expect((await send(`GET /events?tags=${made.tag.id}&_fields=events.id`)).body).toEqual({ events: [] });
    expect((await send(`GET /events?tags=${made.tag.id}&_fields=total`)).body).toEqual({ total: 2 });
    const enveloped = await send(`GET /events/${made.near.id}?_envelope`);
    expect([enveloped.status, enveloped.body['status'], (enveloped.body['body'] as { id: number }).id]).toEqual([
      200,
      200,
      made.near.id,
    ]);
    expect((await send('GET /events/2000000000?_envelope=1')).body['status']).not.toBe(200);
  });
  it('_jsonp calls a function or refuses its name', async () => {
    expect((await send(`GET /events/${made.near.id}?_fields=id&_jsonp=app.take`)).text).toBe(
      `/**/app.take({"id":${made.near.id}})`,
    );
    expect(await send('GET /events?_jsonp=alert(1)')).toMatchObject({
      status: 400,
      body: { code: 'rest_callback_invalid' },
    });
  });
  it('_embed adds the targets of embeddable links', async ({ skip }) => {
    skip(!target.isOurs, 'only our own site is known to do this');
    const child = await send(`GET /categories/${made.child.id}?_embed`);
    expect(child.body['_embedded']).toMatchObject({ up: [{ id: made.category.id }] });
    expect((await send(`GET /categories/${made.child.id}?_embed=up&_fields=id,_embedded.up`)).body).toMatchObject({
      id: made.child.id,
      _embedded: { up: [{ id: made.category.id }] },
    });
    expect((await send(`GET /categories/${made.child.id}?_embed=author`)).body).not.toHaveProperty('_embedded');
    for (const path of [`/categories/${made.category.id}`, `/events/${made.near.id}`, '/events'])
      expect((await send(`GET ${path}?_embed`)).body).not.toHaveProperty('_embedded');
  });
  it('the method may be overridden in the query or in a header', async () => {
    const { id } = await made.make('tags', { name: `${made.key} method` });
    expect((await send(`POST /tags/${id}?_method=PUT`, { json: { description: 'Put' } })).body['description']).toBe(
      'Put',
    );
    expect(
      (
        await send(`POST /tags/${id}`, {
          json: { description: 'Patched' },
          headers: { 'x-http-method-override': 'PATCH' },
        })
      ).body['description'],
    ).toBe('Patched');
    expect((await send(`POST /tags/${id}`, { headers: { 'x-http-method-override': 'DELETE' } })).status).toBe(200);
    expect((await send(`GET /tags/${id}`)).status).toBe(400);
  });
  it('wrong credentials fail every request, before its route is looked for', async () => {
    for (const path of ['/events', '/nothing', '/doc']) {
      const { status, body } = await send(`GET ${path}`, {
        as: null,
        headers: { authorization: `Basic ${Buffer.from('nobody-of-this-name:x').toString('base64')}` },
      });
      expect([status, body.code]).toEqual([401, 'invalid_username']);
    }
  });
  it('invalid JSON is reported; bodies of other types are not read', async () => {
    const write = (type: string, body: string): Promise<Answer> =>
      target.send('POST /tags', { as: 'editor', form: body, headers: { 'content-type': type } });
    expect(await write('application/json', '{"name":')).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_json' },
    });
    expect(await write('text/plain', '{"name":"plain"}')).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param' },
    });
    expect(await write('application/json', '["name"]')).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param' },
    });
  });
  it('anonymous writes are told which parameters are missing; complete ones, that they are forbidden', async () => {
    expect(await send('POST /events')).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
    expect(await send('POST /tags', { as: null, json: { name: 'x' } })).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden' },
    });
  });
  it('the links of a list lead to all its pages and keep the filters', async ({ skip }) => {
    skip(!target.isOurs, 'only our own site is known to do this');
    const seen: unknown[] = [];
    let next: string | undefined =
      `${target.root}/${target.namespace}/events?per_page=1&tags=${made.tag.slug}&starts_after=1971-01-01&strict_dates=true`;
    while (next !== undefined) {
      const { body } = await send(`GET /${next.slice(`${target.root}/${target.namespace}/`.length)}`);
      expect(body['rest_url']).toContain(`tags=${made.tag.slug}`);
      seen.push(...(body['events'] as { id: number }[]).map(({ id }) => id));
      next = body['next_rest_url'] as string | undefined;
    }
    expect(seen).toEqual([made.past.id, made.near.id, made.far.id]);
  });
  it('the second namespace answers the same, with its own links', async ({ skip }) => {
    const { namespaces } = (await send('GET //?_fields=namespaces')).body as unknown as {
      namespaces: readonly string[];
    };
    skip(!namespaces.includes('tribe/events/v1') || target.namespace === 'tribe/events/v1', 'there is only one');
    const there = (await send(`GET //tribe/events/v1/events/${made.near.id}`)).body;
    expect(there).toMatchObject({
      id: made.near.id,
      rest_url: `${target.root}/tribe/events/v1/events/${made.near.id}`,
      categories: [{ urls: { collection: `${target.root}/tribe/events/v1/categories` } }],
    });
    const list = (await send(`GET //tribe/events/v1/events?per_page=1&tags=${made.tag.id}`)).body;
    expect(
      [list['rest_url'], list['next_rest_url']].every((link) =>
        String(link).startsWith(`${target.root}/tribe/events/v1/events`),
      ),
    ).toBe(true);
    const created = await send('POST //tribe/events/v1/tags', { json: { name: `${made.key} alias` } });
    made.keep('tags', created.body.id);
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      `${target.root}/tribe/events/v1/tags/${created.body.id}`,
    ]);
    expect((await send('GET //tribe/events/v1')).body['namespace']).toBe('tribe/events/v1');
    const batch = await send('POST //batch/v1', {
      json: {
        requests: [{ method: 'PATCH', path: `/tribe/events/v1/events/${made.near.id}`, body: { excerpt: 'Short' } }],
      },
    });
    expect((batch.body['responses'] as { body: object }[])[0]?.body).toMatchObject({
      rest_url: `${target.root}/tribe/events/v1/events/${made.near.id}`,
    });
  });
  it('conditional requests are answered with 304', async ({ skip }) => {
    skip(!target.isOurs, 'only our own site is known to do this');
    const tag = (await send(`GET /events/${made.near.id}`)).headers.get('etag')!;
    expect((await send(`GET /events/${made.near.id}`, { as: null, headers: { 'if-none-match': tag } })).status).toBe(
      304,
    );
  });
  it('no errors were reported', () => expect(target.errors).toEqual([]));
});
