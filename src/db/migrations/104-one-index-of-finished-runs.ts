import { sql, type Queryable } from '../database.ts';

/** Two equal indexes had been made of when runs have finished: each run was entered in both. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`drop index calsync.runs_finished_at_idx1`.execute(db);
};
