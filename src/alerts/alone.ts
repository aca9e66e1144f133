import type { Database } from '../db/database.ts';

const LOCK = `hashtextextended('calsyncd alerts', 0)`;

/**
 * Does something that only one process may do at a time; not at all if another one is at it. The lock ends with this
 * process, however that ends.
 */
export async function unlessBusy(database: Database, work: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  let failed = true;
  try {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${LOCK}) as got`);
    if (rows[0]?.got === true) {
      await work();
      await client.query(`select pg_advisory_unlock(${LOCK})`);
    }
    failed = false;
  } finally {
    // A connection that is closed gives its lock back.
    client.release(failed);
  }
}
