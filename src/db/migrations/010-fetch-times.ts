import { sql, type Queryable } from '../database.ts';

/**
 * When a feed may be fetched again: `not_before` is the publisher's wish, `retry_at` our own wait after `failures`
 * consecutive failures.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.sources
    add column not_before timestamptz, add column retry_at timestamptz,
    add column failures integer not null default 0, add column refresh_ms bigint`.execute(db);
};
