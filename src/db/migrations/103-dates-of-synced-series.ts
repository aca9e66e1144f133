import { sql, type Queryable } from '../database.ts';

/**
 * The first public dates of a series, known by its UID in a source, that begin on or after one day and are not over on
 * another; none if the source or UID is null. This is a function so that nothing is prepared for the many events that
 * are not in such a series.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create function site.synced_dates(wanted_source text, wanted_uid text, since timestamp, day timestamp, dates_max integer)
    returns table (id integer, start_wall timestamp) language plpgsql stable strict rows 10 as $$
    begin
      return query select event.id, event.start_wall from site.synced_series as synced, lateral (
          select named.* from (select * from site.events where events.slug = synced.slug and events.slug <> '' limit 1) as named
            where status = 'publish' and not hide_from_listings and password = '' and end_wall >= day) as event
        where synced.source = wanted_source and synced.uid = wanted_uid
          and synced.starts_at >= extract(epoch from since) * 1000
        order by synced.starts_at limit dates_max;
    end $$`.execute(db);
};
