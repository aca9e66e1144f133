import { sql, type Queryable } from '../database.ts';

/**
 * Distinguishes events of the same identity by what the feed said about each, even if a run ended between their writes.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column said text`.execute(db);
};
