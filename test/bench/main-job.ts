import type { RequestListener } from 'node:http';
import nodeIcal from 'node-ical';
import type { Daemon, Home } from '../support/daemon.ts';
import { madeFeed, numbered, type MadeEvent } from './made-feed.ts';
import { least, shortest, sizesAsked, tell } from './measured.ts';
import { FROM, nextRun, oneSource, withDatabase, type OneSource } from './one-source.ts';

// The main job as users run it: a daemon with the built-in site on its embedded database, and a feed over HTTP. Time
// runs from the daemon's request for the feed to its report. The floors are measured in the same run: the bare request,
// node-ical's parse of the same bytes, and copying the same rows within the database into a table with the same
// indexes. `node src/launch.js test/bench/main-job.ts [--json] [1000 10000 100000]`.

const RUNS = 5;
const COMPARISONS = 3;
const EDITS = 3;

/** A feed that answers 304 unless a body has been published, which it then sends once. */
function publisher(): { readonly answer: RequestListener; readonly publish: (body: Uint8Array) => void } {
  let next: Uint8Array | undefined;
  let published = 0;
  return {
    answer: (_request, response) => {
      const body = next;
      next = undefined;
      if (!body) return void response.writeHead(304).end();
      published += 1;
      response.writeHead(200, { 'content-type': 'text/calendar', etag: `"${published}"` }).end(body);
    },
    publish: (body) => {
      next = body;
    },
  };
}

/** Time to read the site's rows through the bare driver. */
const rowsRead = (home: Home): Promise<number> =>
  withDatabase(home, (pool) => shortest(3, () => pool.query('select * from site.events')));

/** Time to copy the site's rows within the database into an empty table with the same indexes. */
const rowsAlone = (home: Home): Promise<number> =>
  withDatabase(home, async (pool) => {
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
    }
  });

/** A full comparison of all events. It is caused by a change of the configuration that has no effect on them. */
async function wholeComparison(daemon: Daemon, source: OneSource, count: number): Promise<number> {
  await source.configure(`skip: [{ field: uid, matches: '^none-${performance.now()}$' }]`);
  await daemon.heard('"the configuration file was read again"');
  for (;;) {
    const ms = await nextRun(daemon, source);
    const report = JSON.parse(daemon.stderr().trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
    // A run that only finds the feed unchanged makes no requests to the site.
    if (report['requests'] === 0) continue;
    if (report['unchanged'] !== count) throw new Error(`not all were unchanged:\n${JSON.stringify(report)}`);
    return ms;
  }
}

/** The events after `edits` edits, each of which changes one event, adds one and removes one. */
const edited = (count: number, edits: number): readonly MadeEvent[] =>
  numbered(count + edits)
    .slice(edits)
    .map((event) => (event.number === CHANGED ? { ...event, title: `Title ${edits}` } : event));
const CHANGED = 50;

async function bench(count: number): Promise<void> {
  const { answer, publish } = publisher();
  const source = await oneSource(answer, '1s');
  try {
    const body = madeFeed(numbered(count), FROM);
    const parse = await shortest(3, () => nodeIcal.sync.parseICS(Buffer.from(body).toString()));
    publish(body);
    const daemon = source.home.start();
    const first = await nextRun(daemon, source);
    const rows = await rowsAlone(source.home);
    tell({
      what: 'first sync',
      events: count,
      value: first,
      unit: 'ms',
      floor: parse + rows,
      beside: `node-ical's parse, ${parse.toFixed(0)}, and copying the same rows, ${rows.toFixed(0)}`,
      goal: { ratio: 4 },
      bound:
        'Writing ten batches of 25 at a time, one group after the other because of site.revision: ' +
        'eight statements per group, their bytes through a socket, and garbage collection; ' +
        'with few events, code that runs for the first time.',
    });
    await changes(count, source, daemon, publish, parse);
    const whole = await least(COMPARISONS, () => wholeComparison(daemon, source, count));
    const read = await rowsRead(source.home);
    await daemon.stop('SIGTERM');
    tell({
      what: 'whole comparison (--full)',
      events: count,
      value: whole,
      unit: 'ms',
      floor: parse + read,
      beside: `node-ical's parse, ${parse.toFixed(0)}, and reading the rows, ${read.toFixed(0)}`,
      goal: { ratio: 3 },
      bound: 'Reading the site as pages of events, and comparing each field of the feed with its last value.',
    });
  } finally {
    await source.close();
  }
}

/** Every third event gets another title. */
const retitled = (count: number): readonly MadeEvent[] =>
  numbered(count).map((event) => (event.number % 3 === 0 ? { ...event, title: `Another ${event.number}` } : event));

/** The cost of a feed that has not changed, or only in part. */
async function changes(
  events: number,
  source: OneSource,
  daemon: Daemon,
  publish: (body: Uint8Array) => void,
  parse: number,
): Promise<void> {
  const body = madeFeed(numbered(events), FROM);
  const bare = await shortest(RUNS, async () => (await fetch(source.url)).arrayBuffer());
  const unchanged = { events, unit: 'ms' } as const;
  tell({
    ...unchanged,
    what: 'unchanged, 304',
    value: (await least(RUNS, () => nextRun(daemon, source))) - bare,
    goal: { value: 10 },
    bound: `Four statements; the bare request, ${bare.toFixed(1)} ms, is not counted.`,
  });
  tell({
    ...unchanged,
    what: 'unchanged, the same bytes',
    value:
      (await least(RUNS, () => {
        publish(body);
        return nextRun(daemon, source);
      })) - bare,
    goal: { value: 30 },
    bound: 'Receiving and hashing the bytes; the bare request is not counted.',
  });
  let edits = 0;
  tell({
    ...unchanged,
    what: 'one changed, one new, one gone',
    value: await least(EDITS, () => {
      edits += 1;
      publish(madeFeed(edited(events, edits), FROM));
      return nextRun(daemon, source);
    }),
    floor: parse,
    beside: "node-ical's parse",
    goal: { ratio: 1.5 },
    bound: 'Splitting the text into events and hashing each; with few events, the fixed cost of a run.',
  });
  publish(madeFeed(retitled(events), FROM));
  tell({
    ...unchanged,
    what: 'a third changed',
    value: await nextRun(daemon, source),
    floor: parse,
    beside: "node-ical's parse",
    bound:
      'The plan, which first reads all changed events from the site; then the writes, ten batches of 25 at a time.',
  });
}

for (const size of sizesAsked([1_000, 10_000])) await bench(size);
