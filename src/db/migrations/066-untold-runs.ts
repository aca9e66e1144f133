import { sql, type Queryable } from '../database.ts';

/**
 * Drops `told_at`: there are several receivers now, and what each was told about failed runs is stored with the
 * receiver.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs drop column if exists told_at`.execute(db);
};
