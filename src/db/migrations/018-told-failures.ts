import { sql, type Queryable } from '../database.ts';

/** When the webhook was told that a run has failed. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column told_at timestamptz`.execute(db);
};
