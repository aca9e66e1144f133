import { sql, type Queryable } from '../database.ts';

/** Heartbeats belong to processes instead of leases: a silent process also holds the locks for its work. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.processes add column heartbeat timestamptz not null default now()`.execute(db);
  await sql`alter table calsync.leases drop column heartbeat`.execute(db);
};
