import { sql, type Queryable } from '../database.ts';

/**
 * The configuration that each process works with, and why it does not use the current file. Deleted together with the
 * process.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.process_configs (
    process bigint primary key references calsync.processes (id) on delete cascade,
    file text not null,
    hash text not null,
    since timestamptz not null,
    problems jsonb not null,
    problems_since timestamptz,
    restart jsonb not null)`.execute(db);
};
