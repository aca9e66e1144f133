import { readdirSync } from 'node:fs';
import { openDatabase } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import type { OwnRedis } from '../faults/own-redis.ts';
import type { Daemon, Home } from '../support/daemon.ts';
import { aboutProcess, cpuMsOf, memoryMbOf, serverPids } from '../support/processor-time.ts';

/** Amounts that must not grow, by name. */
export type Levels = Readonly<Record<string, number>>;

const ROWS = 'rows of ';

/** Measures a running daemon and its embedded server (Linux), and lets failed sources be read again. */
export async function levelsAtTheEnd(home: Home, daemon: Daemon): Promise<Levels> {
  const server = serverPids(home.postmaster() ?? 0);
  const processes = {
    'program, MB': Math.round(memoryMbOf(daemon.pid())),
    'PostgreSQL, MB': Math.round(server.reduce((sum, pid) => sum + sharedMbOf(pid), 0)),
    'open files of the program': readdirSync(`/proc/${daemon.pid()}/fd`).length,
    'processes of PostgreSQL': server.length,
    'files in DATA_DIR': readdirSync(home.dataDir, { recursive: true }).length,
  };
  const inside = await insideOf(home, async (pool) => {
    await readFailedAgain(pool);
    return levelsInside(pool);
  });
  return { ...processes, ...inside };
}

/** Runs some work in the database of a home whose daemon is running. */
export async function insideOf<T>(home: Home, work: (pool: Pool) => Promise<T>): Promise<T> {
  const { address, stop } = await startEmbedded(home.dataDir);
  const database = openDatabase(address, 1);
  try {
    return await work(database.pool);
  } finally {
    await database.close();
    await stop();
  }
}

type Pool = ReturnType<typeof openDatabase>['pool'];

/** A description of each failed job; empty if the queue is in Redis. */
export async function failedJobs(home: Home): Promise<readonly string[]> {
  return insideOf(home, async (pool) => {
    const { rows: there } = await pool.query("select from pg_tables where schemaname = 'bullmq' and tablename = 'job'");
    if (there.length === 0) return [];
    const { rows } = await pool.query<{ told: string }>(
      "select concat_ws(' ', queue, name, data, failed_reason) as told from bullmq.job where state = 'failed'",
    );
    return rows.map(({ told }) => told);
  });
}

/** Ends the wait of failed sources, because an hour of a soak is shorter than the first wait. */
export const readFailedAgain = (pool: Pool): Promise<unknown> =>
  pool.query('update calsync.sources set retry_at = null where retry_at is not null');

/** What Redis contains; empty if the queue is in PostgreSQL. */
export async function levelsOf(redis: OwnRedis | undefined): Promise<Levels> {
  if (!redis) return {};
  const memory = Number(/^used_memory:(\d+)/m.exec(await redis.client.info('memory'))?.[1]);
  return { 'keys in Redis': await redis.client.dbsize(), 'Redis, MB': Math.round(memory / 1e6) };
}

async function levelsInside(pool: Pool): Promise<Levels> {
  const one = async (text: string): Promise<number> =>
    Number((await pool.query<{ value: string }>(text)).rows[0]?.value);
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const hasQueue = tables.some(({ name }) => name === 'bullmq.job');
  const counts: [string, number][] = [];
  for (const { name } of tables) counts.push([`${ROWS}${name}`, await one(`select count(*) as value from ${name}`)]);
  return {
    connections: await one('select count(*) - 1 as value from pg_stat_activity where datname = current_database()'),
    ...(hasQueue
      ? { 'failed jobs': await one("select count(*) as value from bullmq.job where state = 'failed'") }
      : {}),
    'database, MB': Math.round(await one('select pg_database_size(current_database()) / 1e6 as value')),
    ...Object.fromEntries(counts),
  };
}

/** Megabytes of a process, with shared memory divided among the processes that share it. */
function sharedMbOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(aboutProcess(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

/** Milliseconds of processor time that the daemon and its server have used. */
export const cpuOf = (home: Home, daemon: Daemon): number =>
  cpuMsOf([daemon.pid(), ...serverPids(home.postmaster() ?? 0)]);

/** A level in the first hours and in the last. */
export interface Row {
  readonly what: string;
  readonly first: number;
  readonly last: number;
  readonly isLevel: boolean;
}

/** Histories grow with what happens, but at the end at most this much faster than at the beginning. */
export const FASTER_AT_MOST = 1.5;
const MORE_AT_MOST = 1.25;
/** Smaller differences are chance. */
const FEW = 40;

/**
 * Compares the levels of at least four hours: for rows of tables the growth per hour in the first and last quarter, for
 * everything else the means (without the first hour, in which everything is new).
 */
export function compare(hours: readonly Levels[]): readonly Row[] {
  const quarter = Math.max(2, Math.floor(hours.length / 4));
  const [begin, end] = [hours.slice(1, quarter + 1), hours.slice(-quarter)];
  return Object.keys(end.at(-1) ?? {}).map((what) => {
    const isRows = what.startsWith(ROWS);
    const value = isRows ? growthOf : meanOf;
    const [first, last] = [value(begin, what), value(end, what)];
    const isLevel = isRows
      ? last <= Math.max(0, first) * FASTER_AT_MOST + FEW
      : last <= first * MORE_AT_MOST + (what === 'failed jobs' ? 0 : 5);
    return { what: isRows ? `${what}, more an hour` : what, first, last, isLevel };
  });
}

const meanOf = (hours: readonly Levels[], what: string): number =>
  hours.reduce((sum, levels) => sum + (levels[what] ?? 0), 0) / hours.length;

const growthOf = (hours: readonly Levels[], what: string): number =>
  ((hours.at(-1)?.[what] ?? 0) - (hours[0]?.[what] ?? 0)) / Math.max(1, hours.length - 1);
