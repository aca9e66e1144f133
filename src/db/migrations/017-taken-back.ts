import { sql, type Kysely } from '../database.ts';

/**
 * What is taken off the site is told to subscribers without a word; an editor can have it forgotten at once, by its
 * slug.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table calsync.exported_content add column slug text not null default ''`.execute(db);
  await sql`create index on calsync.exported_content (site, slug)`.execute(db);
  // Raised when something was forgotten: a feed that was made before that is given to nobody any more.
  await sql`create table calsync.exported_revision (site text primary key, value bigint not null)`.execute(db);
  await sql`update calsync.exported_content set content = jsonb_strip_nulls(jsonb_build_object('title', '', 'status', 'CANCELLED',
    'contacts', '[]'::jsonb, 'categories', '[]'::jsonb, 'start', content -> 'start', 'end', content -> 'end')) where vanished_at is not null`.execute(
    db,
  );
};
