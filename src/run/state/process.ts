import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Database, type Queryable } from '../../db/database.ts';

/** The advisory lock class of processes: a process counts as living while it holds the lock (class, its id). */
const LIVING = 0x6361_6c73;
const HEARTBEAT_MS = 5_000;
const LOCK_POLL_MS = 100;
/** Within this time, the next names are usually locked, so that unlocking and locking take one round trip. */
const UNLOCK_MS = 10;
const SILENCE_MAX = '60 seconds';

/** A resource that a limited number may use at once: the names of its places. */
type Resource = readonly string[];

/** This process, as one of all processes that share the database. */
export interface Membership {
  readonly id: () => number;
  /** Whether this process had this id before it lost its connection. */
  readonly hadId: (id: number) => boolean;
  /**
   * Runs `work` while holding locks on `resources`, after waiting until nothing else in this or another living process
   * holds them. A resource is a list of places, one of which is locked.
   */
  readonly alone: <T>(resources: readonly Resource[], work: () => Promise<T>) => Promise<T>;
  /**
   * Does the same if all of them are free right now; otherwise returns undefined. Does not jump ahead of those who
   * wait.
   */
  readonly aloneIfFree: <T>(resources: readonly Resource[], work: () => Promise<T>) => Promise<T | undefined>;
  readonly leave: () => Promise<void>;
}

/**
 * A process's database connection. Its advisory locks show that the process is alive and what it is doing; PostgreSQL
 * releases them when the connection ends.
 */
interface Session {
  readonly id: number;
  readonly isLost: () => boolean;
  /** Tries to lock each name, and returns those that it locked. */
  readonly tryLock: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Unlocks names, at the latest before others are locked. */
  readonly unlock: (names: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

/** Registers this process. After losing its connection, it registers again under a new id. */
export async function joinProcesses(database: Database): Promise<Membership> {
  let session = await openSession(database);
  const former = new Set<number>();
  const busy = new Set<string>();
  const beat = async (): Promise<void> => {
    try {
      if (session.isLost()) {
        const lost = session.id;
        session = await openSession(database);
        former.add(lost);
      }
      await sql`update calsync.processes set heartbeat = now() where id = ${session.id}`.execute(database.query());
    } catch {
      // The database is unreachable. The next heartbeat tries again, and after a minute of silence others take over.
    }
  };
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  timer.unref();
  /** Takes all of them or none; returns the function that releases them. */
  const taken = async (resources: readonly Resource[]): Promise<(() => void) | undefined> => {
    const holder = session;
    const names = await takeAll(resources, busy, holder);
    return names && (() => giveBack(names, busy, holder));
  };
  return {
    id: () => session.id,
    hadId: (id) => former.has(id),
    alone: async (resources, work) => {
      for (; ; await sleep(LOCK_POLL_MS)) {
        const release = await taken(resources);
        if (release) return work().finally(release);
      }
    },
    aloneIfFree: async (resources, work) => {
      const release = await taken(resources);
      return release && work().finally(release);
    },
    leave: async () => {
      clearInterval(timer);
      await session.close();
    },
  };
}

/**
 * Locks one place of each resource, or nothing if a resource has no free place. `busy` holds the names already locked
 * in this process, because PostgreSQL would grant a session its own lock again.
 */
async function takeAll(
  resources: readonly Resource[],
  busy: Set<string>,
  session: Session,
): Promise<readonly string[] | undefined> {
  const refused = new Set<string>();
  const taken: string[] = [];
  for (;;) {
    const lacking = resources.filter((places) => !places.some((name) => taken.includes(name)));
    if (lacking.length === 0) return taken;
    const asked = lacking.flatMap((places) => places.find((name) => !busy.has(name) && !refused.has(name)) ?? []);
    if (asked.length < lacking.length) {
      giveBack(taken, busy, session);
      return undefined;
    }
    for (const name of asked) busy.add(name);
    const got = await session.tryLock(asked).catch((error: unknown) => {
      giveBack([...taken, ...asked], busy, session);
      throw error;
    });
    taken.push(...got);
    for (const name of asked.filter((each) => !got.has(each))) {
      busy.delete(name);
      refused.add(name);
    }
  }
}

// Others of this process may lock the names right away, because the session unlocks before it locks again.
function giveBack(names: readonly string[], busy: Set<string>, session: Session): void {
  session.unlock(names);
  for (const name of names) busy.delete(name);
}

// Session locks are counted, so a name that is in both lists ends up locked once.
const LOCKS = `select array(select pg_advisory_unlock(hashtextextended(name, 0)) from unnest($1::text[]) as name),
  array(select pg_try_advisory_lock(hashtextextended(name, 0)) from unnest($2::text[]) as name) as got`;

async function openSession(database: Database): Promise<Session> {
  const client = await database.pool.connect();
  let lost = false;
  const lose = (): void => {
    // Closing a pool waits for every client it has lent out, including dead ones.
    if (!lost) client.release(true);
    lost = true;
  };
  client.on('error', lose);
  // One query at a time, because node-postgres is removing its own queue per client.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <T>(question: () => Promise<T>): Promise<T> => {
    const answer = last.then(question).catch((error: unknown) => {
      // The lock may have been granted although the answer was lost, so the session is given up.
      lose();
      throw error;
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  const toUnlock: string[] = [];
  const locked = async (names: readonly string[]): Promise<ReadonlySet<string>> => {
    const free = toUnlock.splice(0);
    if (names.length === 0 && (lost || free.length === 0)) return new Set();
    const { rows } = await client.query<{ got: readonly boolean[] }>({
      name: 'locks',
      text: LOCKS,
      values: [free, names],
    });
    return new Set(names.filter((_, index) => rows[0]?.got[index]));
  };
  const id = await ask(() => enter(client));
  return {
    id,
    isLost: () => lost,
    tryLock: (names) => ask(() => locked(names)),
    unlock: (names) => {
      if (lost) return;
      toUnlock.push(...names);
      // A session that was lost in the meantime has no locks any more.
      setTimeout(() => void ask(() => locked([])).catch(() => undefined), UNLOCK_MS).unref();
    },
    close: async () => {
      await last;
      if (lost) return;
      // An error from here on must not release the client again.
      lost = true;
      await client.query('delete from calsync.processes where id = $1', [id]);
      // Closed and not returned to the pool, so that its locks are released.
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

// The locks of living processes that have recently sent a heartbeat or, with `not`, have not.
const livingLocks = (not = sql``) => sql`pg_locks join calsync.processes on objid = processes.id::oid
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = ${sql.lit(LIVING)} and objsubid = 2 and granted and ${not} heartbeat > now() - ${sql.lit(SILENCE_MAX)}::interval`;

/** SQL condition on a lease whose owner is gone or has been silent for too long. */
export const deadOwner = sql<boolean>`not exists (select from ${livingLocks()} and processes.id = leases.owner)`;

/**
 * Ends the sessions of processes that are alive but silent (paused, or cut off), so that others can take over their
 * work. A process that wakes up registers again.
 */
export async function endSilentProcesses(database: Database): Promise<void> {
  await sql`select pg_terminate_backend(pg_locks.pid) from ${livingLocks(sql`not`)}`.execute(database.query());
}

/** Whether any process is using the database; it must not while the database is migrated. */
export async function isAnybodyThere(query: Queryable): Promise<boolean> {
  const { rows } = await sql`select from ${livingLocks()} limit 1`.execute(query);
  return rows.length > 0;
}
