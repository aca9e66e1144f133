import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openDatabase, poolConfig, type DatabaseAddress } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import { seedSite } from './rest-seed.ts';
import { listTimes, statementsOf, type Statement } from './rest-statements.ts';

// The built-in site's REST interface over a socket: requests per second and times, beside two floors measured in the
// same run: the same statements through the bare driver, and the same bytes from a bare node:http server. `node
// src/launch.js test/bench/rest.ts 1000`.

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const IN_FLIGHT = 4;

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: (number: number) => object;
}
const event = (number: number): object => ({
  title: `Bench ${number}`,
  slug: `bench-${number}`,
  start_date: '2027-03-01 18:00:00',
  end_date: '2027-03-01 20:00:00',
  venue: 1,
  categories: [1],
  description: 'Doors at seven.',
});
const NS = '/api/calendar/events/v1';
const OPERATIONS: readonly Operation[] = [
  { name: 'single read', method: 'GET', path: `${NS}/events/by-slug/event-5` },
  { name: 'list of 50', method: 'GET', path: `${NS}/events?per_page=50` },
  { name: 'create', method: 'POST', path: `${NS}/events`, body: event },
  {
    name: 'batch of 25',
    method: 'POST',
    path: '/api/batch/v1',
    body: (number) => ({
      requests: Array.from({ length: 25 }, (_, index) => ({
        path: '/calendar/events/v1/events',
        body: event(number * 25 + index),
      })),
    }),
  },
];

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Does something over and over, a few at a time, for some seconds. */
async function rateOf(work: (number: number) => Promise<void>): Promise<Rate> {
  const times: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < end) {
        const from = performance.now();
        await work(nextNumber());
        times.push(performance.now() - from);
      }
    }),
  );
  times.sort((one, other) => one - other);
  return {
    perSecond: times.length / SECONDS,
    p50: times[Math.floor(times.length / 2)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}
let number = 0;
const nextNumber = (): number => {
  number += 1;
  return number;
};

const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
function send(
  url: string,
  method: string,
  authorization: string,
  body?: string | Buffer,
): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(method !== 'GET' && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const request = http.request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

interface Server {
  readonly site: string;
  readonly bare: string;
  readonly authorization: string;
}

async function measure(
  count: number,
  { name, method, path: at, body }: Operation,
  { site, bare, authorization }: Server,
  address: DatabaseAddress,
  pool: pg.Pool,
): Promise<void> {
  const sent = (next: number): string | undefined => body && JSON.stringify(body(next));
  const first = await send(`${site}${at}`, method, authorization, sent(nextNumber()));
  if (first.status >= 300) throw new Error(`${name}: ${first.status} ${first.bytes.toString().slice(0, 300)}`);
  await send(`${bare}/keep`, 'POST', authorization, first.bytes);
  const statements = await statementsOf(address, method, at, body?.(nextNumber()));
  const ours = await rateOf(async (next) => {
    const { status } = await send(`${site}${at}`, method, authorization, sent(next));
    if (status >= 300) throw new Error(`${name} answered ${status}`);
  });
  const driver = await rateOf((next) => replay(pool, statements, next));
  const wire = await rateOf(async (next) => {
    await send(`${bare}${at}`, method, authorization, sent(next));
  });
  process.stdout.write(
    `${name.padEnd(12)} ${String(count).padStart(7)} ${cells(ours)}   ${cells(driver)}   ${cells(wire)}   ${(driver.perSecond / ours.perSecond).toFixed(2).padStart(6)} ${(wire.perSecond / ours.perSecond).toFixed(2).padStart(6)}\n`,
  );
}

const cells = ({ perSecond, p50, p99 }: Rate): string =>
  `${perSecond.toFixed(0).padStart(6)} ${p50.toFixed(2).padStart(7)} ${p99.toFixed(2).padStart(7)}`;

/** The statements of one request on one connection; what is unique in them is made anew. */
async function replay(pool: pg.Pool, statements: readonly Statement[], next: number): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { text, values } of statements)
      await client.query(
        text,
        values.map((value) => (typeof value === 'string' ? renumbered(value, next) : value)),
      );
  } finally {
    client.release();
  }
}

/** Slugs, and ids of rows in JSON, that no other request has. */
const renumbered = (value: string, next: number): string =>
  value
    .replace(/\bbench-(\d+)\b/g, `bench-$1-f${next}`)
    .replace(/"id":(\d+)/g, (_, id: string) => `"id":${1_000_000_000 + next * 1_000 + (Number(id) % 1_000)}`);

async function bench(count: number): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-bench-'));
  const server = await startEmbedded(directory);
  const database = openDatabase(server.address, 2);
  await migrate(database);
  await seedSite(database.pool, count);
  const child = fork(new URL('rest-server.ts', import.meta.url), [JSON.stringify(server.address)]);
  const served = await new Promise<Server>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Server));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const pool = new pg.Pool(poolConfig(server.address, IN_FLIGHT));
  // The server is stopped while connections are idle.
  pool.on('error', () => undefined);
  for (const operation of OPERATIONS.slice(0, 2)) await measure(count, operation, served, server.address, pool);
  const { counting, first, afterWrite, middle, last } = await listTimes(server.address, database.pool, `${NS}/events?`);
  const times = {
    'counted for the first time': counting,
    'first page': first,
    'first page right after a write': afterWrite,
    'middle page': middle,
    'last page': last,
  };
  process.stdout.write(
    `database     ${String(count).padStart(7)} a list of 50 takes it (ms, shortest of seven): ${Object.entries(times)
      .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
      .join(', ')}\n`,
  );
  for (const operation of OPERATIONS.slice(2)) await measure(count, operation, served, server.address, pool);
  child.removeAllListeners('exit').kill();
  await pool.end();
  await database.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

process.stdout.write(
  `${IN_FLIGHT} in flight, ${SECONDS} s each; times in ms. Ratios: how many times as many the floor does.\n`,
);
process.stdout.write(
  '                      calsyncd                  bare driver               bare node:http            ratio to\n',
);
process.stdout.write(
  'operation     events   req/s     p50     p99    req/s     p50     p99    req/s     p50     p99   driver   http\n',
);
const counts = process.argv
  .slice(2)
  .map(Number)
  .filter((count) => count > 0);
for (const count of counts.length > 0 ? counts : [1_000, 100_000]) await bench(count);
agent.destroy();
