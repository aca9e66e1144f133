import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { poolConfig, type DatabaseAddress } from '../../src/db/database.ts';
import { sizesAsked, tell, type Measured } from './measured.ts';
import { connect, type Received, type Sent } from './rest-client.ts';
import { ROWS, type Row } from './rest-rows.ts';
import { seedSite } from './rest-seed.ts';
import { onEmptySite, type EmptySite } from './rest-site.ts';
import { statementsOf, type Statement } from './rest-statements.ts';

// The built-in site over a socket, compared with floors from the same run: the same bytes from a bare node:http server
// in the same process and, unless the answer is cached, the same statements through the bare driver. Four requests are
// in flight at a time, sixteen for cached answers, for a few seconds (BENCH_SECONDS). A row's time is the elapsed time
// divided by the number of requests.
// `node src/launch.js test/bench/rest.ts [--json] [--only=REGEXP] [1000 100000]`; `PROF=DIRECTORY` writes CPU profiles
// of the server.

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const IN_FLIGHT = 4;
/** The content codings that browsers accept for pages. */
const OF_BROWSERS = 'gzip, deflate, br';
// Enough to request each of the 200 venues twice.
const READS_BEFORE = 450;

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server per request. */
  readonly cpuMs: number;
}

interface Server {
  readonly site: string;
  readonly bare: string;
  readonly authorization: string;
  readonly cpuMs: () => Promise<number>;
}

let number = 0;
const nextNumber = (): number => {
  number += 1;
  return number;
};

