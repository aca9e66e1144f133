import { sql, type Queryable } from '../database.ts';

const TABLES = ['events', 'venues', 'organizers'];

/** What a post in the trash was before. Of those there by now, only what never had a date is known not to be public. */
export const up = async (db: Queryable): Promise<void> => {
  for (const table of TABLES.map((name) => sql.ref(`site.${name}`))) {
    await sql`alter table ${table} add column trashed_from text`.execute(db);
    await sql`update ${table} set trashed_from = 'draft' where status = 'trash' and not dated`.execute(db);
  }
};
