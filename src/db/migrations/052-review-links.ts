import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // The keys that sign links; made on first use.
  `create table calsync.signing_keys (name text primary key, secret bytea not null)`,
  // Wrong codes within the last hour.
  `create table calsync.wrong_codes (receiver text not null, at timestamptz not null)`,
  'create index on calsync.wrong_codes (receiver, at)',
];

/** Links with which a receiver of alerts decides on a held run without signing in. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
