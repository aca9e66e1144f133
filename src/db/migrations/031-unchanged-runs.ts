import { sql, type Queryable } from '../database.ts';

/**
 * An unchanged feed is recognised by what is stored beside its body, without reading it. Null: the body was stored by
 * an older version, and is stored again with the next fetch.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.sources add column stored_hash text`.execute(db);
  // How many events a source has on the site is counted in the index alone.
  await sql`create index on calsync.ledger (site, source, state)`.execute(db);
  await sql`drop index calsync.ledger_site_source_idx`.execute(db);
  await sql`create index on calsync.runs (site, source) where state = 'held'`.execute(db);
};
