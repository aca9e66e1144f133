import { PREPARED, rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import { DATES_MAX, PUBLIC, seriesDates, seriesWith, type SeriesDates, type SeriesRow } from './series-dates.ts';

/** What the page of an event tells besides the event. */
export interface AroundEvent {
  /** The id of the venue at which it was announced first, if it is somewhere else now. */
  readonly formerVenue: number | undefined;
  /** What is on next at its venue; where there is nothing, what comes next from its organizer. */
  readonly next: readonly number[];
  readonly kind: 'venue' | 'organizer';
  /** The dates of its series; undefined where it has no others. */
  readonly series: SeriesDates | undefined;
}

/** Asks around an event, by ids: those of its venue and its organizer as far as it has them, and its own if it is there. */
export type AskAround = (
  ids: { readonly event?: number; readonly venue?: number | undefined; readonly organizer?: number | undefined },
  from: string,
) => Promise<AroundEvent>;

const SHOWN_MAX = 3;
// Dates of one series follow each other: among so many there are usually some others.
const READ_MAX = 12;
const CANCELLED = sql`array(select id from site.terms where taxonomy = 'tags' and slug = 'cancelled')`;
/** What has begun earlier is over, or lasts for longer than a week, whatever the zone. */
const STILL_ON = sql`interval '9 days'`;

interface Row {
  readonly former: number | null;
  readonly series: SeriesRow | null;
  readonly at_venue: readonly number[];
  readonly of_organizer: readonly number[];
}

export const askAround =
  (db: Queryable): AskAround =>
  async ({ event = 0, venue = 0, organizer = 0 }, from) => {
    const row = rowOf(
      await sql<Row>`${PREPARED}
        select (select venue_ids[1] from site.former_venues where event_id = ${event}) as former,
          (select to_json(series) from (${seriesWith([event], from, DATES_MAX)}) as series limit 1) as series, at_venue,
          case when cardinality(at_venue) = 0 then ${nextOf(organizer, event, from)} else '{}' end as of_organizer
        from (select ${nextOf(venue, event, from)} as at_venue offset 0) as found`.execute(db),
    );
    const kind = row.at_venue.length > 0 ? 'venue' : 'organizer';
    return {
      formerVenue: row.former ?? undefined,
      next: kind === 'venue' ? row.at_venue : row.of_organizer,
      kind,
      series: row.series ? seriesDates(row.series, DATES_MAX) : undefined,
    };
  };

/** The next events of a venue or an organizer that take place, the first of each title, of titles other than one's own. */
function nextOf(linked: number, event: number, from: string): Sql {
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
            and (venue_ids || organizer_ids) @> array[${linked}::integer]
          order by end_wall limit ${READ_MAX})) as coming
      where title is distinct from (select title from site.events where id = ${event})
      order by title, start_wall, published_at, id) as firsts
    order by start_wall, published_at, id limit ${SHOWN_MAX})`;
}
