import { sql, type Kysely } from '../database.ts';

/**
 * By what name the site is known to those who have its events; one row, which is made when the program is first opened.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table site.identity (single boolean primary key default true check (single), name text not null)`.execute(
    db,
  );
};
