import { sql, type Kysely } from '../database.ts';

/** It is processes that are heard of, not their leases: one that is silent also holds what it is at. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table calsync.processes add column heartbeat timestamptz not null default now()`.execute(db);
  await sql`alter table calsync.leases drop column heartbeat`.execute(db);
};
