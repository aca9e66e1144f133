import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // What was shown about a held plan; which run superseded it; how the reading went, and when writing began; and who
  // asked the run to end.
  `alter table calsync.runs add column review jsonb, add column superseded_by text,
    add column steps jsonb, add column writing_at timestamptz, add column stop_asked_by text`,
  // The number of events that each reading of a feed found.
  `create table calsync.readings (
    site text not null, source text not null, at timestamptz not null default now(),
    run text not null, events integer not null, coming integer not null, bytes integer)`,
  'create index on calsync.readings (site, source, at desc)',
  'create index on calsync.readings (at)',
];

/** Records how a run went, step by step, and for a held run everything that a person needs in order to decide. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
