import { sql, type Sql } from '../../db/database.ts';
import { wantedIds } from './rows-by-id.ts';

/** The upcoming dates of a series. */
export interface SeriesDates {
  /** The same for all events of the series. */
  readonly key: string;
  /** Starts in the events' own wall clocks, as `2027-01-10 18:00:00`, in order. */
  readonly starts: readonly string[];
  /** Whether there are more dates than were read. */
  readonly isCut: boolean;
}

/** A series as read from the database. */
export interface SeriesRow {
  readonly key: string;
  /** The ids among those requested. */
  readonly ids: readonly number[];
  /** One more than wanted, if there are that many. */
  readonly starts: readonly string[];
}

// Two years of a weekly date, or four months of a daily one.
export const DATES_MAX = 120;
/** Events that can be part of a series. */
export const PUBLIC = sql`status = 'publish' and not hide_from_listings and password = ''`;

/**
 * Events longer than a week. Same expression as in migration 060-series, and the SQL equivalent of the pages' `isLong`.
 */
export const LASTING = sql`end_wall - start_wall > interval '7 days'`;

const WALL = sql`to_char(start_wall, 'YYYY-MM-DD HH24:MI:SS')`;
const STARTS = sql`coalesce(array_agg(${WALL} order by start_wall), '{}')`;

/** Events that began up to this long before a day are examined, as they may not have ended. */
const STILL_ON = sql`interval '8 days'`;

/** Reads the series of events that have other dates ending on `from` or later, as `SeriesRow`s. */
export const seriesWith = (ids: readonly number[], from: string, datesMax: number): Sql<SeriesRow> => sql<SeriesRow>`
  select key, ids, starts from (${groupsOf(ids)}) as grouped, lateral (
    select ${STARTS} as starts from (${datesFrom(from, datesMax + 1)}) as dates) as told
  where cardinality(starts) > 1`;

/** A series read beside a single event. */
export interface FoundSeriesRow {
  readonly key: string;
  /** The starts of its dates, each followed by a space and the event's id. */
  readonly dates: readonly string[];
}

/**
 * The columns of a `FoundSeriesRow`. Expects the event as `found`, a row of `site.events`, its series as `grouped`,
 * joined by `GROUP_OF_FOUND`, and `day` as a timestamp column.
 */
export const foundSeries = (day: Sql, datesMax: number): Sql => {
  const dates = (those: Sql): Sql => sql`array(select ${WALL} || ' ' || id from (${those}) as dates)`;
  const limit = sql.lit(datesMax + 1);
  return sql`grouped.key, to_json(case when grouped.uid is null then ${dates(sameTitle(day, limit))}
    else ${dates(sameUid(day, limit))} end) as dates`;
};

/** Goes into the `from` clause after `found`. */
export const GROUP_OF_FOUND = sql`left join lateral site.synced_series_of(found.slug) as synced on true,
  lateral (select coalesce(source || E'\t' || uid, found.series::text) as key, source, uid, found.series as series) as grouped`;

/** Converts a `FoundSeriesRow` to the series and the ids of its first dates; undefined if there is only one date. */
export function seriesFound(
  { key, dates }: FoundSeriesRow,
  datesMax: number,
): { readonly series: SeriesDates; readonly ids: readonly number[] } | undefined {
  if (dates.length < 2) return undefined;
  const told = dates
    .map((text) => ({ start: text.slice(0, text.lastIndexOf(' ')), id: Number(text.slice(text.lastIndexOf(' '))) }))
    .toSorted((one, other) => one.start.localeCompare(other.start) || one.id - other.id);
  return {
    series: seriesDates({ key, starts: told.map(({ start }) => start) }, datesMax),
    ids: told.map(({ id }) => id),
  };
}

/** Cuts a series to at most `datesMax` dates. */
export const seriesDates = ({ key, starts }: Pick<SeriesRow, 'key' | 'starts'>, datesMax: number): SeriesDates => ({
  key,
  starts: starts.slice(0, datesMax),
  isCut: starts.length > datesMax,
});

/** The ids of the dates of an event's series that end on `from` or later, in order. */
export const datesWith = (id: number, from: string, limit: number): Sql<{ id: number }> => sql<{ id: number }>`
  select dates.id from (${groupsOf([id])}) as grouped, lateral (${datesFrom(from, limit)}) as dates
  order by start_wall, dates.id`;

/**
 * The series of events: by their UID in a source, else by title, place and weekday. Protected events belong to none.
 */
const groupsOf = (ids: readonly number[]): Sql => sql`
  select coalesce(source || E'\t' || uid, series::text) as key, min(source) as source, min(uid) as uid,
    (array_agg(series))[1] as series, array_agg(key) as ids
  from ${wantedIds(ids)},
    lateral (select slug, series from site.events where events.id = wanted.key and status = 'publish' and password = '' limit 1) as event
    left join lateral site.synced_series_of(event.slug) as synced on true
  group by 1`;

/** The first dates of the series in `grouped` that end on `from` or later: ids and starts. */
const datesFrom = (from: string, limit: number): Sql => {
  const [day, most] = [sql`${from}::timestamp`, sql`${limit}::integer`];
  return sql`
  (${sameTitle(day, most)}) union all (${sameUid(day, most)})`;
};

/** Dates of a series identified by title, place and weekday. */
const sameTitle = (day: Sql, limit: Sql): Sql => sql`
  select id, start_wall from site.events
    where grouped.uid is null and events.series = grouped.series and ${PUBLIC}
      and start_wall >= ${day} - ${STILL_ON} and end_wall >= ${day}
    order by start_wall limit ${limit}`;

/** Dates of a series identified by its UID in a source; none if it has no such UID. */
const sameUid = (day: Sql, limit: Sql): Sql => sql`
  select id, start_wall from site.synced_dates(grouped.source, grouped.uid, ${day} - ${STILL_ON}, ${day}, ${limit})`;
