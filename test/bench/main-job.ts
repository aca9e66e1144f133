import nodeIcal from 'node-ical';
import pg from 'pg';
import { poolConfig } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { feedServer, type FeedServer } from '../support/feed-server.ts';
import { madeFeed, numbered, type MadeEvent } from './made-feed.ts';

// The main job as users run it: a daemon with the built-in site on its embedded database, and a feed over HTTP. Time
// runs from the daemon's request for the feed to its report. Beside it the floors, measured in the same run: the bare
// request, node-ical's parse of the same bytes, the same rows copied within the database into a table with the same
// indexes. `node src/launch.js test/bench/main-job.ts 1000`, with `--json` for machines.

const [sizes, isJson] = [process.argv.slice(2).filter((arg) => /^\d+$/.test(arg)), process.argv.includes('--json')];
const FROM = Date.now() + 86_400_000;

interface Row {
  readonly what: string;
  readonly events: number;
  readonly ms: number;
  readonly floorMs: number;
  readonly floor: string;
}

function tell(row: Row): void {
  if (isJson) process.stdout.write(`${JSON.stringify(row)}\n`);
  else
    process.stdout.write(
      `${row.what.padEnd(34)}${String(row.events).padStart(8)}${row.ms.toFixed(0).padStart(9)}${row.floorMs.toFixed(0).padStart(9)}${(row.ms / row.floorMs).toFixed(1).padStart(8)}  ${row.floor}\n`,
    );
}

const timed = async (work: () => unknown): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};
const shortest = async (times: number, work: () => unknown): Promise<number> => {
  const all: number[] = [];
  for (let turn = 0; turn < times; turn += 1) all.push(await timed(work));
  return Math.min(...all);
};

/** A feed that is as it was (304) until it is told to answer otherwise, once. */
class Publisher {
  readonly url: string;
  /** When it was asked last. */
  askedAt = 0;
  #next: Uint8Array | undefined;
  #published = 0;
  constructor(server: FeedServer) {
    this.url = `${server.url}/feed.ics`;
    server.on('/feed.ics', (_request, response) => {
      this.askedAt = performance.now();
      const body = this.#next;
      this.#next = undefined;
      if (!body) return void response.writeHead(304).end();
      this.#published += 1;
      response.writeHead(200, { 'content-type': 'text/calendar', etag: `"${this.#published}"` }).end(body);
    });
  }
  publish(body: Uint8Array): void {
    this.#next = body;
  }
}

/** The shortest of five runs. */
async function leastRun(daemon: Daemon, publisher: Publisher, body?: Uint8Array): Promise<number> {
  const all: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) all.push(await nextRun(daemon, publisher, body));
  return Math.min(...all);
}

/** Waits for the next report; the milliseconds since the feed was asked for. */
async function nextRun(daemon: Daemon, publisher: Publisher, body?: Uint8Array): Promise<number> {
  if (body) publisher.publish(body);
  await daemon.heard('"a run has ended"');
  return performance.now() - publisher.askedAt;
}

/** The site's rows, read through the bare driver. */
async function rowsRead(home: Home): Promise<number> {
  const server = await startEmbedded(home.dataDir);
  const pool = new pg.Pool(poolConfig(server.address, 1));
  try {
    return await shortest(3, () => pool.query('select * from site.events'));
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** The shortest of three whole comparisons, each in a daemon whose mapping has just changed, though to no effect. */
async function wholeComparison(home: Home, publisher: Publisher): Promise<number> {
  const all: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await home.write('calsyncd.yaml', configuration(publisher, `skip: [{ field: uid, matches: '^none-${turn}$' }]`));
    const daemon = home.start();
    all.push(await nextRun(daemon, publisher));
    if (!daemon.stderr().includes('"unchanged"')) throw new Error(`it was not unchanged:\n${daemon.stderr()}`);
    await daemon.stop('SIGTERM');
  }
  return Math.min(...all);
}

const configuration = ({ url }: Publisher, mapping = ''): string => `fetch: { allow_addresses: [127.0.0.1] }
builtin: { title: Bench, timezone: Europe/Warsaw }
sources:
  bench: { url: '${url}', every: 1s${mapping && `, ${mapping}`} }
`;

/** The site's rows, copied within the database into an empty table with the same indexes. */
async function rowsAlone(home: Home): Promise<number> {
  const server = await startEmbedded(home.dataDir);
  const pool = new pg.Pool(poolConfig(server.address, 1));
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
      where table_schema = 'site' and table_name = 'events' and is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name).join(', ');
  try {
    await pool.query('create table public.floor (like site.events including all)');
    return await shortest(3, async () => {
      await pool.query('truncate public.floor');
      await pool.query(`insert into public.floor (${columns}) select ${columns} from site.events`);
    });
  } finally {
    await pool.query('drop table if exists public.floor');
    await pool.end();
    await server.stop();
  }
}

/** One changed event, one new one, and one that is gone. */
const edited = (events: readonly MadeEvent[]): readonly MadeEvent[] =>
  [...events.slice(1), { number: events.length }].map((event) =>
    event.number === 5 ? { ...event, title: 'Another title' } : event,
  );

async function bench(count: number): Promise<void> {
  const server = await feedServer();
  const publisher = new Publisher(server);
  const home = await programHome(configuration(publisher));
  try {
    const events = numbered(count);
    const body = madeFeed(events, FROM);
    const parse = await shortest(3, () => nodeIcal.sync.parseICS(Buffer.from(body).toString()));
    publisher.publish(body);
    const daemon = home.start();
    const first = await nextRun(daemon, publisher);
    const rows = await rowsAlone(home);
    tell({
      what: 'first sync',
      events: count,
      ms: first,
      floorMs: parse + rows,
      floor: `node-ical's parse (${parse.toFixed(0)} ms) and the same rows copied (${rows.toFixed(0)} ms)`,
    });
    const bare = await shortest(5, async () => (await fetch(publisher.url)).arrayBuffer());
    tell({
      what: 'unchanged, 304',
      events: count,
      ms: await leastRun(daemon, publisher),
      floorMs: bare,
      floor: 'the bare request',
    });
    tell({
      what: 'unchanged, the same bytes',
      events: count,
      ms: await leastRun(daemon, publisher, body),
      floorMs: bare,
      floor: 'the bare request',
    });
    const changed = await nextRun(daemon, publisher, madeFeed(edited(events), FROM));
    tell({
      what: 'one changed, one new, one gone',
      events: count,
      ms: changed,
      floorMs: parse,
      floor: "node-ical's parse",
    });
    const read = await rowsRead(home);
    await daemon.stop('SIGTERM');
    tell({
      what: 'whole comparison (--full)',
      events: count,
      ms: await wholeComparison(home, publisher),
      floorMs: parse + read,
      floor: `node-ical's parse (${parse.toFixed(0)} ms) and the rows read (${read.toFixed(0)} ms)`,
    });
  } finally {
    await home.close();
    await server.close();
  }
}

if (!isJson)
  process.stdout.write(
    `${'The main job, in the daemon'.padEnd(34)}${'events'.padStart(8)}${'ms'.padStart(9)}${'floor'.padStart(9)}${'ratio'.padStart(8)}  floor\n`,
  );
for (const size of sizes.length > 0 ? sizes : ['1000', '10000']) await bench(Number(size));
