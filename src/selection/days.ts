import { dayAfter, isDay } from '../time.ts';

/** A calendar day, `2027-01-10`. */
type Day = string;

/** Shortcuts to days, by their words in addresses. */
export const SHORTCUTS = ['today', 'tomorrow', 'weekend', 'seven-days', 'next-week'] as const;
export type Shortcut = (typeof SHORTCUTS)[number];
/** A shortcut or a day; '' for everything from now on. */
export type When = Shortcut | Day | '';

export const isShortcut = (text: string): text is Shortcut => SHORTCUTS.some((shortcut) => shortcut === text);
export const isWhen = (text: string): text is When => text === '' || isShortcut(text) || isDay(text);

/** A range of days, open-ended if there is no `last`. */
export interface Days {
  readonly first: Day;
  readonly last?: Day;
}

const SATURDAY = 6;
const SUNDAY = 7;
/** 1 for Monday to 7 for Sunday. */
const weekdayNumber = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || SUNDAY;

const SPANS: Readonly<Record<Shortcut, (today: Day, weekday: number) => Required<Days>>> = {
  today: (today) => ({ first: today, last: today }),
  tomorrow: (today) => ({ first: dayAfter(today), last: dayAfter(today) }),
  // What remains of the current weekend or, before it begins, the next one.
  weekend: (today, weekday) => ({
    first: dayAfter(today, Math.max(0, SATURDAY - weekday)),
    last: dayAfter(today, SUNDAY - weekday),
  }),
  'seven-days': (today) => ({ first: today, last: dayAfter(today, 6) }),
  'next-week': (today, weekday) => ({
    first: dayAfter(today, SUNDAY - weekday + 1),
    last: dayAfter(today, 2 * SUNDAY - weekday),
  }),
};

/** The days that a choice stands for, given the site's current day. */
export function daysOf({ when, from }: { readonly when: When; readonly from: Day | '' }, today: Day): Days {
  if (isShortcut(when)) return SPANS[when](today, weekdayNumber(today));
  return when === '' ? { first: from === '' ? today : from } : { first: when, last: when };
}

/**
 * Whether an event takes place during some days, by its own clock: it starts before they end, and is not over when they
 * begin.
 */
export function isOn(
  { start_date: start, end_date: end }: { readonly start_date: string; readonly end_date: string },
  { first, last }: Days,
): boolean {
  const [begin, startDay] = [`${first} 00:00:00`, start.slice(0, 10)];
  return (last === undefined || startDay <= last) && (end > begin || startDay >= first);
}
