import { PREPARED, rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import { eventColumns } from './event-columns.ts';
import { DATES_MAX, PUBLIC, seriesDates, seriesOfFound, type SeriesDates, type SeriesRow } from './series-dates.ts';
import type { EventRow } from './tables.ts';

/** What is on next at a venue; where there is nothing, what comes next from an organizer. */
export interface NextEvents {
  readonly next: readonly number[];
  readonly kind: 'venue' | 'organizer';
}

/** An event, and what its page tells besides it. */
export interface AroundEvent extends NextEvents {
  readonly row: EventRow;
  /** That of the site at which all of this is so. */
  readonly revision: string;
  /** The id of the venue at which it was announced first, if it is somewhere else now. */
  readonly formerVenue: number | undefined;
  /** The dates of its series; undefined where it has no others. */
  readonly series: SeriesDates | undefined;
  /** The ids of the first of them, in order. */
  readonly dates: readonly number[];
}

/** Asks for the event with a slug and what is around it on a day, whoever may see it; undefined where there is none. */
export type AskAround = (slug: string, from: string) => Promise<AroundEvent | undefined>;

/** Asks what is next, by ids: those of an event whose title is left out, of a venue and of an organizer. */
export type AskNext = (
  ids: { readonly event?: number; readonly venue?: number | undefined; readonly organizer?: number | undefined },
  from: string,
) => Promise<NextEvents>;

const SHOWN_MAX = 3;
const SHOWN_DATES_MAX = 8;
// Dates of one series follow each other: among so many there are usually some others.
const READ_MAX = 12;
const CANCELLED = sql`array(select id from site.terms where taxonomy = 'tags' and slug = 'cancelled')`;
/** What has begun earlier is over, or lasts for longer than a week, whatever the zone. */
const STILL_ON = sql`interval '9 days'`;

interface NextRow {
  readonly at_venue: readonly number[];
  readonly of_organizer: readonly number[];
}
interface AroundRow extends NextRow {
  readonly value: number;
  readonly former: number | null;
  readonly dates: SeriesRow | null;
}

export const askAround =
  (db: Queryable): AskAround =>
  async (slug, from) => {
    const { rows } = await sql<EventRow & AroundRow>`${PREPARED}
      select found.*, value, (select venue_ids[1] from site.former_venues where event_id = found.id) as former,
        (select to_json(told) from (${seriesOfFound(from, DATES_MAX, SHOWN_DATES_MAX)}) as told) as dates,
        at_venue, ${nextUnlessAtVenue(sql`found.organizer_ids[1]`, sql`found.title`, from)} as of_organizer
      from site.revision, (
          select ${eventColumns}, series from site.events where slug = ${slug} and slug <> '' limit 1) as found,
        lateral (select ${nextOf(sql`found.venue_ids[1]`, sql`found.title`, from)} as at_venue offset 0) as next`.execute(
      db,
    );
    const [told] = rows;
    if (!told) return undefined;
    const { value, former, dates, at_venue, of_organizer, ...row } = told;
    return {
      row,
      revision: String(value),
      formerVenue: former ?? undefined,
      ...nextIn({ at_venue, of_organizer }),
      series: dates ? seriesDates(dates, DATES_MAX) : undefined,
      dates: dates?.ids ?? [],
    };
  };

export const askNext =
  (db: Queryable): AskNext =>
  async ({ event = 0, venue = 0, organizer = 0 }, from) => {
    const title = sql`(select title from site.events where id = ${event})`;
    return nextIn(
      rowOf(
        await sql<NextRow>`${PREPARED}
          select at_venue, ${nextUnlessAtVenue(sql`${organizer}::integer`, title, from)} as of_organizer
          from (select ${nextOf(sql`${venue}::integer`, title, from)} as at_venue offset 0) as next`.execute(db),
      ),
    );
  };

const nextIn = ({ at_venue, of_organizer }: NextRow): NextEvents =>
  at_venue.length > 0 ? { next: at_venue, kind: 'venue' } : { next: of_organizer, kind: 'organizer' };

const nextUnlessAtVenue = (organizer: Sql, title: Sql, from: string): Sql =>
  sql`case when cardinality(at_venue) = 0 then ${nextOf(organizer, title, from)} else '{}' end`;

/** The next events of a venue or an organizer that take place, the first of each title, of titles other than one's own. */
function nextOf(linked: Sql, ownTitle: Sql, from: string): Sql {
  const columns = sql`id, title, start_wall, published_at`;
  const takesPlace = sql`${PUBLIC} and end_wall >= ${from}::timestamp and not (tag_ids && ${CANCELLED})`;
  return sql`array(
    select id from (
      select distinct on (title) ${columns} from (
        (select coming.* from site.event_links, lateral (
            select ${columns} from site.events where id = event_id and ${takesPlace} limit 1) as coming
          where linked_id = ${linked} and is_published and start_at >= ${from}::timestamptz - ${STILL_ON}
          order by start_at limit ${READ_MAX})
        union all
        (select ${columns} from site.events
          where end_wall - start_wall > interval '7 days' and ${takesPlace} and start_at < ${from}::timestamptz - ${STILL_ON}
            and (venue_ids || organizer_ids) @> array[${linked}]
          order by end_wall limit ${READ_MAX})) as coming
      where title is distinct from ${ownTitle}
      order by title, start_wall, published_at, id) as firsts
    order by start_wall, published_at, id limit ${SHOWN_MAX})`;
}
