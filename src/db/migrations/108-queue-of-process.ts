import { sql, type Queryable } from '../database.ts';

/** With which queue a process works. Null for those of an earlier version. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.process_configs add column queue text`.execute(db);
};
