import { sql, type Queryable } from '../database.ts';

/** The time zone that each site last reported, for showing times without asking the site. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.sites (site text primary key, timezone text not null)`.execute(db);
};
