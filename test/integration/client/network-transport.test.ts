import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkTransport, type NetworkTransport } from '../../../src/client/network-transport.ts';
import type { SiteClient, Transport } from '../../../src/client/site-client.ts';
import { clientOf, closeClients, post, statuses } from '../../support/client-of.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';

const redirecting: Transport = () =>
  Promise.resolve(new Response(null, { status: 302, headers: { location: 'https://evil.example/wp-json/?x=1' } }));
const naming: Transport = () =>
  Promise.resolve(
    new Response('<html>', { headers: { link: '<https://evil.example/wp-json/>; rel="https://api.w.org/"' } }),
  );

describe('redirects', () => {
  let site: RealSite;
  beforeEach(async () => {
    site = await realSite();
  });
  afterEach(async () => {
    await closeClients();
    await site.close();
  });

  test('of reads within the site are followed, and writes go straight to their target', async () => {
    const seen: string[] = [];
    const { origin } = new URL(site.root);
    const inner = networkTransport({ requestsInFlight: 1, timeoutMs: 5000, userAgent: 't' });
    const transport: NetworkTransport = Object.assign(
      (request: Request) => {
        const url = new URL(request.url);
        seen.push(`${request.method} ${url.pathname}`);
        return url.pathname.startsWith('/old/')
          ? Promise.resolve(
              new Response(null, {
                status: 301,
                headers: { location: `${origin}${url.pathname.replace('/old', '')}${url.search}` },
              }),
            )
          : inner(request);
      },
      { close: inner.close },
    );
    const moved = clientOf(site, { root: `${site.home}/old/wp-json`, transport });
    expect(statuses(await moved.write([post('a')]))).toEqual([201]);
    // The index of the namespace is read at the old address and at the one that the redirect leads to.
    const both = ['', '/old'].flatMap((at) => [`GET ${at}/wp-json/`, `GET ${at}/wp-json/tribe/events/v1`]);
    expect(seen.slice(0, 4).toSorted()).toEqual(both.toSorted());
    expect(seen.slice(4)).toEqual(['GET /wp-json/tribe/events/v1', 'POST /wp-json/tribe/events/v1/events']);
  });
  /** A client of a site at an http address that moves to https when `move` is called. */
  function movingSite(): { moving: SiteClient; move: () => void; seen: string[] } {
    const seen: string[] = [];
    const inner = networkTransport({ requestsInFlight: 2, timeoutMs: 5000, userAgent: 't' });
    let hasMoved = false;
    const transport: NetworkTransport = Object.assign(
      (request: Request) => {
        const { protocol, pathname, search } = new URL(request.url);
        seen.push(`${request.method} ${protocol}`);
        const location = `https://moving.example${pathname}${search}`;
        return hasMoved && protocol === 'http:'
          ? Promise.resolve(Response.json({ message: 'Moved' }, { status: 301, headers: { location } }))
          : inner(new Request(`${new URL(site.root).origin}${pathname}${search}`, request));
      },
      { close: inner.close },
    );
    const move = (): void => {
      hasMoved = true;
    };
    return { moving: clientOf(site, { root: 'http://moving.example/wp-json', transport }), move, seen };
  }
  test('of a site that moves to https after it was discovered are followed by writes, too', async () => {
    const { moving, move, seen } = movingSite();
    expect(statuses(await moving.write([post('a')]))).toEqual([201]);
    move();
    const both = await Promise.all([moving.write([post('b')]), moving.write([post('c')])]);
    expect(both.map(statuses)).toEqual([[201], [201]]);
    expect(site.person.events()).toHaveLength(3);
    seen.length = 0;
    await moving.write([post('d')]);
    expect(seen).toEqual(['POST https:']);
  });
  test('of a site that moves between two writes leave the rest for the next attempt', async () => {
    const { moving, move, seen } = movingSite();
    const writes = [post('a'), post('b'), post('c')];
    const [first, ...rest] = await moving.write(writes, async (_, sent) => {
      await sent;
      move();
      return true;
    });
    const unsent = { kind: 'lost', isUnsent: true, message: expect.stringContaining('redirects writing /events') };
    expect([first, ...rest]).toMatchObject([{ status: 201 }, unsent, unsent]);
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(2);
    expect(statuses(await moving.write(writes.slice(1)))).toEqual([201, 201]);
    expect(site.person.events().map(({ slug }) => slug)).toEqual(['a', 'b', 'c']);
  });
  test('of a firewall that blocks one write do not affect the others', async () => {
    const inner = networkTransport({ requestsInFlight: 1, timeoutMs: 5000, userAgent: 't' });
    const transport: NetworkTransport = Object.assign(
      async (request: Request) =>
        request.method === 'POST' && (await request.clone().text()).includes('"b"')
          ? new Response(null, { status: 302, headers: { location: `${site.home}/blocked` } })
          : inner(request),
      { close: inner.close },
    );
    const answers = await clientOf(site, { transport }).write([post('a'), post('b'), post('c')]);
    expect(statuses(answers)).toEqual([201, 302, 201]);
  });
  test('to another host are not followed, so that it never gets the credentials', async () => {
    await expect(clientOf(site, { transport: redirecting }).abilities()).rejects.toMatchObject({
      code: 'site-redirects',
      message: expect.stringMatching(/to https:\/\/evil\.example\/wp-json\/\. Write/),
    });
  });
  test('a page that names an interface on another host is not trusted', async () => {
    await expect(clientOf(site, { transport: naming }).abilities()).rejects.toMatchObject({ code: 'site-elsewhere' });
  });
});

