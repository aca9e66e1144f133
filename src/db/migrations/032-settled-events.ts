import { sql, type Queryable } from '../database.ts';

/** For skipping events of a feed that have not changed, as long as the feed around them has not changed either. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column digest text`.execute(db);
  await sql`alter table calsync.sources add column frame text`.execute(db);
};
