import { sql, type Kysely } from '../database.ts';

/** What other sites said about their pages, for a day. It can be fetched again: losing it on a crash is no loss. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create unlogged table site.embeds (key text primary key, body jsonb not null, fetched_at timestamptz not null)`.execute(
    db,
  );
  await sql`create index on site.embeds (fetched_at)`.execute(db);
};
