import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // What was told of a plan that was held; which run has taken its place; how the reading went, and when writing began;
  // and who has asked the run to end.
  `alter table calsync.runs add column review jsonb, add column superseded_by text,
    add column steps jsonb, add column writing_at timestamptz, add column stop_asked_by text`,
  // How many events each reading of a feed found.
  `create table calsync.readings (
    site text not null, source text not null, at timestamptz not null default now(),
    run text not null, events integer not null, coming integer not null, bytes integer)`,
  'create index on calsync.readings (site, source, at desc)',
  'create index on calsync.readings (at)',
];

/** A run tells how it went, step by step; a held one all that a person has to know who decides about it. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
