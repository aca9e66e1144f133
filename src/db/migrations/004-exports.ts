import { sql, type Queryable } from '../database.ts';

/** What subscribers were last told: when an event was last modified, and when a feed's bytes last changed. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create schema if not exists calsync`.execute(db);
  await sql`create table calsync.exported_events (
    site text not null, uid text not null,
    hash text not null, modified_at bigint not null,
    primary key (site, uid))`.execute(db);
  await sql`create table calsync.exported_feeds (
    site text not null, feed text not null,
    hash text not null, changed_at bigint not null,
    primary key (site, feed))`.execute(db);
};
