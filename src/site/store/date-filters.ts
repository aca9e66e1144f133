import { sql, type Sql } from '../../db/database.ts';
import { defaultEnd, defaultStart } from '../../contract/event.ts';
import type { ArgContext } from '../../contract/arg.ts';
import type { DateTime } from '../../contract/date-time.ts';
import type { HandlerContext } from '../context.ts';
import { wallIn } from './event-times.ts';
import { param, type LinkParams } from './page.ts';

/** The date filters of a list, as requested. */
export interface DatesAsked {
  readonly start_date?: DateTime;
  readonly end_date?: DateTime;
  readonly starts_before?: DateTime;
  readonly starts_after?: DateTime;
  readonly ends_before?: DateTime;
  readonly ends_after?: DateTime;
  readonly strict_dates: boolean;
}

// Filters compare with the wall clock in each event's own zone. Without `strict_dates` they mean the start or end of
// the day. All-day events end at its last second, so `before` then includes that second.
const FILTERS = [
  { name: 'start_date', column: 'start_wall', compare: '>=', time: '00:00:00' },
  { name: 'end_date', column: 'end_wall', compare: '<=', time: '23:59:59' },
  { name: 'starts_before', column: 'start_wall', compare: '<', time: '23:59:59' },
  { name: 'starts_after', column: 'start_wall', compare: '>', time: '23:59:59' },
  { name: 'ends_before', column: 'end_wall', compare: '<', time: '23:59:59' },
  { name: 'ends_after', column: 'end_wall', compare: '>', time: '23:59:59' },
] as const;
type Filter = (typeof FILTERS)[number];

const DEFAULTS: Partial<Record<Filter['name'], (clock: ArgContext) => string>> = {
  start_date: defaultStart,
  end_date: defaultEnd,
};

type Comparison = Filter['compare'];

/** A requested or default filter with the wall-clock time and the operator that it compares with. */
type Given = Omit<Filter, 'compare'> & { readonly compare: Comparison; readonly wall: string };

const comparisonOf = ({ compare }: Filter, { strict_dates }: DatesAsked): Comparison =>
  compare === '<' && !strict_dates ? '<=' : compare;

/**
 * Returns the SQL conditions of the date filters, and their values for links. Without any date, they cover two years
 * from today.
 */
export function dateConditions(
  asked: DatesAsked,
  ctx: HandlerContext,
): { readonly conditions: readonly Sql<boolean>[]; readonly params: LinkParams } {
  const given = FILTERS.flatMap((filter): readonly Given[] => {
    const wall = wallFor(filter, asked, ctx);
    return wall === undefined ? [] : [{ ...filter, compare: comparisonOf(filter, asked), wall }];
  });
  return {
    conditions: [
      ...given.map(
        ({ column, compare, wall }) => sql<boolean>`${sql.ref(column)} ${sql.raw(compare)} ${wall}::timestamp`,
      ),
      // By its own clock an event may end before it starts, because clocks are put back, but never by more than a day.
      // This condition keeps the number of rows examined small.
      ...given
        .filter(({ column, compare }) => column === 'end_wall' && compare !== '>')
        .map(({ wall }) => sql<boolean>`start_wall < ${wall}::timestamp + interval '1 day'`),
    ],
    params: [
      ...given.flatMap(({ name, wall }) => param(name, wall)),
      ...(asked.strict_dates ? param('strict_dates', 'true') : []),
    ],
  };
}

/**
 * The time with which a filter compares: the requested date, or its default if none of the other four was requested
 * either.
 */
function wallFor(
  { name, time }: Filter,
  asked: DatesAsked,
  { now, settings: { timezone, languages, namespace } }: HandlerContext,
): string | undefined {
  const date = asked[name];
  if (date !== undefined && asked.strict_dates) return wallIn(timezone, date) ?? date.wall;
  const wall =
    date?.wall ?? (hasOtherDates(asked) ? undefined : DEFAULTS[name]?.({ now, timezone, languages, namespace }));
  return wall === undefined ? undefined : atTime(wall, time);
}

const hasOtherDates = ({ starts_before, starts_after, ends_before, ends_after }: DatesAsked): boolean =>
  [starts_before, starts_after, ends_before, ends_after].some((date) => date !== undefined);

/** Replaces the time of day. */
const atTime = (wall: string, time: string): string => `${wall.slice(0, 10)} ${time}`;
