import { sql, type Queryable } from '../database.ts';

/** Our own state: sources, ledger, runs, batches and leases. Reading the site needs none of it. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create schema if not exists calsync`.execute(db);
  // A process is alive as long as it holds the advisory lock on the id of its row.
  await sql`create table calsync.processes (
    id integer generated always as identity primary key,
    name text not null,
    started_at timestamptz not null default now())`.execute(db);
  await sql`create table calsync.sources (
    site text not null, source text not null,
    rung text not null default 'uid',
    etag text, last_modified text, body_hash text,
    settings_hash text,
    body bytea, content_type text,
    fetched_at timestamptz, good_at timestamptz, full_at timestamptz,
    due boolean not null default false,
    primary key (site, source))`.execute(db);
  await sql`create table calsync.ledger (
    site text not null, slug text not null, source text not null,
    key text not null, rung text not null, identity text not null, uid text, title text not null,
    starts_at bigint not null, ends_at bigint not null,
    id integer, state text not null check (state in ('kept', 'removed', 'ignored')),
    missing integer not null default 0,
    fields jsonb not null,
    changed_at timestamptz not null default now(),
    primary key (site, slug))`.execute(db);
  await sql`create index on calsync.ledger (site, source)`.execute(db);
  await sql`create table calsync.runs (
    run text primary key, site text not null, source text not null, cause text not null,
    state text not null check (state in ('reading', 'writing', 'done', 'unchanged', 'held', 'failed')),
    stage text,
    started_at timestamptz not null default now(), finished_at timestamptz,
    refs jsonb not null default '{}',
    plan jsonb, feed_state jsonb, report jsonb,
    requests integer not null default 0, writes integer not null default 0)`.execute(db);
  await sql`create index on calsync.runs (source, started_at desc)`.execute(db);
  await sql`create table calsync.batches (
    run text not null references calsync.runs on delete cascade,
    stage text not null, number integer not null,
    items jsonb not null, outcomes jsonb not null,
    attempts integer not null default 0,
    primary key (run, stage, number))`.execute(db);
  // One run per source: the row is the lease, and its owner is the process that works on the run.
  await sql`create table calsync.leases (
    site text not null, source text not null,
    run text not null, owner integer not null,
    heartbeat timestamptz not null default now(),
    primary key (site, source))`.execute(db);
};
