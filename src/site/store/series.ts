import { PREPARED, sql, type Queryable, type Sql } from '../../db/database.ts';
import { dayTables, type DayTables } from './event-days.ts';

/** The coming dates of a series. */
export interface SeriesDates {
  /** The same for all events of the series. */
  readonly key: string;
  /** Starts by the events' own clocks, `2027-01-10 18:00:00`, in order. */
  readonly starts: readonly string[];
  /** Whether there are more than were read. */
  readonly isCut: boolean;
}

/** What the pages know of events that the interface does not tell. Strangers may know all of it. */
export interface EventTables extends DayTables {
  /**
   * The series of some events by their ids, with the dates that are not over on a day: of those only that have other
   * dates than their own.
   */
  readonly seriesOf: (
    ids: readonly number[],
    from: string,
    datesMax?: number,
  ) => Promise<ReadonlyMap<number, SeriesDates>>;
  /** The ids of the dates of an event's series that are not over on a day, in order; its own where it has no others. */
  readonly datesOf: (id: number, from: string, limit: number) => Promise<readonly number[]>;
  /** The ids of events that last for more than a week and touch some days, those that end first at the beginning. */
  readonly longEvents: (from: string, to: string, limit: number) => Promise<readonly number[]>;
}

// Two years of a weekly date, four months of a daily one.
const DATES_MAX = 120;
const PUBLIC = sql`status = 'publish' and not hide_from_listings and password = ''`;

/** What has begun in this time before a day is looked at, as it may not be over. */
const STILL_ON = sql`interval '8 days'`;

export const eventTables = (db: Queryable): EventTables => ({
  ...dayTables(db),
  seriesOf: async (ids, from, datesMax = DATES_MAX) => {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<{ key: string; ids: number[]; starts: string[] }>`${PREPARED}
      select key, ids, starts from (${groupsOf(ids)}) as grouped, lateral (
        select coalesce(array_agg(to_char(start_wall, 'YYYY-MM-DD HH24:MI:SS') order by start_wall), '{}') as starts
        from (${datesFrom(from, datesMax + 1)}) as dates) as told
      where cardinality(starts) > 1`.execute(db);
    return new Map(
      rows.flatMap(({ key, ids: members, starts }) => {
        const dates = { key, starts: starts.slice(0, datesMax), isCut: starts.length > datesMax };
        return members.map((id) => [id, dates] as const);
      }),
    );
  },
  datesOf: async (id, from, limit) => {
    const { rows } = await sql<{ id: number }>`${PREPARED}
      select dates.id from (${groupsOf([id])}) as grouped, lateral (${datesFrom(from, limit)}) as dates
      order by start_wall, dates.id`.execute(db);
    return rows.map((row) => row.id);
  },
  longEvents: async (from, to, limit) => {
    const { rows } = await sql<{ id: number }>`${PREPARED}
      select id from site.events where end_wall - start_wall > interval '7 days' and ${PUBLIC}
        and end_wall >= ${from}::timestamp and start_wall < ${to}::timestamp + interval '1 day'
      order by end_wall, start_wall, id limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  },
});

/** The series of events: that of their UID in a source, else of title, place and weekday. A password hides it, too. */
const groupsOf = (ids: readonly number[]): Sql => sql`
  select coalesce(source || E'\t' || uid, series::text) as key, min(source) as source, min(uid) as uid,
    (array_agg(series))[1] as series, array_agg(id) as ids
  from unnest(${[...new Set(ids)]}::integer[]) as wanted (id),
    lateral (select slug, series from site.events where events.id = wanted.id and status = 'publish' and password = '' limit 1) as event
    left join lateral (select source, uid from site.synced_series where synced_series.slug = event.slug limit 1) as synced on true
  group by 1`;

/** The first dates of the series in `grouped` that are not over on a day. */
const datesFrom = (from: string, limit: number): Sql => sql`
  (select id, start_wall from site.events
    where grouped.uid is null and events.series = grouped.series and ${PUBLIC}
      and start_wall >= ${from}::timestamp - ${STILL_ON} and end_wall >= ${from}::timestamp
    order by start_wall limit ${limit})
  union all
  (select event.id, start_wall from site.synced_series as synced, lateral (
      select id, start_wall from site.events where events.slug = synced.slug and slug <> '' and ${PUBLIC}
        and end_wall >= ${from}::timestamp limit 1) as event
    where synced.source = grouped.source and synced.uid = grouped.uid
      and synced.starts_at >= extract(epoch from ${from}::timestamp - ${STILL_ON}) * 1000
    order by synced.starts_at limit ${limit})`;
