import type { Database } from './database.ts';

/** A period in which a server's files are copied while it is running. */
export interface ServerCopy {
  /** The size of each file of the server's log. */
  readonly segmentBytes: number;
  /** Ends the period. The log up to this point is kept until `work` is done. */
  readonly end: () => Promise<CopyEnd>;
}

export interface CopyEnd {
  /** The content of `backup_label`, which belongs in the copy. */
  readonly label: string;
  /** The content of `tablespace_map`; empty if everything is in one folder. */
  readonly map: string;
  /** The position up to which the log must be replayed before the copied files are consistent. */
  readonly position: string;
}

/**
 * Tells the server that its files are being copied while `work` runs. Its log contains everything that it writes
 * meanwhile, and nothing is removed from the log, however long that takes. The server forgets all this when the
 * connection closes.
 */
export async function whileCopying<T>(database: Database, work: (copy: ServerCopy) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  const row = async <Row extends object>(text: string): Promise<Row> => {
    const { rows } = await client.query<Row>(text);
    return rows[0] as Row;
  };
  try {
    await row(`select pg_create_physical_replication_slot('calsyncd_backup_' || pg_backend_pid(),
      immediately_reserve => true, temporary => true)`);
    const { bytes } = await row<{ bytes: number }>(
      `select setting::int as bytes from pg_settings where name = 'wal_segment_size'`,
    );
    await row(`select pg_backup_start('calsyncd', fast => true)`);
    return await work({
      segmentBytes: bytes,
      end: () =>
        row<CopyEnd>(`select lsn::text as position, labelfile as label, coalesce(spcmapfile, '') as map
          from pg_backup_stop(wait_for_archive => false)`),
    });
  } finally {
    client.release(true);
  }
}
