import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Database } from '../../db/database.ts';

/** The advisory lock class of processes: a process counts as living while it holds (class, its id). */
const LIVING = 0x6361_6c73;
const HEARTBEAT_MS = 5_000;
const LOCK_POLL_MS = 100;
const SILENCE_MAX = '60 seconds';

/** This process among all that share the database. */
export interface Membership {
  readonly id: () => number;
  /**
   * Runs `work` while holding a lock on one of `names`, waiting until nothing else in this or another living process
   * holds it. A resource with several places has several names.
   */
  readonly alone: <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>;
  readonly leave: () => Promise<void>;
}

/**
 * A process's database connection. Its advisory locks show that the process lives and what it is doing; PostgreSQL
 * releases them with the connection.
 */
interface Session {
  readonly id: number;
  readonly isLost: () => boolean;
  readonly tryLock: (name: string) => Promise<boolean>;
  readonly unlock: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Registers this process. After a lost connection it registers again under a new id. */
export async function joinProcesses(database: Database): Promise<Membership> {
  let session = await openSession(database);
  const busy = new Set<string>();
  const beat = async (): Promise<void> => {
    try {
      if (session.isLost()) session = await openSession(database);
      await sql`update calsync.processes set heartbeat = now() where id = ${session.id}`.execute(database.query());
    } catch {
      // The database is unreachable: the next heartbeat tries again, and after a minute of silence others take over.
    }
  };
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  timer.unref();
  return {
    id: () => session.id,
    alone: async (names, work) => {
      for (; ; await sleep(LOCK_POLL_MS)) {
        const holder = session;
        const name = await takeOne(names, busy, holder);
        if (name !== undefined) return work().finally(() => holder.unlock(name).finally(() => busy.delete(name)));
      }
    },
    leave: async () => {
      clearInterval(timer);
      await session.close();
    },
  };
}

/**
 * Locks the first free name. `busy`: the names already locked in this process, because PostgreSQL would grant the same
 * session its own lock again.
 */
async function takeOne(names: readonly string[], busy: Set<string>, session: Session): Promise<string | undefined> {
  for (const name of names) {
    if (busy.has(name)) continue;
    busy.add(name);
    const got = await session.tryLock(name).catch((error: unknown) => {
      busy.delete(name);
      throw error;
    });
    if (got) return name;
    busy.delete(name);
  }
  return undefined;
}

async function openSession(database: Database): Promise<Session> {
  const client = await database.pool.connect();
  let lost = false;
  const lose = (): void => {
    // Closing a pool waits for every client it has lent out, dead ones too.
    if (!lost) client.release(true);
    lost = true;
  };
  client.on('error', lose);
  // One query at a time, because node-postgres is removing its own queue per client.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <T>(question: () => Promise<T>): Promise<T> => {
    const answer = last.then(question).catch((error: unknown) => {
      // The lock may have been granted although the answer was lost, so the session is given up with it.
      lose();
      throw error;
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  const id = await ask(() => enter(client));
  return {
    id,
    isLost: () => lost,
    tryLock: (name) =>
      ask(async () => {
        const answer = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as got', [name]);
        return (answer.rows as { got: boolean }[])[0]?.got === true;
      }),
    unlock: (name) =>
      ask(async () => {
        if (!lost) await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
      }),
    close: async () => {
      await last;
      if (lost) return;
      // An error after this must not release the client again.
      lost = true;
      await client.query('delete from calsync.processes where id = $1', [id]);
      // Closed rather than returned to the pool, so that its locks are released.
      client.release(true);
    },
  };
}

async function enter(client: {
  query: (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;
}): Promise<number> {
  const { rows } = await client.query('insert into calsync.processes (name) values ($1) returning id', [
    `${hostname()}:${process.pid}`,
  ]);
  const { id } = rows[0] as { id: number };
  await client.query('select pg_advisory_lock($1, $2)', [LIVING, id]);
  return id;
}

// The locks of living processes that have sent a heartbeat lately or, with `not`, have not.
const livingLocks = (not = sql``) => sql`pg_locks join calsync.processes on objid = processes.id::oid
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = ${sql.lit(LIVING)} and objsubid = 2 and granted and ${not} heartbeat > now() - ${sql.lit(SILENCE_MAX)}::interval`;

/** SQL that is true for a lease whose owner is gone or has been silent for too long. */
export const deadOwner = sql<boolean>`not exists (select from ${livingLocks()} and processes.id = leases.owner)`;

/**
 * Ends the sessions of processes that live but are silent (paused, or cut off), so that others can take their work
 * over. A process that wakes up registers again.
 */
export async function endSilentProcesses(database: Database): Promise<void> {
  await sql`select pg_terminate_backend(pg_locks.pid) from ${livingLocks(sql`not`)}`.execute(database.query());
}
