import { sql, type Queryable } from '../database.ts';

/**
 * A source's runs that found nothing to do share a row: how many there are and, if there are several, the name and
 * start of the first one.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column times integer not null default 1, add column first_run text, add column since timestamptz`.execute(
    db,
  );
  // For the history of all sources, for what has ended lately, and for what ended long ago.
  await sql`create index on calsync.runs (started_at desc, run desc)`.execute(db);
  await sql`create index on calsync.runs (finished_at)`.execute(db);
};
