import { isMoved, WEEKDAYS, type RecurrenceRule } from './recurrence-rule.ts';
import { dayOf, type WallMs } from '../read/time-value.ts';
import { DAY_MS } from '../../time.ts';

/**
 * Whether a rule needs `yearlyStarts`: for the day parts of a YEARLY rule, rrule-temporal takes the union, although RFC
 * 5545 (3.3.10, note 2) requires the intersection; and it looks for a year's 53rd weekday in the next year if the year
 * has only 52.
 */
export function needsYearlyStarts({ parts }: RecurrenceRule): boolean {
  if (parts.get('FREQ') !== 'YEARLY' || isMoved(parts)) return false;
  const isNumbered = !parts.has('BYMONTH') && /\d/.test(parts.get('BYDAY') ?? '');
  return isNumbered || parts.has('BYWEEKNO') || DAY_PARTS.filter((name) => parts.has(name)).length > 1;
}

const DAY_PARTS = ['BYMONTHDAY', 'BYYEARDAY', 'BYDAY'];

/**
 * The starts of a YEARLY rule from `from` to `to`, both inclusive, in order. A day counts if all parts of the rule
 * select it. Starts before `from` count towards COUNT.
 */
export function* yearlyStarts(
  { parts, count }: RecurrenceRule,
  dtstart: WallMs,
  from: WallMs,
  to: WallMs,
): Generator<WallMs> {
  const days = daySelector(parts);
  const times = timesOfDay(parts, dtstart);
  const positions = numbers(parts, 'BYSETPOS');
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const yearOf = days.yearOf(dayOf(dtstart));
  const firstYear =
    count === null
      ? yearOf + Math.max(0, Math.floor((days.yearOf(dayOf(from)) - yearOf) / interval) * interval)
      : yearOf;
  let left = count ?? Infinity;
  for (let year = firstYear; Date.UTC(year, 0, -7) <= to && left > 0; year += interval) {
    for (const start of atPositions(
      days.within(year).flatMap((day) => times.map((time) => day + time)),
      positions,
    )) {
      if (start < dtstart || left <= 0) continue;
      left -= 1;
      if (start >= from && start <= to) yield start;
    }
  }
}

const numbers = (parts: ReadonlyMap<string, string>, name: string): readonly number[] =>
  parts.get(name)?.split(',').map(Number) ?? [];

interface DaySelector {
  readonly yearOf: (day: WallMs) => number;
  readonly within: (year: number) => WallMs[];
}

/** BYWEEKNO uses the week-numbering year, which begins up to three days before or after 1 January. */
function daySelector(parts: ReadonlyMap<string, string>): DaySelector {
  const weekStart = Math.max(0, WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO'));
  const yearStart = parts.has('BYWEEKNO')
    ? (year: number): WallMs => firstWeekOf(year, weekStart)
    : (year: number): WallMs => Date.UTC(year, 0, 1);
  const weeks = numbers(parts, 'BYWEEKNO');
  const isWanted = dayTest(parts);
  return {
    yearOf(day) {
      const year = new Date(day).getUTCFullYear();
      return [year + 1, year, year - 1].find((candidate) => yearStart(candidate) <= day) ?? year;
    },
    within(year) {
      const [first, next] = [yearStart(year), yearStart(year + 1)];
      const weeksInYear = (next - first) / DAY_MS / 7;
      const found: WallMs[] = [];
      for (let day = first; day < next; day += DAY_MS) {
        const week = Math.floor((day - first) / DAY_MS / 7) + 1;
        if ((weeks.length === 0 || weeks.includes(week) || weeks.includes(week - weeksInYear - 1)) && isWanted(day))
          found.push(day);
      }
      return found;
    },
  };
}

/** Week 1 is the first with at least four days in the year. */
function firstWeekOf(year: number, weekStart: number): WallMs {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() - weekStart + 7) % 7) * DAY_MS;
}

function dayTest(parts: ReadonlyMap<string, string>): (day: WallMs) => boolean {
  const [months, monthDays, yearDays] = [
    numbers(parts, 'BYMONTH'),
    numbers(parts, 'BYMONTHDAY'),
    numbers(parts, 'BYYEARDAY'),
  ];
  const weekdays =
    parts
      .get('BYDAY')
      ?.split(',')
      .map((text) => ({ ordinal: Number.parseInt(text, 10) || 0, name: text.slice(-2) })) ?? [];
  return (day) => {
    const date = new Date(day);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    if (months.length > 0 && !months.includes(month + 1)) return false;
    if (
      monthDays.length > 0 &&
      !isListed(monthDays, day, Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1), DAY_MS)
    )
      return false;
    if (yearDays.length > 0 && !isListed(yearDays, day, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1), DAY_MS))
      return false;
    // An ordinal counts within the month if months are given, else within the year.
    const [first, next] =
      months.length > 0
        ? [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)]
        : [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
    return (
      weekdays.length === 0 ||
      weekdays.some(
        ({ ordinal, name }) =>
          name === WEEKDAYS[date.getUTCDay()] && (ordinal === 0 || isListed([ordinal], day, first, next, 7 * DAY_MS)),
      )
    );
  };
}

/** Whether the day is the n-th of a span, counting in steps from its start, or from its end for negative numbers. */
const isListed = (listed: readonly number[], day: WallMs, first: WallMs, next: WallMs, step: number): boolean =>
  listed.includes(Math.floor((day - first) / step) + 1) || listed.includes(-Math.ceil((next - day) / step));

function timesOfDay(parts: ReadonlyMap<string, string>, dtstart: WallMs): number[] {
  const date = new Date(dtstart);
  const valuesOf = (name: string, own: number): readonly number[] => (parts.has(name) ? numbers(parts, name) : [own]);
  return valuesOf('BYHOUR', date.getUTCHours())
    .flatMap((hour) =>
      valuesOf('BYMINUTE', date.getUTCMinutes()).flatMap((minute) =>
        valuesOf('BYSECOND', date.getUTCSeconds()).map((second) => ((hour * 60 + minute) * 60 + second) * 1000),
      ),
    )
    .toSorted((a, b) => a - b);
}

const atPositions = (starts: readonly WallMs[], positions: readonly number[]): readonly WallMs[] =>
  positions.length === 0
    ? starts
    : starts.filter((_, index) => positions.includes(index + 1) || positions.includes(index - starts.length));
