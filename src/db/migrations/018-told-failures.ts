import { sql, type Queryable } from '../database.ts';

/** When the webhook was called about the failure of a run. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column told_at timestamptz`.execute(db);
};
