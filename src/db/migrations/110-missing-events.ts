import { sql, type Queryable } from '../database.ts';

/** The events that feeds have lost, of all sources, are counted without opening each entry. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index on calsync.ledger (site, source) where missing > 0`.execute(db);
};