let server: Server;
const serve = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

describe('the transport', () => {
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('limits the number of requests in flight', async () => {
    let now = 0;
    let most = 0;
    const url = await serve((_request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end('{}');
      }, 30);
    });
    const transport = networkTransport({ requestsInFlight: 3, timeoutMs: 5000, userAgent: 't' });
    await Promise.all(
      Array.from({ length: 12 }, () => transport(new Request(url)).then((response) => response.text())),
    );
    await transport.close();
    expect(most).toBe(3);
  });
  test('recovers from failures', async () => {
    let count = 0;
    const url = await serve((_request, response) => {
      count += 1;
      if (count <= 4) response.destroy();
      else response.end('{}');
    });
    const transport = networkTransport({ requestsInFlight: 1, timeoutMs: 5000, userAgent: 't' });
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => transport(new Request(url, { method: 'POST', body: '{}' }))),
    );
    await transport.close();
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });
  test('decompresses answers and sends its user agent', async () => {
    const url = await serve((request, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(request.headers['user-agent']))),
    );
    const transport = networkTransport({ requestsInFlight: 1, timeoutMs: 5000, userAgent: 'calsyncd/1 (+a)' });
    expect(await (await transport(new Request(url))).json()).toBe('calsyncd/1 (+a)');
    await transport.close();
  });
  test('passes on the bytes unchanged, whatever they are', async () => {
    const bytes = [0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x00, 0xc3, 0x7d];
    const url = await serve((_request, response) => {
      response.end(Buffer.from(bytes));
    });
    const transport = networkTransport({ requestsInFlight: 1, timeoutMs: 5000, userAgent: 't' });
    const response = await transport(new Request(url));
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual(bytes);
    expect(response.headers.get('content-type')).toBeNull();
    await transport.close();
  });
  test('refuses endless answers', async () => {
    const url = await serve((_request, response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pump);
      pump();
    });
    const transport = networkTransport({
      requestsInFlight: 1,
      timeoutMs: 5000,
      userAgent: 't',
      answerBytesMax: 1_000_000,
    });
    await expect(transport(new Request(url))).rejects.toMatchObject({ code: 'too-large' });
    await transport.close();
  });
});
