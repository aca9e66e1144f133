import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { eventColumns } from './event-columns.ts';
import { DATES_MAX, seriesDates, seriesOfFound, type SeriesDates, type SeriesRow } from './series-dates.ts';
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

interface AroundRow {
  readonly value: number;
  readonly former: number | null;
  readonly dates: SeriesRow | null;
}

export const askAround =
  (db: Queryable): AskAround =>
  async (slug, from) => {
    const { rows } = await sql<EventRow & AroundRow>`${PREPARED}
      select found.*, value, (select venue_ids[1] from site.former_venues where event_id = found.id) as former,
        (select to_json(told) from (${seriesOfFound(from, DATES_MAX, SHOWN_DATES_MAX)}) as told) as dates
      from site.revision, (
        select ${eventColumns}, series from site.events where slug = ${slug} and slug <> '' limit 1) as found`.execute(
      db,
    );
    const [told] = rows;
    if (!told) return undefined;
    const { value, former, dates, ...row } = told;
    return {
      row,
      revision: String(value),
      formerVenue: former ?? undefined,
      series: dates ? seriesDates(dates, DATES_MAX) : undefined,
      dates: dates?.ids ?? [],
    };
  };
