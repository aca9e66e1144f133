import { sql, type Queryable } from '../database.ts';

/** Before each batch a run is asked whether an answer has broken it off: that no longer reads all its batches. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index on calsync.batches (run) where outcomes @? '$[*].differs'`.execute(db);
};
