import { sql, type Queryable } from '../database.ts';

/** The time zone that each site last gave, for showing times without asking it. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.sites (site text primary key, timezone text not null)`.execute(db);
};
