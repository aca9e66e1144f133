import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // A requested backup is made by any process that syncs.
  `create table calsync.backups (
    id bigint generated always as identity primary key,
    asked_at timestamptz not null default now(), name text not null, via text not null, address text,
    started_at timestamptz, ended_at timestamptz, process text,
    file text, bytes bigint, rows bigint, problem text)`,
  'create index on calsync.backups (asked_at) where ended_at is null',
  `create trigger tell after insert or update on calsync.backups for each row execute function calsync.tell_act('backup')`,
];

/** The backups made by the schedule or from the console, including failed ones. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
