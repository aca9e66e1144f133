import { sql, type Queryable } from '../database.ts';

/** Counts the events that are missing from the feeds of all sources without reading each entry. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index on calsync.ledger (site, source) where missing > 0`.execute(db);
};
