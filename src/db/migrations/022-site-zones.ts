import { sql, type Kysely } from '../database.ts';

/** The time zone of each site, as it said it last: for times that are told without asking it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table calsync.sites (site text primary key, timezone text not null)`.execute(db);
};
