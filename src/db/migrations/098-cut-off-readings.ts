import { sql, type Queryable } from '../database.ts';

/** How often the process working on a run has ended, and another one has taken the run over. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column cut_offs integer not null default 0`.execute(db);
};
