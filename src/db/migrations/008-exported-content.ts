import { sql, type Queryable } from '../database.ts';

/** What was published about each future event, so that subscribers can be told when it is removed. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.exported_content (
    site text not null, uid text not null,
    event_id integer not null,
    hash text not null, content jsonb not null, facts text[] not null,
    starts_at bigint not null, ends_at bigint not null,
    vanished_at bigint,
    primary key (site, uid))`.execute(db);
  await sql`create index on calsync.exported_content using gin (facts)`.execute(db);
  await sql`create index on calsync.exported_content (site, vanished_at) where vanished_at is not null`.execute(db);
  await sql`create index on calsync.exported_content (site, ends_at)`.execute(db);
};
