import { sql, type Queryable } from '../database.ts';

/**
 * Before each batch, we check whether an answer has broken off the run. This index avoids reading all of its batches.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index on calsync.batches (run) where outcomes @? '$[*].differs'`.execute(db);
};
