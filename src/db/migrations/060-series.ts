import { sql, type Queryable } from '../database.ts';

const PUBLIC = `status = 'publish' and not hide_from_listings and password = ''`;

// Occurrences share a UID and differ by their RECURRENCE-ID. Other events that share a UID, distinguished by an
// ordinal, have nothing in common but a careless publisher.
const OCCURRENCES = `site = 'builtin' and state = 'kept' and rung = 'uid'
  and starts_with(identity, uid || E'\\t') and not starts_with(identity, uid || E'\\t~')`;

const STATEMENTS = [
  // Events with the same title at the same venue on the same weekday are one series, whoever wrote them.
  `alter table site.events add column series uuid generated always as (md5(
    site.plain(title) || E'\\t' || language || E'\\t' || coalesce(venue_ids[1], 0)::text || E'\\t'
    || extract(isodow from start_wall)::integer::text)::uuid) stored`,
  `create index events_series_idx on site.events (series, start_wall) include (end_wall) where ${PUBLIC}`,
  // Events that last longer than a week.
  `create index events_long_idx on site.events (end_wall, start_wall)
    where end_wall - start_wall > interval '7 days' and ${PUBLIC}`,
  // The occurrences in feeds. The view finds events by their slugs.
  `create index ledger_series_idx on calsync.ledger (source, uid, starts_at) include (slug) where ${OCCURRENCES}`,
  `create view site.synced_series as select slug, source, uid, starts_at from calsync.ledger where ${OCCURRENCES}`,
];

/** Which events belong to a series, and which last long, so that pages can show each of these once. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
