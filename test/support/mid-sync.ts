import pg from 'pg';
import { poolConfig } from '../../src/db/database.ts';
import { runningAddress } from '../../src/db/embedded/start.ts';
import type { Home } from './daemon.ts';
import { until } from './until.ts';

/** Opens a connection to a home's embedded server as soon as it runs. The caller closes it. */
export async function connectToEmbedded(home: Home, msMax?: number): Promise<pg.Client> {
  return until(
    'the server',
    async () => {
      const address = runningAddress(home.dataDir);
      if (!address) return undefined;
      const inside = new pg.Client(poolConfig(address, 1));
      inside.on('error', () => undefined);
      return inside.connect().then(
        () => inside,
        // The server is starting or stopping, or its database does not exist yet.
        () => undefined,
      );
    },
    msMax,
  );
}

/** A first sync, held halfway. */
export interface PausedSync {
  /** How many events are on the site; the number stays the same until `resume`. */
  readonly count: number;
  readonly resume: () => Promise<void>;
}

/**
 * Waits until the site has `count` events and blocks further inserts until `resume`. Whatever a test does in between
 * happens in the middle of the sync, however fast the machine is.
 */
export async function pauseSyncAt(home: Home, count: number, msMax = 90_000): Promise<PausedSync> {
  const inside = await connectToEmbedded(home, msMax);
  try {
    // One transaction creates the whole schema: once this table exists, so do the others.
    await until(
      'the tables',
      async () =>
        (await inside.query("select from pg_tables where schemaname = 'site' and tablename = 'events'")).rowCount === 1,
      msMax,
    );
    await inside.query('begin');
    await inside.query('set local idle_in_transaction_session_timeout = 0');
    await inside.query(`set local statement_timeout = ${msMax}`);
    // The server polls and locks in one statement, because the test process may have to wait for the processor.
    await inside.query(`do $$ begin
      while (select count(*) from site.events) < ${count} loop perform pg_sleep(0.002); end loop;
      lock table site.events in share row exclusive mode;
    end $$`);
    const { rows } = await inside.query<{ count: number }>('select count(*)::int as count from site.events');
    return { count: rows[0]!.count, resume: async () => inside.end() };
  } catch (error) {
    await inside.end();
    throw error;
  }
}
