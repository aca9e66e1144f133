import { sql, type Kysely } from '../database.ts';

/** Events that only show themselves to who knows their password: its salted hash, '' for none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table site.events add column password text not null default ''`.execute(db);
};
