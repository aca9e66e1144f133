import { sql, type Queryable } from '../database.ts';

/**
 * The series of one event by its slug, like `site.synced_series`. Finds the entry by its key first: a plan made while
 * the ledger was small could search all occurrences for the slug.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create function site.synced_series_of(wanted text) returns table (source text, uid text)
    language sql stable as $$
      select source, uid from (select * from calsync.ledger where site = 'builtin' and slug = wanted limit 1) as entry
      where state = 'kept' and rung = 'uid' and starts_with(identity, uid || E'\t') and not starts_with(identity, uid || E'\t~')
    $$`.execute(db);
};
