import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Span } from '../../../src/operator/traces/otlp.ts';
import { countRun } from '../../../src/operator/metrics/count-run.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// Traces of real runs as a collector receives them.

const SECRET = 'hunter2-in-the-address';

interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly text: string;
}

let syncing: SyncingApp;
let feeds: FeedServer;
let received: Received[];
let collector: ReturnType<typeof createServer>;

beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  received = [];
  collector = createServer((request, response) => {
    let text = '';
    request
      .on('data', (chunk: Buffer) => {
        text += chunk.toString();
      })
      .on('end', () => {
        const { url = '', headers } = request;
        received.push({ path: url, authorization: headers.authorization, text });
        response.writeHead(200).end('{}');
      });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterEach(async () => {
  collector.close();
  await Promise.all([syncing.close(), feeds.close()]);
});

const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const spans = (): readonly Span[] =>
  received.flatMap(({ text }) =>
    (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap((resource) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );

test('a run is one trace with a span for each step, without the address of its feed', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(30))));
  feeds.on('/club.ics', status(403));
  const app = await syncing.open(
    'fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: ' +
      `"${feeds.url}/town.ics?key=${SECRET}", auth: { bearer: ${SECRET} } }\n` +
      `  club: { url: "${feeds.url}/club.ics?key=${SECRET}" }\n`,
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20sesame' },
  );
  for (const source of ['town', 'club']) countRun(app.context.measures, await app.sync(source));
  await app.close();
  expect(new Set(received.map(({ path, authorization }) => `${path} ${authorization}`))).toEqual(
    new Set(['/v1/traces Bearer sesame']),
  );
  const all = received.map(({ text }) => text).join('\n');
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain('127.0.0.1');
  const byTrace = [...Map.groupBy(spans(), ({ traceId }) => traceId).values()];
  expect(byTrace.map((own) => own.map(({ name }) => name))).toEqual([
    ['fetch', 'read', 'plan', 'write', 'run'],
    ['fetch', 'plan', 'run'],
  ]);
  for (const own of byTrace) {
    const root = own.at(-1)!;
    expect(own.slice(0, -1).map(({ parentSpanId }) => parentSpanId)).toEqual(own.slice(0, -1).map(() => root.spanId));
    expect(new Set(own.map(({ spanId }) => spanId)).size).toBe(own.length);
    expect(
      own.every(({ startTimeUnixNano, endTimeUnixNano }) => BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano)),
    ).toBe(true);
  }
  const [town, club] = byTrace.map((own) => own.at(-1)!);
  expect(town!.attributes).toContainEqual({ key: 'calsyncd.created', value: { intValue: '30' } });
  expect([town!.status.code, club!.status.code]).toEqual([1, 2]);
});
