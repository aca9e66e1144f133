import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { askAround, type AskAround } from './around-event.ts';
import { dayTables, type DayTables } from './event-days.ts';
import { DATES_MAX, datesWith, seriesDates, seriesWith, type SeriesDates, type SeriesRow } from './series-dates.ts';

/** What pages show of events beyond the interface, all of it public. */
export interface EventTables extends DayTables {
  /**
   * The series of events by id, with the dates that end on `from` or later; only series with other dates than the
   * event's own.
   */
  readonly seriesOf: (
    ids: readonly number[],
    from: string,
    datesMax?: number,
  ) => Promise<ReadonlyMap<number, SeriesDates>>;
  /**
   * The ids of the dates of an event's series that end on `from` or later, in order; its own id if it is not in a
   * series.
   */
  readonly datesOf: (id: number, from: string, limit: number) => Promise<readonly number[]>;
  /** Reads an event and what its page shows besides it, without dates that end before a day. */
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
