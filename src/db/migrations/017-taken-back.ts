import { sql, type Queryable } from '../database.ts';

/**
 * Cancellations in feeds no longer contain an event's texts. An editor can have an event forgotten immediately, by its
 * slug.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.exported_content add column slug text not null default ''`.execute(db);
  await sql`create index on calsync.exported_content (site, slug)`.execute(db);
  // Raised when an event is forgotten: feeds made before are no longer served.
  await sql`create table calsync.exported_revision (site text primary key, value bigint not null)`.execute(db);
  await sql`update calsync.exported_content set content = jsonb_strip_nulls(jsonb_build_object('title', '', 'status', 'CANCELLED',
    'contacts', '[]'::jsonb, 'categories', '[]'::jsonb, 'start', content -> 'start', 'end', content -> 'end')) where vanished_at is not null`.execute(
    db,
  );
};
