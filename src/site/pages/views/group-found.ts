import type { Event } from '../../../contract/representation.ts';
import { DAY_MS } from '../../../time.ts';
import type { SeriesDates } from '../../store/series-dates.ts';
import type { Day } from '../frame/dates.ts';

/** An entry of a list: an event and, if it is the next date of a series, that series. */
export interface FoundEntry {
  readonly event: Event;
  readonly series?: SeriesDates;
}
export interface FoundDay {
  readonly day: Day;
  readonly entries: readonly FoundEntry[];
}
/** Found events in display order. */
export interface FoundGroups {
  /** Events longer than a week, ordered by end. */
  readonly long: readonly Event[];
  readonly days: readonly FoundDay[];
}

const LONG_MS = 7 * DAY_MS;
const msOf = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`);

/** Whether an event lasts more than a week, so that it belongs to no single day. */
export const isLong = ({ start_date, end_date }: Event): boolean => msOf(end_date) - msOf(start_date) > LONG_MS;

// Same as in migration 061-spanning-events.
const MORNING_MS = 6 * 3_600_000 + 1_000;

/** The last day of an event; a night that ends by six in the morning belongs to its evening only. */
export function lastDayOf({ start_date: start, end_date: end }: Event): Day {
  const day = new Date(msOf(end) - MORNING_MS).toISOString().slice(0, 10);
  return day < start ? start.slice(0, 10) : day;
}

const isTagged = ({ tags }: Event, state: string): boolean => tags.some(({ slug }) => slug === state);
export const isCancelled = (event: Event): boolean => isTagged(event, 'cancelled');
export const isTentative = (event: Event): boolean => isTagged(event, 'tentative');

/** Whether an event has ended before a day. */
export const isOver = ({ end_date: end }: Event, today: Day): boolean => end.slice(0, 10) < today;

/**
 * Groups found events, ordered by start, by day: of a series only the next date, unless `isEveryDate`. Events that
 * began before `from` are listed on that day. Cancelled and past dates are separate entries.
 */
export function groupFound(
  events: readonly Event[],
  from: Day,
  series: ReadonlyMap<number, SeriesDates>,
  {
    isEveryDate = false,
    isApart = isLong,
    isOver = () => false,
  }: {
    readonly isEveryDate?: boolean;
    readonly isApart?: (event: Event) => boolean;
    readonly isOver?: (event: Event) => boolean;
  } = {},
): FoundGroups {
  const entries = entriesOf(
    events.filter((event) => !isApart(event)),
    (event) => (isCancelled(event) || isOver(event) ? undefined : series.get(event.id)),
  );
  const told = isEveryDate ? entries : firstOfSeries(entries);
  const days = Map.groupBy(told, ({ event: { start_date: start } }) => (start < from ? from : start.slice(0, 10)));
  return {
    long: events.filter(isApart).toSorted((one, other) => order(one.end_date, other.end_date)),
    days: [...days]
      .map(([day, group]) => ({ day, entries: group }))
      .toSorted((one, other) => order(one.day, other.day)),
  };
}

const entriesOf = (
  events: readonly Event[],
  seriesOf: (event: Event) => SeriesDates | undefined,
): readonly FoundEntry[] =>
  events.map((event) => {
    const dates = seriesOf(event);
    return dates ? { event, series: dates } : { event };
  });

function firstOfSeries(entries: readonly FoundEntry[]): readonly FoundEntry[] {
  const told = new Set<string>();
  return entries.filter(({ series }) => {
    const isTold = series !== undefined && told.has(series.key);
    if (series) told.add(series.key);
    return !isTold;
  });
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
