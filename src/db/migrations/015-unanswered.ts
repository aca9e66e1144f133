import { sql, type Queryable } from '../database.ts';

/** Writes that runs gave up on without an answer, until the site has been asked what became of them. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.unanswered (
    site text not null, source text not null, slug text not null,
    run text not null, at timestamptz not null default clock_timestamp(),
    action jsonb not null, change jsonb not null, refs jsonb not null,
    primary key (site, slug, run))`.execute(db);
  await sql`create index on calsync.unanswered (site, source)`.execute(db);
};
