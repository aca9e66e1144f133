import { sql, type Queryable } from '../database.ts';

/**
 * Runs of a source that found nothing to do share a row: how many they are, and the name and the start of the first of
 * them where there are several.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column times integer not null default 1, add column first_run text, add column since timestamptz`.execute(
    db,
  );
  // The history of all sources, what has ended lately, and what has ended long ago.
  await sql`create index on calsync.runs (started_at desc, run desc)`.execute(db);
  await sql`create index on calsync.runs (finished_at)`.execute(db);
};
