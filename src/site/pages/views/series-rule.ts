import { DAY_MS, dayAfter, mondayOf, monthAfter } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';

/** When a series takes place, as people would say it. Weekdays count from Monday, which is 0. */
export type Rule =
  | { readonly kind: 'daily' }
  | { readonly kind: 'weekly'; readonly weekdays: readonly number[]; readonly weeks: number }
  /** On these weekdays, but not every week. */
  | { readonly kind: 'some-weeks'; readonly weekdays: readonly number[] }
  | { readonly kind: 'monthly-weekday'; readonly nth: Nth; readonly weekday: number }
  | { readonly kind: 'monthly-day'; readonly day: number };
/** Which of the equal weekdays in a month. */
export type Nth = 1 | 2 | 3 | 4 | 5 | 'last';

// Two dates do not make a rule.
const DATES_MIN = 3;
const EVERY_MAX = 4;
const SOME_WEEKDAYS_MAX = 2;
// Later days, whose years have five digits, would not sort as strings.
const LAST = '9000';
// The last day that every month has.
const COMMON_DAY_MAX = 28;

const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
export const weekdayOf = (day: Day): number => (new Date(msOf(day)).getUTCDay() + 6) % 7;
const dayOfMonth = (day: Day): number => Number(day.slice(8));

const weeksBetween = (one: Day, other: Day): number =>
  Math.round((msOf(mondayOf(other)) - msOf(mondayOf(one))) / (7 * DAY_MS));

/** Returns the rule that yields exactly these days from the first to the last; undefined if there is none. */
export function ruleOf(dates: readonly Day[]): Rule | undefined {
  const days = [...new Set(dates)].toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || days.length < DATES_MIN || last > LAST) return undefined;
  return candidates(days, first).find((rule) => isAll(rule, days, first)) ?? someWeeks(days, first, last);
}

/** Whether a rule yields exactly these days. Most wrong rules fail at the second day. */
function isAll(rule: Rule, days: readonly Day[], first: Day): boolean {
  let count = 0;
  for (const day of daysFrom(rule, first)) {
    if (day !== days[count]) return false;
    count += 1;
    if (count === days.length) break;
  }
  return true;
}

/** The possible rules, the simplest first. */
function candidates(days: readonly Day[], first: Day): readonly Rule[] {
  const weekdays = weekdaysOf(days);
  const [weekday = 0] = weekdays;
  const weekly = Array.from({ length: EVERY_MAX }, (_, index): Rule => ({
    kind: 'weekly',
    weekdays,
    weeks: index + 1,
  }));
  const nth = Math.ceil(dayOfMonth(first) / 7) as Exclude<Nth, 'last'>;
  const monthly: readonly Rule[] = [
    ...([nth, 'last'] as const).map((one): Rule => ({ kind: 'monthly-weekday', nth: one, weekday })),
    ...(dayOfMonth(first) <= COMMON_DAY_MAX ? [{ kind: 'monthly-day', day: dayOfMonth(first) } as const] : []),
  ];
  // "Every fourth week" and "the second Thursday of the month" may coincide for some time; people say the latter.
  return [{ kind: 'daily' }, ...weekly.slice(0, -1), ...monthly, ...weekly.slice(-1)];
}

const weekdaysOf = (days: readonly Day[]): readonly number[] =>
  [...new Set(days.map(weekdayOf))].toSorted((one, other) => one - other);

/** A weekly series with breaks, which takes place in more than half of its weeks. */
function someWeeks(days: readonly Day[], first: Day, last: Day): Rule | undefined {
  const weekdays = weekdaysOf(days);
  const weeks = weeksBetween(first, last) + 1;
  return weekdays.length <= SOME_WEEKDAYS_MAX && days.length * 2 > weeks * weekdays.length
    ? { kind: 'some-weeks', weekdays }
    : undefined;
}

/** Yields the days of a rule from its first one on, without end. */
export function* daysFrom(rule: Rule, first: Day): Generator<Day> {
  const days = rule.kind.startsWith('monthly') ? monthlyDays(rule, first) : weeklyDays(rule, first);
  for (const day of days) if (day >= first) yield day;
}

function* weeklyDays(rule: Rule, first: Day): Generator<Day> {
  const weekdays = 'weekdays' in rule ? rule.weekdays : [0, 1, 2, 3, 4, 5, 6];
  const weeks = rule.kind === 'weekly' ? rule.weeks : 1;
  for (let monday = mondayOf(first); ; monday = dayAfter(monday, 7 * weeks))
    for (const weekday of weekdays) yield dayAfter(monday, weekday);
}

function* monthlyDays(rule: Rule, first: Day): Generator<Day> {
  for (let month = first.slice(0, 7); ; month = monthAfter(month, 1)) {
    const day = dayIn(rule, month);
    // Not every month has a fifth Sunday.
    if (day?.startsWith(month)) yield day;
  }
}

function dayIn(rule: Rule, month: string): Day | undefined {
  if (rule.kind === 'monthly-day') return `${month}-${String(rule.day).padStart(2, '0')}`;
  if (rule.kind !== 'monthly-weekday') return undefined;
  const { nth, weekday } = rule;
  const start = nth === 'last' ? dayAfter(`${monthAfter(month, 1)}-01`, -7) : `${month}-01`;
  const one = dayAfter(start, (weekday - weekdayOf(start) + 7) % 7);
  return nth === 'last' ? one : dayAfter(one, 7 * (nth - 1));
}
