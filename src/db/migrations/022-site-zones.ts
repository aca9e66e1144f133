import { sql, type Kysely } from '../database.ts';

/** The time zone that each site last gave, for showing times without asking it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table calsync.sites (site text primary key, timezone text not null)`.execute(db);
};
