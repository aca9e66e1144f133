import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { FetchResult } from '../../../src/run/fetch/fetch-feed.ts';
import {
  CALENDAR,
  closeConnections,
  connections,
  failure,
  fetchedWith,
  text,
  type Asked,
} from '../../support/feed-fetching.ts';
import { body, endless, feedServer, redirect, status } from '../../support/feed-server.ts';

// Servers that violate HTTP or abuse it, with bytes that no HTTP library would send.

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});
afterAll(closeConnections);

/** The address of a server that answers every request with the given bytes. */
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .once('data', () => answer(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.ics`;
}

const says =
  (head: string, content: string | Uint8Array = CALENDAR) =>
  (socket: Socket): void => {
    socket.write(Buffer.from(`HTTP/1.1 ${head}\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n`));
    socket.end(content);
  };

/** Writes `bytes` again and again until the other side hangs up. */
const repeats =
  (head: string, bytes: string) =>
  (socket: Socket): void => {
    socket.write(head);
    const timer = setInterval(() => {
      if (!socket.destroyed) socket.write(bytes);
    }, 5);
    socket.on('close', () => clearInterval(timer));
  };

const asked = async (answer: (socket: Socket) => void, more: Partial<Asked> = {}): Promise<FetchResult> =>
  fetchedWith(await rawServer(answer), { http: connections(['127.0.0.1']), ...more });

describe('an answer that violates HTTP is a failed fetch that says so', () => {
  test.each<[string, (socket: Socket) => void, RegExp]>([
    ['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'), /does not speak HTTP as it should/],
    ['a body without headers', (socket) => socket.end(CALENDAR), /does not speak HTTP as it should/],
    [
      'a chunk size that is not a number',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n'),
      /Invalid character in chunk size/,
    ],
    [
      'a negative length',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx'),
      /Invalid character in Content-Length/,
    ],
    [
      'two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhelloo'),
      /MISMATCH/,
    ],
    [
      'fewer bytes than the length',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nBEGIN'),
      /the connection broke off/,
    ],
    [
      'huge headers',
      says(`200 OK\r\n${`X-A: ${'y'.repeat(1_000)}\r\n`.repeat(100)}X-B: c`),
      /its headers are larger than any feed needs/,
    ],
    ['nothing at all', (socket) => socket.end(), /the connection broke off/],
  ])('%s', async (_, answer, message) => {
    expect(failure(await asked(answer), 'feed-cut-off')).toMatch(message);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['endless headers', repeats('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n')],
    ['a header byte by byte', repeats('HTTP/1.1 200 OK\r\n', 'X')],
    ['endless 102 Processing', repeats('', 'HTTP/1.1 102 Processing\r\n\r\n')],
  ])('%s: the fetch ends after its time limit', async (_, answer) => {
    expect(failure(await asked(answer, { limits: { totalMs: 400 } }), 'feed-timeout')).toMatch(/at most 0\.4 seconds/);
  });

  test('a TLS server that never completes the handshake', async () => {
    const address = (await rawServer(() => undefined)).replace('http:', 'https:');
    expect(
      failure(
        await fetchedWith(address, { http: connections(['127.0.0.1'], { connectTimeoutMs: 300 }) }),
        'feed-unreachable',
      ),
    ).toMatch(/did not accept a connection in time/);
  });
});

describe('common deviations of servers', () => {
  test('headers in raw UTF-8 and cookies are accepted', async () => {
    expect(
      text(
        await asked(
          says(
            '200 OK\r\nContent-Disposition: attachment; filename="Zażółć.ics"\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2',
          ),
        ),
      ),
    ).toBe(CALENDAR);
  });

  test('a kept connection that is closed as it is used again does not fail the fetch', async () => {
    const connectionsMade = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      connectionsMade.add(socket);
      let requests = 0;
      socket
        .on('error', () => undefined)
        .on('data', () => {
          requests += 1;
          if (requests > 1) socket.destroy();
          else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${CALENDAR.length}\r\n\r\n${CALENDAR}`);
        });
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const http = connections(['127.0.0.1'], { connectionsPerHost: 1 });
    for (let turn = 0; turn < 3; turn += 1)
      expect(text(await fetchedWith(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { http }))).toBe(
        CALENDAR,
      );
    expect(connectionsMade.size).toBe(3);
  });

  test('an ETag in raw UTF-8 is sent back byte for byte', async () => {
    const first = await asked(says('200 OK\r\nETag: "Zażółć"'));
    if (first.kind !== 'fetched') throw new Error(text(first));
    let request = '';
    const server = await feedServer();
    server.on('/x', (incoming, response) => {
      request = Buffer.from(incoming.headers['if-none-match'] ?? '', 'latin1').toString();
      response.writeHead(304).end();
    });
    expect(
      (await fetchedWith(`${server.url}/x`, { http: connections(['127.0.0.1']), validators: first.validators })).kind,
    ).toBe('notModified');
    expect(request).toBe('"Zażółć"');
    await server.close();
  });

  test('a redirect in raw UTF-8 is followed', async () => {
    const server = await feedServer();
    server.on(encodeURI('/zażółć.ics'), body(CALENDAR));
    expect(text(await asked(says(`302 Found\r\nLocation: ${server.url}/zażółć.ics`)))).toBe(CALENDAR);
    await server.close();
  });

  test('a stray % in a user name is part of it', async () => {
    const server = await feedServer();
    server.on('/auth', body(CALENDAR));
    expect(
      text(
        await fetchedWith(`${server.url.replace('//', '//us%er:100%@')}/auth`, { http: connections(['127.0.0.1']) }),
      ),
    ).toBe(CALENDAR);
    expect(server.requests.at(-1)!.headers.authorization).toBe(`Basic ${Buffer.from('us%er:100%').toString('base64')}`);
    await server.close();
  });
});

