import { setTimeout as sleep } from 'node:timers/promises';
import { coming, comingStart } from '../support/coming.ts';
import { loadConfig } from '../../src/config.ts';
import { openDatabase, sql, type Database } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import { dueWithin } from '../../src/queue/schedulers.ts';
import { contentHash } from '../../src/run/fetch/content-hash.ts';
import { loadFeedState, packedBody, saveBody, saveFeedState } from '../../src/run/state/feed-state.ts';
import { beginRun, releaseLease } from '../../src/run/state/lease.ts';
import { saveEntries } from '../../src/run/state/ledger.ts';
import { finishRun } from '../../src/run/state/records.ts';
import { newReport } from '../../src/run/steps/keep-plan.ts';
import { runId } from '../../src/run/steps/start-run.ts';
import { sourceSetup } from '../../src/cli/open/source-setup.ts';
import { keyFor } from '../../src/sync/model/slug.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { feedServer, type FeedServer } from '../support/feed-server.ts';
import { distinctSourceNames } from '../support/fleet.ts';
import { cpuMsOf, memoryMbOf, serverPids } from '../support/processor-time.ts';
import { until } from '../support/until.ts';
import { tell as tellRow } from './measured.ts';

// One daemon with very many hourly sources that never change: how long a restart takes, what a run costs, how late
// scheduled runs are, and what remains in the database. The sources are stored as if each had already had its first
// run.
// `node src/launch.js test/bench/many-sources.ts 10000 --seconds=60`, with `--json` for machines. With `--ready`, it
// stops once the second start requests its first feed.

const count = Number(process.argv.slice(2).find((arg) => /^\d+$/.test(arg)) ?? 10_000);
const seconds = Number(process.argv.find((arg) => arg.startsWith('--seconds='))?.slice('--seconds='.length) ?? 60);
const isReadyOnly = process.argv.includes('--ready');
const EVERY_MS = 3_600_000;
const MS_MAX = 15 * 60_000;

const tell = (what: string, value: number, unit: string): void =>
  tellRow({ what: `${count} sources, ${what}`, value, unit });

