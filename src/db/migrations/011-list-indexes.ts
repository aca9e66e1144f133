import { sql, type Queryable } from '../database.ts';
import { schemaOf } from './001-site.ts';

// Indexes that cover the usual filters, so that lists are counted and paged without reading the table. The former ones
// did not cover all of these filters.
const NARROW = [
  'events_start_wall_published_at_id_end_wall_idx',
  'events_start_wall_published_at_id_end_wall_status_author_hi_idx',
];
const PUBLIC = `status = 'publish' and not hide_from_listings`;
const INDEXES = [
  `create index on site.events (start_wall, published_at, id) include (end_wall, featured, language) where ${PUBLIC}`,
  `create index on site.events (start_wall, published_at, id) include (end_wall, language) where featured and ${PUBLIC}`,
  'create index on site.events (start_wall, published_at, id) include (end_wall, featured, language, status, author, hide_from_listings)',
  `create index on site.events (status, start_wall, published_at, id) include (end_wall, author, hide_from_listings) where status <> 'publish'`,
  // The texts that searches for venues, organizers and terms compare.
  `create index on site.venues using gin (site.plain(title || ' ' || excerpt || ' ' || description || ' ' || address || ' ' || city || ' ' || province || ' ' || state || ' ' || zip || ' ' || phone) @trigrams@.gin_trgm_ops)`,
  `create index on site.organizers using gin (site.plain(title || ' ' || excerpt || ' ' || description || ' ' || phone || ' ' || email || ' ' || website) @trigrams@.gin_trgm_ops)`,
  'create index on site.terms using gin (site.plain(name) @trigrams@.gin_trgm_ops, slug @trigrams@.gin_trgm_ops)',
];

/** An index for each filter of the lists. */
export const up = async (db: Queryable): Promise<void> => {
  const trigrams = await schemaOf(db, 'pg_trgm');
  for (const name of NARROW) await sql.raw(`drop index if exists site.${name}`).execute(db);
  for (const table of ['venues', 'organizers'])
    await sql.raw(`drop index if exists site.${table}_plain_idx`).execute(db);
  for (const statement of INDEXES) await sql.raw(statement.replaceAll('@trigrams@', trigrams)).execute(db);
};
