import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // The address of each publisher's page. The secret that it is made from is stored here, and a hash to find it by.
  `create table calsync.publisher_links (
    site text not null, source text not null, secret bytea not null, token_hash bytea not null unique,
    made_at timestamptz not null, made_by text, primary key (site, source))`,
  // The answers of publishers.
  `create table calsync.publisher_answers (
    id bigint generated always as identity primary key, site text not null, source text not null,
    at timestamptz not null, is_right boolean not null, text text not null)`,
  'create index on calsync.publisher_answers (site, source, at desc)',
  // Who wants no more letters about a source.
  `create table calsync.publisher_stops (
    site text not null, source text not null, address text not null, at timestamptz not null,
    primary key (site, source, address))`,
];

/** Links to publishers' pages, the publishers' answers, and who wants no more letters. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
