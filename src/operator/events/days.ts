import { monthName, weekdayOf } from '../../sync/review/days.ts';
import { isDay } from '../../time.ts';
import type { EventTimes } from '../frame/times.ts';

/** A calendar day, `2027-01-10`. */
export type Day = string;
/** `2027-01` */
export type Month = string;

const dateOf = (day: Day): string => `${Number(day.slice(8))} ${monthName(day)}`;

const IN_WORDS = {
  /** "March 2027" */
  month: (day: Day) => `${monthName(day)} ${day.slice(0, 4)}`,
  /** "March" */
  monthAlone: monthName,
  /** "Wednesday 3 March 2027" */
  day: (day: Day) => `${weekdayOf(day)} ${dateOf(day)} ${day.slice(0, 4)}`,
  /** "Wed 3 March" */
  shortDay: (day: Day) => `${weekdayOf(day).slice(0, 3)} ${dateOf(day)}`,
  /** "Wed" */
  weekday: (day: Day) => weekdayOf(day).slice(0, 3),
  longWeekday: weekdayOf,
} as const;

/** A calendar day in words; other text is returned unchanged. */
export const dayIn = (form: keyof typeof IN_WORDS, day: Day): string => (isDay(day) ? IN_WORDS[form](day) : day);

/** When an event takes place: "Wednesday 3 March 2027, 16:00 to 16:45". `marks` follow the times. */
export function timesInWords(
  { start, end, allDay }: EventTimes,
  marks: readonly [start: string, end: string] = ['', ''],
): string {
  const [atStart, atEnd] = marks;
  const [startDay, endDay] = [start.slice(0, 10), end.slice(0, 10)];
  const [from, to] = [start.slice(11, 16), end.slice(11, 16)];
  const first = dayIn('day', startDay);
  if (allDay) return startDay === endDay ? first : `${first} to ${dayIn('day', endDay)}`;
  if (startDay === endDay) return `${first}, ${from === to ? '' : `${from}${atStart} to `}${to}${atEnd}`;
  return `${first}, ${from}${atStart} to ${dayIn('day', endDay)}, ${to}${atEnd}`;
}
