import { sql, type Queryable } from '../database.ts';

/** Who was told of a failed run stands with each receiver since there are several. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs drop column if exists told_at`.execute(db);
};
