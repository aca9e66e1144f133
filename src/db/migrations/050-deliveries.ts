import { sql, type Queryable } from '../database.ts';

/**
 * The messages sent to people: each with its answer, and what each receiver knows about ongoing episodes. Replaces
 * `told_at` of runs, which was made for a single receiver.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.deliveries (
    id bigint generated always as identity primary key,
    receiver text not null,
    key text not null,
    kind text not null,
    channel text not null,
    address text not null,
    subject text not null,
    message_id text not null,
    content jsonb,
    episodes jsonb not null,
    state text not null check (state in ('sending', 'sent', 'refused', 'given up')),
    tries int not null,
    answer text,
    sent_by text,
    claimed_at timestamptz not null,
    settled_at timestamptz,
    retry_at timestamptz
  )`.execute(db);
  await sql`create unique index on calsync.deliveries (receiver, key) where state in ('sending', 'refused')`.execute(
    db,
  );
  await sql`create index on calsync.deliveries (claimed_at)`.execute(db);
  await sql`create index on calsync.deliveries (receiver, claimed_at)`.execute(db);
  await sql`create table calsync.alerts_told (
    receiver text not null,
    site text not null,
    source text not null,
    kind text not null,
    about text not null,
    since timestamptz not null,
    stage int not null,
    message_id text not null,
    told_at timestamptz not null,
    primary key (receiver, site, source, kind, about)
  )`.execute(db);
};
