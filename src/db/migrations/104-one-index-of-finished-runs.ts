import { sql, type Queryable } from '../database.ts';

/** Drops one of two identical indexes on when runs finished; each run was entered in both. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`drop index calsync.runs_finished_at_idx1`.execute(db);
};
