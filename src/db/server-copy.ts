import type { Database } from './database.ts';

/** A span in which a server's files are copied while it works. */
export interface ServerCopy {
  /** How large each file of the server's log is. */
  readonly segmentBytes: number;
  /** Ends the span. The log up to here is kept until the work with it is done. */
  readonly end: () => Promise<CopyEnd>;
}

export interface CopyEnd {
  /** The content of `backup_label`, which belongs into the copy. */
  readonly label: string;
  /** The content of `tablespace_map`; empty if all is in one folder. */
  readonly map: string;
  /** Up to where the log has to be replayed before the copied files fit together. */
  readonly position: string;
}

/**
 * Tells the server that its files are copied while `work` is at it. What it writes meanwhile is in its log, of which it
 * removes nothing, however long that takes. It forgets all of it with this connection.
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
