import type { Database } from './database.ts';

/**
 * Does work that only one process per database may do at a time; skips it if another process is doing it. The lock ends
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
    // Closing the connection releases its lock.
    client.release(failed);
  }
}
