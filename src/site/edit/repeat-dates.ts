import { dayAfter, isDay, monthAfter } from '../../time.ts';

/** The rhythms in which an event can be repeated. */
export const RHYTHMS = ['week', 'fortnight', 'month', 'monthWeekday'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** The most dates made in one go; at one a week, a year's worth. */
export const REPEATS_MAX = 53;

/** The days after `first` on which an event is repeated, up to `until`. `isCut`: there would be more. */
export function repeatDays(
  first: string,
  rhythm: Rhythm,
  until: string,
): { readonly days: readonly string[]; readonly isCut: boolean } {
  const days: string[] = [];
  if (!isDay(first) || !isDay(until)) return { days, isCut: false };
  for (let step = 1; step <= STEPS_MAX; step += 1) {
    const day = DAY_OF[rhythm](first, step);
    if (day === undefined) continue;
    if (day > until) return { days, isCut: false };
    if (days.length === REPEATS_MAX) return { days, isCut: true };
    days.push(day);
  }
  return { days, isCut: true };
}

// Some months lack the day; this many steps suffice for the most dates.
const STEPS_MAX = 3 * REPEATS_MAX;

/** The day after a number of steps; undefined if its month has no such day. */
const DAY_OF: Readonly<Record<Rhythm, (first: string, step: number) => string | undefined>> = {
  week: (first, step) => dayAfter(first, 7 * step),
  fortnight: (first, step) => dayAfter(first, 14 * step),
  month: (first, step) => inMonth(monthAfter(first.slice(0, 7), step), Number(first.slice(8, 10))),
  monthWeekday: (first, step) => {
    const month = monthAfter(first.slice(0, 7), step);
    const nth = Math.floor((Number(first.slice(8, 10)) - 1) / 7);
    const weekdayOfFirst = weekdayOf(`${month}-01`);
    return inMonth(month, 1 + ((weekdayOf(first) - weekdayOfFirst + 7) % 7) + 7 * nth);
  },
};

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

function inMonth(month: string, number: number): string | undefined {
  const day = `${month}-${String(number).padStart(2, '0')}`;
  return isDay(day) ? day : undefined;
}

/** The number of days between two dates. */
export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000);
