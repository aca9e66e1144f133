import { sql, type Kysely } from '../database.ts';

/** The feed that a held plan was made from: once the plan is approved, it is the one that was handled last. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table calsync.runs add column body bytea, add column content_type text`.execute(db);
};
