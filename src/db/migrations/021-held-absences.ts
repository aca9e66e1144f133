import { sql, type Queryable } from '../database.ts';

/** Fetches without an event are also counted while the plans that they led to are held. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column held_missing integer not null default 0`.execute(db);
};