/** Runs each worker repeatedly for a few seconds. */
async function rateOf(
  workers: readonly ((next: number) => Promise<void>)[],
  cpuMs: () => Promise<number>,
): Promise<Rate> {
  const times: number[] = [];
  const before = await cpuMs();
  const start = performance.now();
  const end = start + SECONDS * 1000;
  await Promise.all(
    workers.map(async (work) => {
      while (performance.now() < end) {
        const from = performance.now();
        await work(nextNumber());
        times.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const used = (await cpuMs()) - before;
  times.sort((one, other) => one - other);
  return {
    perSecond: times.length / seconds,
    p50: times[Math.floor(times.length / 2)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    cpuMs: used / times.length,
  };
}

/** The rate of requests to one of the two servers. Each connection sends its next request once it has an answer. */
async function rateOver(
  url: string,
  inFlight: number,
  sent: (next: number) => Sent,
  cpuMs: () => Promise<number>,
): Promise<Rate> {
  const connections = Array.from({ length: inFlight }, () => connect(url));
  try {
    return await rateOf(
      connections.map((connection) => async (next) => {
        const request = sent(next);
        assertDone(request, await connection.send(request));
      }),
      cpuMs,
    );
  } finally {
    for (const connection of connections) connection.close();
  }
}

function assertDone({ method, path: at }: Sent, { status, bytes }: Received): void {
  if (status >= 300) throw new Error(`${method} ${at} answered ${status}: ${bytes.toString().slice(0, 300)}`);
}

async function askOnce(url: string, sent: Sent): Promise<Buffer> {
  const connection = connect(url);
  const received = await connection.send(sent);
  connection.close();
  assertDone(sent, received);
  return received.bytes;
}

async function measure(
  events: number,
  { name, method, path: at, body, floor, goal, bound, inFlight = IN_FLIGHT }: Row,
  { site, bare, authorization, cpuMs }: Server,
  address: DatabaseAddress,
  pool: pg.Pool,
): Promise<Measured> {
  const sent = (next: number): Sent => ({
    method,
    path: at(next, events),
    body: body && JSON.stringify(body(next)),
    ...(method !== 'GET' && { authorization }),
    ...(!at(next, events).startsWith('/api/') && { accepts: OF_BROWSERS }),
  });
  // A cached answer is compressed as well as possible from the second request on.
  if (floor === 'bytes') await askOnce(site, sent(nextNumber()));
  const bytes = await askOnce(site, sent(nextNumber()));
  await askOnce(bare, { method: 'POST', path: '/keep', body: bytes });
  // Reads that fill the site's caches.
  const asked = Array.from({ length: method === 'GET' ? READS_BEFORE : 2 }, nextNumber);
  const statements = await statementsOf(
    address,
    method,
    asked.map((next) => [at(next, events), body?.(next)]),
  );
  // Both servers are warm before cached answers are measured, as they are for the next thousand readers.
  if (floor === 'bytes') for (const url of [site, bare]) await rateOver(url, inFlight, sent, cpuMs);
  const ours = await rateOver(site, inFlight, sent, cpuMs);
  const driver = await rateOf(
    Array.from({ length: inFlight }, () => (next: number) => replay(pool, statements, next)),
    async () => 0,
  );
  const http = await rateOver(bare, inFlight, sent, cpuMs);
  const floorMs = 1_000 / http.perSecond + (floor === 'bytes' ? 0 : 1_000 / driver.perSecond);
  return {
    what: `REST, ${name}`,
    events,
    value: 1_000 / ours.perSecond,
    unit: 'ms',
    rate: { perSecond: ours.perSecond, perSecondAndCore: 1_000 / ours.cpuMs },
    floor: floorMs,
    beside: `${bytes.length} bytes from node:http${floor === 'bytes' ? '' : `, ${statements.length} statements`}`,
    ...(goal === undefined ? {} : { goal: { ratio: goal } }),
    bound,
    details: {
      inFlight,
      ...named('', ours),
      ...named('driver_', driver),
      ...named('http_', http),
    },
  };
}

const named = (prefix: string, rate: Rate): Record<string, number> =>
  Object.fromEntries(Object.entries(rate).map(([name, value]) => [`${prefix}${name}`, value]));

/** Runs the statements of one request on one connection, with new values where they must be unique. */
async function replay(pool: pg.Pool, statements: readonly Statement[], next: number): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { text, values, name } of statements)
      await client.query({
        text,
        values: values.map((value) => (typeof value === 'string' ? renumbered(value, next) : value)),
        ...(name !== undefined && { name }),
      });
  } finally {
    client.release();
  }
}

/** Replaces slugs, and ids in JSON rows, by unused ones. */
const renumbered = (value: string, next: number): string =>
  value
    .replace(/\bbench-(\d+)\b/g, `bench-$1-f${next}`)
    .replace(/"id":(\d+)/g, (_, id: string) => `"id":${1_000_000_000 + next * 1_000 + (Number(id) % 1_000)}`);

async function serverOn(address: DatabaseAddress): Promise<Server & { readonly child: ChildProcess }> {
  const profile = process.env['PROF'];
  const child = fork(new URL('rest-server.ts', import.meta.url), [JSON.stringify(address)], {
    execArgv: [...process.execArgv, ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`])],
  });
  const [served] = (await once(child, 'message')) as [Omit<Server, 'cpuMs'>];
  const cpuMs = async (): Promise<number> => {
    child.send('cpu');
    const [told] = (await once(child, 'message')) as [{ readonly cpuMs: number }];
    return told.cpuMs;
  };
  return { ...served, cpuMs, child };
}

async function bench({ address, database }: EmptySite, events: number, rows: readonly Row[]): Promise<void> {
  await seedSite(database.pool, events);
  const served = await serverOn(address);
  const pool = new pg.Pool(poolConfig(address, IN_FLIGHT));
  // The server stops while connections are idle.
  pool.on('error', () => undefined);
  for (const row of rows) tell(await measure(events, row, served, address, pool));
  served.child.disconnect();
  await once(served.child, 'exit');
  await pool.end();
}

const only = process.argv.find((option) => option.startsWith('--only='))?.slice('--only='.length);
const rows = ROWS.filter(({ name }) => only === undefined || new RegExp(only).test(name));
for (const events of sizesAsked([1_000])) await onEmptySite((site) => bench(site, events, rows));
