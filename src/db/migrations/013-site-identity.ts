import { sql, type Queryable } from '../database.ts';

/** The name of the site in the UIDs of its events; one row, created when the program first opens it. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table site.identity (single boolean primary key default true check (single), name text not null)`.execute(
    db,
  );
};
