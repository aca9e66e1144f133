import { sql, type Queryable } from '../database.ts';

/** oEmbed data of other sites, kept for a day. If they are lost in a crash, they are fetched again. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create unlogged table site.embeds (key text primary key, body jsonb not null, fetched_at timestamptz not null)`.execute(
    db,
  );
  await sql`create index on site.embeds (fetched_at)`.execute(db);
};
