import { sql, type Queryable } from '../database.ts';

/** The name of the site in the UIDs of its events; a single row, created when the program first opens the site. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table site.identity (single boolean primary key default true check (single), name text not null)`.execute(
    db,
  );
};
