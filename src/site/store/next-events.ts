import { PREPARED, rowOf, sql, type Queryable } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { partsRevision } from './changes.ts';
import { foundWith, keptFor, type Found } from './kept-at.ts';
import { LASTING, PUBLIC } from './series-dates.ts';

/**
 * Finds the next events of a venue or organizer that take place and end on `from` or later, the first of each title.
 * Returns their ids, in order.
 */
export type AskNext = (linked: number, from: string) => Promise<readonly number[]>;

// One more than a page shows beside an event, which may be one of them.
const NEXT_MAX = 4;
// The dates of a series follow each other; this many usually include other events.
const READ_MAX = 12;
const CANCELLED = sql`array(select id from site.terms where taxonomy = 'tags' and slug = 'cancelled')`;
/** Whatever its zone, an event that began before this has ended or lasts longer than a week. */
const STILL_ON = sql`interval '9 days'`;
/** The most by which the dates of two zones differ. */
const ZONES_DAYS = 2;

interface NextRow {
  readonly ids: readonly number[];
  /** The start day of the last event read, in days since 1970; null if there are no more. */
  readonly until: number | null;
}

/**
 * All events of a venue share the answer, so it is looked up once, and again only when events up to its last day
 * change.
 */
export const nextFor =
  (ctx: Pick<HandlerContext, 'db' | 'revision' | 'settings'>): AskNext =>
  (linked, from) => {
    const { db, revision } = ctx;
    const parts = revision === undefined ? '' : partsRevision(db, revision);
    return foundWith(keptFor(ctx), JSON.stringify(['next', linked, from, parts]), () => nextEvents(db, linked, from));
  };

/** Looks up the answer of `AskNext`, with the days of the events on which it depends. */
export async function nextEvents(db: Queryable, linked: number, from: string): Promise<Found> {
  const columns = sql`id, title, start_wall, published_at`;
  // Looks up each event by id first; otherwise the plan may scan all events that take place for the id.
  const takesPlace = sql`${PUBLIC} and end_wall >= ${from}::timestamp and not (tag_ids && ${CANCELLED})`;
  const { ids, until } = rowOf(
    await sql<NextRow>`${PREPARED}
      with soon as (
        select coming.* from site.event_links, lateral (
            select ${columns} from (select * from site.events where id = event_id limit 1) as linked where ${takesPlace}) as coming
          where linked_id = ${linked} and is_published and start_at >= ${from}::timestamptz - ${STILL_ON}
          order by start_at limit ${READ_MAX}),
      lasting as (
        select ${columns} from site.events
          where ${LASTING} and ${takesPlace} and start_at < ${from}::timestamptz - ${STILL_ON}
            and (venue_ids || organizer_ids) @> array[${linked}::integer]
          order by end_wall limit ${READ_MAX}),
      firsts as (
        select distinct on (title) ${columns} from (select * from soon union all select * from lasting) as coming
          order by title, start_wall, published_at, id)
      select array(select id from firsts order by start_wall, published_at, id limit ${NEXT_MAX}) as ids,
        (select case when count(*) = ${READ_MAX} then max(start_wall)::date - date '1970-01-01' end from soon) as until`.execute(
      db,
    ),
  );
  const to = until === null ? Number.POSITIVE_INFINITY : until + ZONES_DAYS;
  return { ids, depends: { from: Number.NEGATIVE_INFINITY, to } };
}
