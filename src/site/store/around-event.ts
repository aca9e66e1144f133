import { together } from '../../coalesced.ts';
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

/** An event, and what its page tells besides it. */
export interface AroundEvent {
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

const SHOWN_DATES_MAX = 8;

interface AroundRow extends FoundSeriesRow {
  readonly event: EventJson;
  readonly value: number;
  readonly former: number | null;
}

/** Several that are asked for at the same time are one statement. */
export function askAround(db: Queryable): AskAround {
  let asking: { readonly from: string; readonly ask: (slug: string) => Promise<AroundEvent | undefined> } | undefined;
  return (slug, from) => {
    if (asking?.from !== from) asking = { from, ask: together((slugs) => around(db, slugs, from)) };
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
