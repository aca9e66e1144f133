import pg from 'pg';
import { poolConfig } from '../../src/db/database.ts';
import { runningAddress } from '../../src/db/embedded/start.ts';
import type { Home } from './daemon.ts';
import { until } from './until.ts';

/** A connection of the test's own to the embedded server of a place, as soon as it runs. Whoever opens it ends it. */
export async function openInside(home: Home, msMax?: number): Promise<pg.Client> {
  return until(
    'the server',
    async () => {
      const address = runningAddress(home.dataDir);
      if (!address) return undefined;
      const inside = new pg.Client(poolConfig(address, 1));
      inside.on('error', () => undefined);
      return inside.connect().then(
        () => inside,
        // It starts or stops, or its database is not made yet.
        () => undefined,
      );
    },
    msMax,
  );
}

/** A first sync that is held in its middle. */
export interface Held {
  /** How many events are on the site, and stay so. */
  readonly count: number;
  readonly letGo: () => Promise<void>;
}

/**
 * Waits until so many events are on the site of a place, and lets no more in until `letGo`: however fast the machine is,
 * what is done meanwhile is done in the middle of the sync.
 */
export async function heldAt(home: Home, count: number, msMax = 90_000): Promise<Held> {
  const inside = await openInside(home, msMax);
  try {
    // The schema is made in one transaction: where this table is, all are.
    await until(
      'the tables',
      async () =>
        (await inside.query("select from pg_tables where schemaname = 'site' and tablename = 'events'")).rowCount === 1,
      msMax,
    );
    await inside.query('begin');
    await inside.query('set local idle_in_transaction_session_timeout = 0');
    await inside.query(`set local statement_timeout = ${msMax}`);
    // The server itself looks, and takes the lock at once: the test may have to wait for its turn on the processor.
    await inside.query(`do $$ begin
      while (select count(*) from site.events) < ${count} loop perform pg_sleep(0.002); end loop;
      lock table site.events in share row exclusive mode;
    end $$`);
    const { rows } = await inside.query<{ count: number }>('select count(*)::int as count from site.events');
    return { count: rows[0]!.count, letGo: async () => inside.end() };
  } catch (error) {
    await inside.end();
    throw error;
  }
}
