import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NS, siteShell, type SiteShell } from '../../support/site-shell.ts';

let shell: SiteShell;
beforeAll(async () => {
  shell = await siteShell();
});
beforeEach(() => shell.clear());
afterAll(() => shell.close());
const ask: SiteShell['ask'] = (line, asked) => shell.ask(line, asked);

describe('answers', () => {
  it('have the headers of real sites', async () => {
    const { headers } = await ask(`GET ${NS}/events`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      link: '<https://site.example/api/>; rel="https://api.w.org/"',
      'x-tec-total': '3',
      'x-tec-totalpages': '1',
      allow: 'GET',
      vary: expect.stringContaining('Origin') as string,
    });
    expect(headers.get('access-control-expose-headers')).toContain('X-TEC-TotalPages');
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
  it('to signed-in callers must not be stored', async () => {
    const { headers } = await ask(`GET ${NS}/events`, { as: 'editor' });
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('expires')).toContain('1984');
  });
  it('may be read by pages of any origin', async () => {
    const { headers } = await ask(`OPTIONS ${NS}/events`, { headers: { origin: 'https://page.example' } });
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': 'https://page.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    });
  });
  it('let pages of any origin send conditions, and read ETag and Retry-After', async () => {
    const told = await ask(`OPTIONS ${NS}/events`, {
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,if-match,if-none-match',
      },
    });
    const listed = (name: string): readonly string[] => told.headers.get(name)?.split(', ') ?? [];
    expect(listed('access-control-allow-headers')).toEqual(
      expect.arrayContaining(['Authorization', 'If-Match', 'If-None-Match']),
    );
    expect(listed('access-control-expose-headers')).toEqual(expect.arrayContaining(['ETag', 'Retry-After']));
  });
  it('to HEAD have no body but the headers of GET', async () => {
    const [head, get] = [await ask(`HEAD ${NS}/events`), await ask(`GET ${NS}/events`)];
    expect(head.text).toBe('');
    expect([head.headers.get('x-tec-total'), head.headers.get('etag')]).toEqual(['3', get.headers.get('etag')]);
  });
  it('have no body for a client that sends the current ETag', async () => {
    const tag = (await ask(`GET ${NS}/events`)).headers.get('etag')!;
    const again = await ask(`GET ${NS}/events`, { headers: { 'if-none-match': `"other", W/${tag}` } });
    expect([again.status, again.text, again.headers.get('etag'), again.headers.has('content-type')]).toEqual([
      304,
      '',
      tag,
      false,
    ]);
    expect((await ask(`GET ${NS}/events`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await ask(`GET ${NS}/events?page=2`, { headers: { 'if-none-match': tag } })).status).toBe(200);
    expect((await ask(`GET ${NS}/nope`)).headers.has('etag')).toBe(false);
  });
  it('have only the fields asked for', async () => {
    expect((await ask(`GET ${NS}/events?_fields=endpoint,input.page,input.nope,nope`)).body).toEqual({
      endpoint: 'listEvents',
      input: { page: 1 },
    });
    expect((await ask(`GET ${NS}/events?_fields=nope`)).body).toEqual([]);
    expect((await ask(`GET ${NS}/nope?_fields=nope`)).body.code).toBe('rest_no_route');
  });
  it('may be JSONP', async () => {
    const { status, headers, text } = await ask(`GET ${NS}/events?_jsonp=app.on_1&_fields=endpoint`);
    expect([status, headers.get('content-type'), text]).toEqual([
      200,
      'application/javascript; charset=UTF-8',
      '/**/app.on_1({"endpoint":"listEvents"})',
    ]);
    expect((await ask(`GET ${NS}/nope?_jsonp=cb`)).text).toMatch(/^\/\*\*\/cb\(\{"code":"rest_no_route"/);
    expect((await ask(`GET ${NS}/events?_jsonp=`)).body.endpoint).toBe('listEvents');
    expect((await ask(`GET ${NS}/events?_jsonp=cb&_envelope`)).text).toMatch(/^\/\*\*\/cb\(\{"body":/);
  });
  it.each(['alert(1)//', 'a b', 'a-b', 'ą', '<script>', 'a;b'])('refuse %j as a JSONP callback', async (callback) => {
    const { status, headers, body } = await ask(`GET ${NS}/events?_jsonp=${encodeURIComponent(callback)}`);
    expect([status, headers.get('content-type'), Object.keys(body), body.code]).toEqual([
      400,
      'application/json; charset=UTF-8',
      ['code', 'message'],
      'rest_callback_invalid',
    ]);
  });
  it('refuse a JSONP callback that is a list', async () =>
    expect((await ask(`GET ${NS}/events?_jsonp[]=cb`)).body.code).toBe('rest_callback_invalid'));
  it('may come in an envelope', async () => {
    const { status, body } = await ask(`GET ${NS}/events/abc?_envelope`);
    expect([status, body['status'], body['headers']]).toEqual([200, 404, []]);
    expect((await ask(`GET ${NS}/events?_envelope`)).body).toMatchObject({
      status: 200,
      headers: { 'X-TEC-Total': '3', Allow: 'GET' },
      body: { endpoint: 'listEvents' },
    });
  });
  it('about embeds may be XML, including errors', async () => {
    const { headers, text } = await ask('GET /oembed/1.0/embed?url=a%3Cb&format=xml');
    expect(headers.get('content-type')).toBe('text/xml; charset=UTF-8');
    expect(text).toMatch(/^<\?xml version="1\.0"\?>\n<oembed><endpoint>readEmbed<\/endpoint><input><url>a&lt;b<\/url>/);
    expect((await ask('GET /oembed/1.0/embed?format=xml')).text).toContain(
      '<oembed><code>rest_missing_callback_param</code>',
    );
  });
  it('to unexpected errors reveal nothing, and the error is reported', async () => {
    const { status, body } = await ask(`POST ${NS}/tags`, { as: 'editor', json: { name: 'broken' } });
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_server_error', data: { status: 500 }, additional_errors: [] });
    expect(JSON.stringify(body)).not.toContain('zero');
    expect(shell.reported).toHaveLength(1);
  });
  it('carry the headers that a handler sets', async () =>
    expect((await ask(`POST ${NS}/tags`, { as: 'editor', json: { name: 'a' } })).headers.get('location')).toBe(
      'https://site.example/tags/a',
    ));
});

describe('self-description', () => {
  it('of the site', async () => {
    const { body } = await ask('GET /');
    expect(body).toMatchObject({
      name: 'Town calendar',
      url: 'https://site.example',
      gmt_offset: 1,
      timezone_string: 'Europe/Warsaw',
      namespaces: ['oembed/1.0', 'calendar/events/v1', 'tribe/events/v1'],
      authentication: { 'application-passwords': { endpoints: { authorization: 'https://site.example/authorize' } } },
    });
    const routes = body['routes'] as Record<string, { endpoints: unknown[] }>;
    expect(Object.keys(routes)).toEqual(
      expect.arrayContaining([
        '/',
        '/batch/v1',
        '/oembed/1.0/embed',
        String.raw`/calendar/events/v1/events/(?P<id>\d+)`,
        '/tribe/events/v1/events',
      ]),
    );
    expect(routes['/batch/v1']!.endpoints[0]).toMatchObject({
      methods: ['POST'],
      args: { requests: { required: true, maxItems: 25 } },
    });
  });
  it('of the namespace shows which endpoints may be batched', async () => {
    const { body } = await ask(`GET ${NS}`);
    const routes = body['routes'] as Record<string, { endpoints: Record<string, unknown>[] }>;
    expect(body['namespace']).toBe('calendar/events/v1');
    expect(Object.keys(routes)).toHaveLength(15);
    expect(routes[`${NS}/events`]!.endpoints.map((endpoint) => endpoint['allow_batch'])).toEqual([
      undefined,
      { v1: true },
    ]);
  });
  it('of an unknown namespace is refused', async () =>
    expect((await ask(`GET ${NS}?namespace=x`)).body).toMatchObject({
      code: 'rest_invalid_namespace',
      data: { status: 404 },
    }));
  it('of one route', async () => {
    const { status, body, headers } = await ask(`OPTIONS ${NS}/events`);
    expect([status, headers.get('allow'), body['methods']]).toEqual([200, 'GET', ['GET', 'POST']]);
  });
  it('as an OpenAPI document', async () =>
    expect((await ask(`GET ${NS}/doc`)).body).toMatchObject({
      openapi: '3.0.3',
      servers: [{ url: 'https://site.example/api' }],
    }));
});