describe('bodies that are expensive to read', () => {
  test('are not decompressed 200 times', async () => {
    let nested: Uint8Array = Buffer.from(CALENDAR);
    for (let times = 0; times < 200; times += 1) nested = gzipSync(nested, { level: 1 });
    expect(
      failure(
        await asked(says(`200 OK\r\nContent-Encoding: ${Array(200).fill('gzip').join()}`, nested)),
        'feed-bad-encoding',
      ),
    ).toMatch(/compressed 200 times, more than 2/);
  });

  test('are discarded while they are still sent if they cannot be decompressed', async () => {
    const server = await feedServer();
    for (const coding of ['compress', 'gzip', 'br', 'deflate', 'gzip, gzip, gzip']) {
      server.on('/flood', endless(Buffer.alloc(65_536, 'x'), { 'content-encoding': coding }));
      expect(
        failure(await fetchedWith(`${server.url}/flood`, { http: connections(['127.0.0.1']) }), 'feed-bad-encoding'),
      ).toMatch(/cannot be unpacked/);
    }
    await server.close();
  });

  test('a redirect with an endless body is followed', async () => {
    const server = await feedServer();
    server.on('/good', body(CALENDAR));
    expect(
      text(await asked(repeats(`HTTP/1.1 302 Found\r\nLocation: ${server.url}/good\r\n\r\n`, 'x'.repeat(100_000)))),
    ).toBe(CALENDAR);
    await server.close();
  });

  test('a body that is compressed twice is read', async () => {
    const server = await feedServer();
    server.on('/double', body(gzipSync(gzipSync(CALENDAR)), { 'content-encoding': 'gzip, gzip' }));
    expect(text(await fetchedWith(`${server.url}/double`, { http: connections(['127.0.0.1']) }))).toBe(CALENDAR);
    await server.close();
  });
});

test('a 401 after a redirect explains that the credentials were not passed on', async () => {
  const [server, other] = await Promise.all([feedServer(), feedServer()]);
  server.on('/feed', redirect(`${other.url}/private?x=1`));
  other.on('/private', status(401));
  const message = failure(
    await fetchedWith(`${server.url}/feed`, { http: connections(['127.0.0.1']), auth: { bearer: 'geheim' } }),
    'feed-unauthorized',
  );
  expect(message).toBe(
    `127.0.0.1:${other.port}/private requires credentials (401). Those of the source are for ${server.url}, ` +
      'which redirects here, and are sent nowhere else. If they are meant for this address, write it into the ' +
      'configuration.',
  );
  await Promise.all([server.close(), other.close()]);
});
