import { sql, type Queryable } from '../database.ts';

const TABLES = ['events', 'venues', 'organizers'];

/**
 * The status of a post before it went into the trash. Of those already there, only those that never had a date are
 * known not to have been public.
 */
export const up = async (db: Queryable): Promise<void> => {
  for (const table of TABLES.map((name) => sql.ref(`site.${name}`))) {
    await sql`alter table ${table} add column trashed_from text`.execute(db);
    await sql`update ${table} set trashed_from = 'draft' where status = 'trash' and not dated`.execute(db);
  }
};
