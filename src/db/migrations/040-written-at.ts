import { sql, type Queryable } from '../database.ts';

/** When most fields of an entry were written, so that it need not be stored with each of them. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger add column written_at text`.execute(db);
};
