import type { Database } from './database.ts';

/**
 * Does something that only one process of a database may do at a time; not at all if another one is at it. The lock ends
 * with this process, however that ends.
 */
export async function unlessBusy(
  database: Database,
  what: 'alerts' | 'backup',
  work: () => Promise<void>,
): Promise<void> {
  const client = await database.pool.connect();
  const name = [`calsyncd ${what}`];
  let failed = true;
  try {
    const { rows } = await client.query<{ got: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
      name,
    );
    if (rows[0]?.got === true) {
      await work();
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', name);
    }
    failed = false;
  } finally {
    // A connection that is closed gives its lock back.
    client.release(failed);
  }
}
