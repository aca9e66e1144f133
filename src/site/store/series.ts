import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { askAround, type AskAround } from './around-event.ts';
import { dayTables, type DayTables } from './event-days.ts';
import { DATES_MAX, datesWith, seriesDates, seriesWith, type SeriesDates, type SeriesRow } from './series-dates.ts';

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
  /** An event, and what its page tells besides it; nothing of that is over on a day. */
  readonly around: AskAround;
}

export const eventTables = (db: Queryable): EventTables => ({
  ...dayTables(db),
  around: askAround(db),
  seriesOf: async (ids, from, datesMax = DATES_MAX) => {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<SeriesRow>`${PREPARED}${seriesWith(ids, from, datesMax)}`.execute(db);
    return new Map(rows.flatMap((row) => row.ids.map((id) => [id, seriesDates(row, datesMax)] as const)));
  },
  datesOf: async (id, from, limit) => {
    const { rows } = await sql<{ id: number }>`${PREPARED}${datesWith(id, from, limit)}`.execute(db);
    return rows.map((row) => row.id);
  },
});
