import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { networkGuard } from '../../src/client/address-guard.ts';
import { portUnusable } from '../../src/web/port.ts';
import { peerOf, startWeb, type Web } from '../../src/web/start-web.ts';
import { until } from '../support/until.ts';

const NETWORKS = ['192.168.0.0/24', '172.18.0.1', 'fd00::/64'];

test.each<[string, string | undefined, string]>([
  ['203.0.113.5', undefined, '203.0.113.5'],
  ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::1', '10.9.9.9, 198.51.100.1', '198.51.100.1'],
  ['::ffff:172.18.0.1', '198.51.100.1', '198.51.100.1'],
  ['172.18.0.2', '198.51.100.1', '172.18.0.2'],
  ['10.0.0.1', '198.51.100.1', '10.0.0.1'],
  ['fd00::1', '2001:db8::1', '2001:db8::1'],
  ['fd01::1', '2001:db8::1', 'fd01::1'],
  ['192.168.0.7', '', '192.168.0.7'],
  ['192.168.0.7', 'x, ', '192.168.0.7'],
  ['192.168.0.7', '127.0.0.1', '192.168.0.7'],
  ['192.168.0.7', '::1', '192.168.0.7'],
  ['192.168.0.7', '::ffff:127.0.0.1', '192.168.0.7'],
  ['192.168.0.7', '::ffff:7f00:1', '192.168.0.7'],
  ['192.168.0.7', '0:0:0:0:0:0:0:1', '192.168.0.7'],
  ['192.168.0.7', '[::1]', '192.168.0.7'],
  ['192.168.0.7', '2001:db8::1', '2001:db8::1'],
  ['192.168.0.7', '127.0.0.1:80', '192.168.0.7'],
  ['192.168.0.7', '127.x', '192.168.0.7'],
  ['192.168.0.7', 'unknown', '192.168.0.7'],
  ['192.168.0.7', '198.51.100.1:4711', '198.51.100.1'],
  ['192.168.0.7', '[2001:db8::1]:4711', '2001:db8::1'],
  ['127.0.0.1', '::1', '::1'],
  // Two proxies in a row: anybody may have written what precedes the address that the first one saw.
  ['127.0.0.1', '127.0.0.1, 198.51.100.1, 192.168.0.7', '198.51.100.1'],
  ['127.0.0.1', '127.0.0.1, 192.168.0.7', '192.168.0.7'],
  ['127.0.0.1', '192.168.0.8, 10.0.0.1', '10.0.0.1'],
])('a request from %s with X-Forwarded-For %s counts as one from %s', (address, forwarded, peer) =>
  expect(peerOf(address, forwarded, networkGuard(NETWORKS))).toBe(peer),
);

test('only this machine is trusted as a proxy unless the configuration names another', () => {
  for (const near of ['10.0.0.1', '172.18.0.1', '192.168.0.7', '169.254.0.1', 'fd00::1', 'fe80::1%eth0', '100.64.0.1'])
    expect(peerOf(near, '198.51.100.1')).toBe(near.replace(/%.*/, ''));
});

const refuse = async (): Promise<Response> => new Response('Too large.', { status: 413 });
const refuseAtFirst = async (request: Request): Promise<Response> => {
  for await (const _ of request.body ?? []) break;
  return refuse();
};
const read = async (request: Request): Promise<Response> =>
  new Response(String((await request.arrayBuffer()).byteLength));

describe('an answer that comes before the whole request has been sent', () => {
  const BODY_BYTES = 4_000_000;
  let web: Web;
  beforeAll(async () => {
    web = await startWeb(
      { host: '127.0.0.1', port: 0 },
      [
        ['/unread', refuse],
        ['/partly', refuseAtFirst],
        ['/read', read],
      ],
      createLogger('error'),
    );
  });
  afterAll(() => web.close());

  /** Sends the head and half of the body, and the other half after the answer has come. */
  async function sentInHalves(path: string): Promise<{ readonly answer: string; readonly isReset: boolean }> {
    const { hostname, port } = new URL(web.url);
    const socket = connect(Number(port), hostname);
    let [answer, isReset] = ['', false];
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => {
        answer += text;
      })
      .on('error', () => {
        isReset = true;
      });
    const half = Buffer.alloc(BODY_BYTES / 2, 'x');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
    socket.write(half);
    await once(socket, 'data');
    socket.write(half);
    await once(socket, 'close');
    return { answer, isReset };
  }

  test.each(['/unread', '/partly'])('arrives whole and closes the connection, without a reset: %s', async (path) => {
    const { answer, isReset } = await sentInHalves(path);
    const [head = '', content] = answer.split('\r\n\r\n');
    expect({ status: head.split('\r\n')[0], isReset, content }).toEqual({
      status: 'HTTP/1.1 413 Payload Too Large',
      isReset: false,
      content: 'Too large.',
    });
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^content-length: 10$/im);
  });

  test('one that comes after it keeps the connection open', async () => {
    const answer = await fetch(`${web.url}/read`, { method: 'POST', body: Buffer.alloc(BODY_BYTES) });
    expect([answer.headers.get('connection'), await answer.text()]).toEqual(['keep-alive', String(BODY_BYTES)]);
  });
});

const says = (who: string) => async (): Promise<Response> => new Response(who);

