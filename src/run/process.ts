import { hostname } from 'node:os';
import { sql, type Database } from '../db/database.ts';

/** The advisory lock class of processes: a process lives as long as it holds (class, its id). */
const LIVING = 0x6361_6c73;
const HEARTBEAT_MS = 5_000;
const SILENCE_MAX = '60 seconds';

/** This process among all that share the database. */
export interface Membership {
  readonly id: () => number;
  readonly leave: () => Promise<void>;
}

/**
 * Enters this process into the table of processes and keeps its advisory lock, so that others see at once when it is gone:
 * PostgreSQL frees the lock with the connection. After a lost connection it enters again under a new id.
 */
export async function joinProcesses(database: Database): Promise<Membership> {
  let member = await enter(database);
  let left = false;
  const again = async (): Promise<void> => {
    if (left) return;
    try {
      await sql`select 1`.execute(database.query());
      if (member.lost()) member = await enter(database);
      await sql`update calsync.leases set heartbeat = now() where owner = ${member.id}`.execute(database.query());
    } catch {
      // The database is away: the lease counts as silent after a minute, and the next beat tries again.
    }
  };
  const timer = setInterval(() => void again(), HEARTBEAT_MS);
  timer.unref();
  return {
    id: () => member.id,
    leave: async () => {
      left = true;
      clearInterval(timer);
      await member.close();
    },
  };
}

async function enter(database: Database): Promise<{ id: number; lost: () => boolean; close: () => Promise<void> }> {
  const client = await database.pool.connect();
  let lost = false;
  client.on('error', () => { lost = true; });
  const { rows } = await client.query('insert into calsync.processes (name) values ($1) returning id', [`${hostname()}:${process.pid}`]);
  const id = (rows as { id: number }[])[0]!.id;
  await client.query('select pg_advisory_lock($1, $2)', [LIVING, id]);
  const close = async (): Promise<void> => {
    if (!lost) {
      await client.query('select pg_advisory_unlock($1, $2)', [LIVING, id]);
      await client.query('delete from calsync.processes where id = $1', [id]);
    }
    client.release(lost);
  };
  return { id, lost: () => lost, close };
}

/** SQL that is true for a lease whose owner is gone or has been silent for too long. */
export const deadOwner = sql<boolean>`(not exists (
    select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
      and classid = ${sql.lit(LIVING)} and objid = leases.owner::oid and objsubid = 2 and granted)
  or leases.heartbeat < now() - ${sql.lit(SILENCE_MAX)}::interval)`;
