import { sql, type Queryable } from '../database.ts';

/** Events of one identity are told apart by what the feed said of each, also where a run has ended between their writes. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column said text`.execute(db);
};