test('a client that disconnects while sending only leads to a debug message', async () => {
  const lines: string[] = [];
  const to = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
  const begun = Promise.withResolvers<void>();
  const readSlowly = async (request: Request): Promise<Response> => {
    begun.resolve();
    return read(request);
  };
  const web = await startWeb({ host: '127.0.0.1', port: 0 }, [['/read', readSlowly]], createLogger('debug', to));
  const { hostname, port } = new URL(web.url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  await begun.promise;
  socket.destroy();
  await until('it to be noticed', async () => lines.length > 0);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 'debug', msg: 'a client has gone before its request had arrived' },
  ]);
  await web.close();
});

describe('the handler that answers', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb(
      { host: '127.0.0.1', port: 0 },
      [
        ['/feeds', says('the folder')],
        ['/feeds/*', says('below it')],
        [/^\/event\/[^/]+\.ics$/, says('the pattern')],
        ['/broken', () => Promise.reject(new TypeError('nobody knows why'))],
        ['/event/*', says('the next one')],
      ],
      createLogger('silent'),
    );
  });
  afterAll(() => web.close());

  test.each([
    ['/feeds', '200 the folder'],
    ['/feeds?x=/event/1.ics', '200 the folder'],
    ['/feeds/', '200 below it'],
    ['/feeds/all.ics?from=2026-01-01#x', '200 below it'],
    ['/event/talk.ics', '200 the pattern'],
    ['/event/caf%C3%A9.ics?a=b', '200 the pattern'],
    ['/event/talk/x.ics', '200 the next one'],
    ['/event/?x=1.ics', '200 the next one'],
    ['/feedsx', '404 There is no page here. The calendar is at /, the feeds are at /feeds/.\n'],
    ['/', '404 There is no page here. The calendar is at /, the feeds are at /feeds/.\n'],
    ['/broken', '500 Something went wrong here; the log has the details.\n'],
  ])('at %s', async (path, said) => {
    const answer = await fetch(web.url + path);
    expect(`${answer.status} ${await answer.text()}`).toBe(said);
    const head = await fetch(web.url + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      answer.status,
      answer.headers.get('content-length'),
      '',
    ]);
  });

  test('at an absolute URL, as proxies send it', async () => {
    const { hostname, port } = new URL(web.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.write('GET http://town.example?x=1 HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.write('GET http://town.example/feeds/a?x=/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let answers = '';
    for await (const text of socket) answers += text;
    expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
    expect(answers).toContain('below it');
  });
});

const fails = async (): Promise<never> => Promise.reject(new Error('the database has gone'));
const kept = async ({ url }: Request): Promise<Response | undefined> =>
  url.endsWith('/kept') ? new Response('what was there') : undefined;

describe('during an outage of something that all handlers need', () => {
  const outage = { isAway: false, listeners: new Set<() => void>() };
  const beginsToFail = Promise.withResolvers<never>();
  const slow: (() => boolean)[] = [];
  const goAway = (): void => {
    outage.isAway = true;
    for (const listener of outage.listeners) listener();
  };
  let web: Web;
  beforeAll(async () => {
    web = await startWeb(
      { host: '127.0.0.1', port: 0 },
      [
        ['/always', async () => new Response('alive'), 'always'],
        [
          '/slow/*',
          (_request, _peer, isAwaited) => {
            slow.push(isAwaited!);
            return beginsToFail.promise;
          },
          kept,
        ],
        ['/first/*', fails, kept],
        ['/plain', fails],
        ['/*', async () => new Response('fresh'), kept],
      ],
      createLogger('fatal'),
      {
        outage: {
          isAway: () => outage.isAway,
          onAway: (listener) => {
            outage.listeners.add(listener);
            return () => {
              outage.listeners.delete(listener);
            };
          },
          isCause: (error) => error instanceof Error && error.message === 'the database has gone',
          answer: () => new Response('later', { status: 503 }),
        },
      },
    );
  });
  afterAll(() => web.close());
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(web.url + path);
    return `${answer.status} ${await answer.text()}`;
  };

  test('handlers with a fallback use it and others answer 503, until it is over', async () => {
    expect([await ask('/kept'), await ask('/first/kept'), await ask('/first/x'), await ask('/plain')]).toEqual([
      '200 fresh',
      '200 what was there',
      '503 later',
      '503 later',
    ]);
    const waiting = [ask('/slow/kept'), ask('/slow/x')];
    await expect.poll(() => outage.listeners.size).toBe(2);
    expect(slow.map((isAwaited) => isAwaited())).toEqual([true, true]);
    goAway();
    expect(slow.map((isAwaited) => isAwaited())).toEqual([false, false]);
    expect(await Promise.all(waiting)).toEqual(['200 what was there', '503 later']);
    expect([await ask('/kept'), await ask('/x'), await ask('/plain'), await ask('/always')]).toEqual([
      '200 what was there',
      '503 later',
      '503 later',
      '200 alive',
    ]);
    outage.isAway = false;
    expect([await ask('/kept'), outage.listeners.size]).toEqual(['200 fresh', 0]);
  });
});

test.each([
  ['EADDRINUSE', 'Port 80 is taken by another program.'],
  ['EADDRNOTAVAIL', 'The address 203.0.113.7:80 cannot be used: this machine does not have it. Set HOST and PORT'],
  ['EACCES', 'this user is not allowed to listen there: ports below 1024 are for root.'],
  ['EOTHER', 'The address 203.0.113.7:80 cannot be used: listen EOTHER.'],
])('a message explains why an address cannot be listened on: %s', (code, words) =>
  expect(
    portUnusable({ host: '203.0.113.7', port: 80 }, Object.assign(new Error(`listen ${code}`), { code })).message,
  ).toContain(words),
);
