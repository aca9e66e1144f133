import { fork } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { createLogger } from '../../src/log.ts';
import { startWeb } from '../../src/web/start-web.ts';
import { feedWorld } from '../support/feed-world.ts';
import { sizesAsked, tell } from './measured.ts';
import { siteEvent } from '../support/memory-site.ts';

// A cached feed over a socket, its body and its 304, compared with a bare node:http server that sends the same bytes
// and headers. The servers run in their own process. `node src/launch.js test/bench/feed-answers.ts [--json] [200]`.

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1);
const IN_FLIGHT = 8;
const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

function get(url: string, headers: http.OutgoingHttpHeaders): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      })
      .on('error', reject);
  });
}

async function perSecond(url: string, headers: http.OutgoingHttpHeaders): Promise<number> {
  let count = 0;
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (; performance.now() < end; count += 1) await get(url, headers);
    }),
  );
  return count / SECONDS;
}

/**
 * Serves the feed on one port. On another, a bare server repeats the feed's answer to a request with the same headers.
 */
async function serve(count: number): Promise<void> {
  const { feeds } = feedWorld(
    Array.from({ length: count }, (_, id) =>
      siteEvent(id + 1, { title: `Event ${id}`, description: '<p>Doors at seven, and much to say of it.</p>' }),
    ),
  );
  const answered = (request: Request): Promise<Response> => handleFeeds(feeds, request);
  const web = await startWeb({ host: '127.0.0.1', port: 0 }, [['/feeds/*', answered]], createLogger('error'));
  const kept = new Map<string, Promise<{ status: number; headers: Record<string, string>; body: Buffer }>>();
  const bare = http
    .createServer((request, response) => {
      const key = `${request.headers['accept-encoding'] ?? ''} ${request.headers['if-none-match'] ?? ''}`;
      const known =
        kept.get(key) ??
        answered(new Request(`${web.url}${request.url}`, { headers: request.headers as Record<string, string> })).then(
          async (answer) => ({
            status: answer.status,
            headers: Object.fromEntries(answer.headers),
            body: Buffer.from(await answer.arrayBuffer()),
          }),
        );
      kept.set(key, known);
      void known.then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
    })
    .listen(0, '127.0.0.1', () =>
      process.send?.([web.url, `http://127.0.0.1:${(bare.address() as AddressInfo).port}`]),
    );
}

async function bench(count: number): Promise<void> {
  const child = fork(import.meta.filename, ['serve', String(count)]);
  const [ours, bare] = await new Promise<[string, string]>((resolve) => {
    child.once('message', (message) => resolve(message as [string, string]));
  });
  const whole = await get(`${ours}/feeds/all.ics`, {});
  const cases: readonly (readonly [name: string, headers: http.OutgoingHttpHeaders])[] = [
    ['304', { 'if-none-match': whole.headers.etag }],
    ['br', { 'accept-encoding': 'br' }],
    ['gzip', { 'accept-encoding': 'gzip' }],
    ['plain', {}],
  ];
  for (const [name, headers] of cases) {
    const { bytes } = await get(`${ours}/feeds/all.ics`, headers);
    // Both servers are warm before either is measured.
    for (const url of [ours, bare]) await perSecond(`${url}/feeds/all.ics`, headers);
    const own = await perSecond(`${ours}/feeds/all.ics`, headers);
    const floor = await perSecond(`${bare}/feeds/all.ics`, headers);
    tell({
      what: `a feed that is kept, ${name}`,
      events: count,
      value: 1_000 / own,
      unit: 'ms',
      rate: { perSecond: own },
      floor: 1_000 / floor,
      beside: `${bytes.length} bytes from node:http`,
      bound: `The cost of node:http itself${name === 'plain' ? '; above 1 MB also decompression, because the parts are stored compressed' : ''}.`,
    });
  }
  child.kill();
}

if (process.argv[2] === 'serve') await serve(Number(process.argv[3]));
else {
  for (const count of sizesAsked([200])) await bench(count);
  agent.destroy();
}
