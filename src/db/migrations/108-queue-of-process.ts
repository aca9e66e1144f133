import { sql, type Queryable } from '../database.ts';

/** The queue that a process works with. Null for processes of earlier versions. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.process_configs add column queue text`.execute(db);
};
