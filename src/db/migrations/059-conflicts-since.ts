import { sql, type Queryable } from '../database.ts';

/** Since when an event has been in conflict, whatever else about it has changed meanwhile. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column conflict_since timestamptz`.execute(db);
  await sql`update calsync.ledger set conflict_since = changed_at where in_conflict`.execute(db);
};