const feedOf = (name: string): Buffer =>
  Buffer.from(
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\n' +
      `UID:1@${name}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:${comingStart(0)}Z\r\n` +
      `SUMMARY:Event of ${name}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  );

/** Stores what the first run of each source leaves behind. */
async function seed({ env, dataDir }: Home, sources: readonly string[]): Promise<void> {
  const { value: config } = loadConfig({ path: env['CONFIG'] ?? '', env });
  if (!config) throw new Error('the configuration of the bench is wrong');
  const { address, stop } = await startEmbedded(dataDir);
  const database = openDatabase(address, 8);
  try {
    await migrate(database);
    const query = database.query();
    const site = { key: 'builtin', client: { requests: () => 0, statuses: () => ({}) } } as unknown as Parameters<
      typeof sourceSetup
    >[1];
    for (let from = 0; from < sources.length; from += 8)
      await Promise.all(
        config.sources.slice(from, from + 8).map(async (source) => {
          const body = feedOf(source.name);
          const { settingsHash } = sourceSetup(source, site, 'en', () => Promise.reject(new Error('not fetched')));
          const run = runId(source.name, Date.now());
          const slug = `event-${keyFor(source.name, '1')}`;
          await beginRun(database, { run, site: site.key, source: source.name }, { kind: 'start' }, 1);
          await finishRun(query, { ...newReport(run, source.name), state: 'done', created: 1 }, []);
          await releaseLease(database, run);
          await saveBody(query, site.key, source.name, {
            packed: await packedBody(body),
            contentType: 'text/calendar',
            hash: contentHash(body),
          });
          const feedState = await loadFeedState(query, site.key, source.name);
          const read = { ...feedState, etag: '"1"', bodyHash: contentHash(body), settingsHash, fullAt: Date.now() };
          await saveFeedState(query, site.key, source.name, read, true);
          await saveEntries(query, site.key, source.name, [
            {
              slug,
              key: keyFor(source.name, '1'),
              rung: 'uid',
              identity: '1',
              uid: `1@${source.name}`,
              title: 'Event',
              startsAt: Date.parse(`${coming(0)}T18:00:00Z`),
              endsAt: Date.parse(`${coming(0)}T19:00:00Z`),
              id: 1,
              state: 'kept',
              missing: 0,
              fields: {},
            } as never,
          ]);
        }),
      );
  } finally {
    await database.close();
    await stop();
  }
}

/** Milliseconds of processor time that the daemon and its database have used since this call. */
function usedBy(home: Home, daemon: Daemon): () => { readonly program: number; readonly server: number } {
  const now = (): readonly [number, number] => [cpuMsOf([daemon.pid()]), cpuMsOf(serverPids(home.postmaster() ?? 0))];
  const [program, server] = now();
  return () => {
    const [programNow, serverNow] = now();
    return { program: programNow - program, server: serverNow - server };
  };
}

const endedOf = (daemon: Daemon): number => daemon.stderr().split('"a run has ended"').length - 1;

interface Asked {
  readonly name: string;
  readonly at: number;
}

async function restart(home: Home, asked: Asked[], names: readonly string[]): Promise<void> {
  const from = performance.now();
  asked.length = 0;
  const daemon = home.start();
  const answers = (): Promise<boolean> =>
    fetch(`${daemon.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('an answer', answers, MS_MAX);
  tell('restart: answers after', performance.now() - from, 'ms');
  await until('the first feed that is asked for', () => asked.length > 0, MS_MAX);
  tell('restart: asks for feeds after', performance.now() - from, 'ms');
  if (isReadyOnly) return void (await daemon.stop('SIGTERM'));
  const began = performance.now();
  const used = usedBy(home, daemon);
  await until('all sources', () => endedOf(daemon) >= names.length, MS_MAX);
  const took = performance.now() - began;
  tell('restart: unchanged runs', (names.length / took) * 1000, 'a second');
  const { program, server } = used();
  tell('restart: CPU of the daemon for each', program / names.length, 'ms');
  tell('restart: CPU of PostgreSQL for each', server / names.length, 'ms');
  tell('memory after all of them', memoryMbOf(daemon.pid()), 'MB');
  // Sources that became due in the meantime were read along with those of the start.
  await until(
    'the last of the start',
    async () => {
      const before = asked.length;
      await sleep(1_000);
      return asked.length - before < 10;
    },
    MS_MAX,
  );
  await scheduled(home, daemon, asked);
  await daemon.stop('SIGTERM');
}

/** Measures the scheduled runs of the next few seconds. */
async function scheduled(home: Home, daemon: Daemon, asked: Asked[]): Promise<void> {
  asked.length = 0;
  const used = usedBy(home, daemon);
  await sleep(seconds * 1000);
  const late = asked
    .map(({ name, at }) => (at - dueWithin(name, EVERY_MS) + EVERY_MS) % EVERY_MS)
    .toSorted((one, other) => one - other);
  tell(`scheduled runs within ${seconds} seconds`, late.length, 'runs');
  tell('late: the median', late[Math.floor(late.length / 2)] ?? 0, 'ms');
  tell('late: the latest', late.at(-1) ?? 0, 'ms');
  tell('late by more than a minute', (late.filter((ms) => ms > 60_000).length / late.length) * 100, '%');
  const { program, server } = used();
  tell('CPU of the daemon meanwhile', program / (seconds * 10), '% of a core');
  tell('CPU of PostgreSQL meanwhile', server / (seconds * 10), '% of a core');
}

async function rows(home: Home, what: string): Promise<void> {
  const { address, stop } = await startEmbedded(home.dataDir);
  const database: Database = openDatabase(address, 1);
  try {
    for (const table of ['calsync.runs', 'calsync.sources', 'calsync.bodies', 'bullmq.job']) {
      const {
        rows: [row],
      } = await sql<{
        count: number;
        bytes: number;
      }>`select count(*) as count, pg_total_relation_size(${table}) as bytes from ${sql.raw(table)}`.execute(
        database.query(),
      );
      tell(`${what}: rows in ${table}`, row?.count ?? 0, `rows, ${((row?.bytes ?? 0) / 1e6).toFixed(1)} MB`);
    }
  } finally {
    await database.close();
    await stop();
  }
}

async function bench(server: FeedServer): Promise<void> {
  const names = distinctSourceNames(count);
  const asked: Asked[] = [];
  for (const name of names)
    server.on(`/${name}.ics`, (_request, response) => {
      asked.push({ name, at: Date.now() });
      response.writeHead(304, { etag: '"1"' }).end();
    });
  const home = await programHome(`fetch: { allow_addresses: [127.0.0.1] }
builtin: { title: Bench, timezone: Europe/Warsaw }
sources:
${names.map((name) => `  ${name}: { url: '${server.url}/${name}.ics', every: 1h }`).join('\n')}
`);
  try {
    await seed(home, names);
    // The first start writes all schedules.
    await restart(home, asked, names);
    if (!isReadyOnly) await rows(home, 'after one run of each');
    await restart(home, asked, names);
    if (!isReadyOnly) await rows(home, 'after two runs of each');
  } finally {
    await home.close();
  }
}

const server = await feedServer();
try {
  await bench(server);
} finally {
  await server.close();
}
