import { sql, type Queryable } from '../database.ts';

/**
 * An unchanged feed is recognised by a hash that is stored next to its body, without reading the body. Null means that
 * an older version stored the body; it is stored again with the next fetch.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.sources add column stored_hash text`.execute(db);
  // Counts a source's events on the site with the index alone.
  await sql`create index on calsync.ledger (site, source, state)`.execute(db);
  await sql`drop index calsync.ledger_site_source_idx`.execute(db);
  await sql`create index on calsync.runs (site, source) where state = 'held'`.execute(db);
};
