import { sql, type Queryable } from '../database.ts';

/** The versions of the program that have worked on this database. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.versions (version text primary key, since timestamptz not null default now())`.execute(
    db,
  );
};
