import { sql, type Kysely } from '../database.ts';

/** Good fetches without an event count also while the plans that they led to are held. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table calsync.ledger add column held_missing integer not null default 0`.execute(db);
};
