import { sql, type Queryable } from '../database.ts';

/** Which events of a feed need not be read again while they are as they were, and the feed around them, too. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column digest text`.execute(db);
  await sql`alter table calsync.sources add column frame text`.execute(db);
};
