import { sql, type Queryable } from '../database.ts';

/** The latest valid versions of the configuration file, for viewing, comparing and restoring them. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.config_versions (
    id bigint generated always as identity primary key,
    hash text not null,
    bytes bytea not null,
    stored_at timestamptz not null default now(),
    name text not null,
    via text not null,
    address text,
    changes text not null)`.execute(db);
};
