import { sql, type Queryable } from '../database.ts';

/** Fetches in which an event is missing also count while the plans they led to are held. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column held_missing integer not null default 0`.execute(db);
};
