import { sql, type Queryable } from '../database.ts';

const PUBLIC = `status = 'publish' and not hide_from_listings`;
const NAMES = ['events_public_idx', 'events_featured_idx', 'events_all_idx'];
const INDEXES = [
  `create index events_public_idx on site.events (start_wall, published_at, id)
    include (end_wall, featured, language, located, password) where ${PUBLIC}`,
  `create index events_featured_idx on site.events (start_wall, published_at, id)
    include (end_wall, language, located, password) where featured and ${PUBLIC}`,
  `create index events_all_idx on site.events (start_wall, published_at, id)
    include (end_wall, featured, language, located, password, status, author, hide_from_listings)`,
];

/**
 * Adds to the indexes which events are protected, so that lists without them can still be counted and paged by an index
 * alone.
 */
export const up = async (db: Queryable): Promise<void> => {
  for (const name of NAMES) await sql`drop index if exists ${sql.id('site', name)}`.execute(db);
  for (const statement of INDEXES) await sql.raw(statement).execute(db);
};
