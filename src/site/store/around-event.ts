import { batchedByKey } from '../../coalesced.ts';
import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { eventFromJson, eventJsonColumns, type EventJson } from './event-columns.ts';
import {
  DATES_MAX,
  foundSeries,
  GROUP_OF_FOUND,
  seriesFound,
  type FoundSeriesRow,
  type SeriesDates,
} from './series-dates.ts';
import { wantedSlugs } from './rows-by-id.ts';
import type { EventRow } from './tables.ts';

/** An event, and what its page shows besides the event itself. */
export interface AroundEvent {
  readonly row: EventRow;
  /** The site's revision at which all of this was read. */
  readonly revision: string;
  /** The id of the venue first announced, if the event has moved to another. */
  readonly formerVenue: number | undefined;
  /** The dates of its series; undefined if it is not part of one. */
  readonly series: SeriesDates | undefined;
  /** The ids of the first events of the series, in order. */
  readonly dates: readonly number[];
}

/** Reads the event with a slug, whoever may see it, and what surrounds it from a day on; undefined if there is none. */
export type AskAround = (slug: string, from: string) => Promise<AroundEvent | undefined>;

const SHOWN_DATES_MAX = 8;

interface AroundRow extends FoundSeriesRow {
  readonly event: EventJson;
  readonly value: number;
  readonly former: number | null;
}

/** Returns a reader that combines concurrent requests into one statement. */
export function askAround(db: Queryable): AskAround {
  let asking: { readonly from: string; readonly ask: (slug: string) => Promise<AroundEvent | undefined> } | undefined;
  return (slug, from) => {
    if (asking?.from !== from) asking = { from, ask: batchedByKey((slugs) => around(db, slugs, from)) };
    return asking.ask(slug);
  };
}

async function around(
  db: Queryable,
  slugs: readonly string[],
  from: string,
): Promise<ReadonlyMap<string, AroundEvent>> {
  const { rows } = await sql<AroundRow>`${PREPARED}
    select to_json(found) as event, value, former, ${foundSeries(sql`wanted.day`, DATES_MAX)}
    from site.revision, ${wantedSlugs(slugs, { day: sql`${from}::timestamp` })}, lateral (
      select ${eventJsonColumns}, series, former_venue_ids[1] as former
      from site.events where slug = wanted.key and slug <> '' limit 1) as found ${GROUP_OF_FOUND}`.execute(db);
  return new Map(rows.map((told) => [told.event.slug, aroundFrom(told)]));
}

function aroundFrom(told: AroundRow): AroundEvent {
  const row = eventFromJson(told.event);
  const isPublic = row.status === 'publish' && row.password === '';
  const found = isPublic ? seriesFound(told, DATES_MAX) : undefined;
  return {
    row,
    revision: String(told.value),
    formerVenue: told.former ?? undefined,
    series: found?.series,
    dates: found?.ids.slice(0, SHOWN_DATES_MAX) ?? [],
  };
}
