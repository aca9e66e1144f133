import { sql, type Queryable } from '../database.ts';

/** The feed that a held plan was made from. Once the plan is approved, it counts as the last feed handled. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column body bytea, add column content_type text`.execute(db);
};
