import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // What people have decided, and what was changed in their name.
  `create table calsync.acts (
    id bigint generated always as identity primary key, at timestamptz not null default now(),
    name text not null, via text not null, address text,
    kind text not null, site text, source text, run text, event text, reason text, details jsonb not null default '{}')`,
  'create index on calsync.acts (at desc, id desc)',
  'create index on calsync.acts (source, at desc) where source is not null',
  'create index on calsync.acts (run) where run is not null',
  'create index on calsync.acts (event) where event is not null',
  // Sources that are not read automatically; if there is no `until`, not until somebody resumes them.
  `create table calsync.pauses (
    site text not null, source text not null, since timestamptz not null default now(), until timestamptz,
    reason text, name text not null, primary key (site, source))`,
  // Matters that a person has put off; if there is no `until`, for as long as the matter's `look` stays the same.
  `create table calsync.snoozes (
    person text not null, matter text not null, until timestamptz, look text not null,
    at timestamptz not null default now(), primary key (person, matter))`,
  `create table calsync.notes (
    site text not null, source text not null, text text not null, name text not null,
    at timestamptz not null default now(), primary key (site, source))`,
];

/** Who did what, which sources are paused, who has put off what, and notes about sources. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
