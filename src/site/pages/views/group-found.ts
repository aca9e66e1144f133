import type { Event } from '../../../contract/representation.ts';
import { DAY_MS } from '../../../time.ts';
import type { SeriesDates } from '../../store/series-dates.ts';
import type { Day } from '../frame/dates.ts';

/** An event as a list tells it; with the series of which it is the next date. */
export interface FoundEntry {
  readonly event: Event;
  readonly series?: SeriesDates;
}
export interface FoundDay {
  readonly day: Day;
  readonly entries: readonly FoundEntry[];
}
/** What was found, in the order in which it is told. */
export interface FoundGroups {
  /** What is on for more than a week, that which ends first at the beginning. */
  readonly long: readonly Event[];
  readonly days: readonly FoundDay[];
}

const LONG_MS = 7 * DAY_MS;
const msOf = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`);

/** Whether an event is on for more than a week, so that no single day is its own. */
export const isLong = ({ start_date, end_date }: Event): boolean => msOf(end_date) - msOf(start_date) > LONG_MS;

// As 061-spanning-events has it.
const MORNING_MS = 6 * 3_600_000 + 1_000;

/** A night out that ends by six in the morning is on its evening only. */
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
 * Found events, in the order of their start, by day: of a series only its next date, unless `isEveryDate`. What began
 * before `from` stands under that day. A date that is cancelled or over stands by itself.
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
