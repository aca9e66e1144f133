import { DAY_MS, type Wall } from '../../time.ts';

/** The day of a wall-clock time: `2027-03-06`. */
export const dayOf = (wall: Wall): string => wall.slice(0, 10);

/** The month of a wall-clock time: `2027-03`. */
export const monthOf = (wall: Wall): string => wall.slice(0, 7);

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The weekday of a day. */
export const weekdayOf = (day: string): Weekday =>
  WEEKDAYS[new Date(Date.parse(`${day}T00:00:00Z`)).getUTCDay()] ?? 'Sunday';

/** The month of a day, or of a month: "March". */
export const monthName = (day: string): string => MONTHS[Number(day.slice(5, 7)) - 1] ?? '';

/** A day farther away than this is given with its year. */
const YEAR_DAYS = 300;

/** "6 March", or "6 March 2028" if it is far from `today`. */
export function dayInWords(day: string, today: string): string {
  const [year = '', , date] = day.split('-');
  return `${Number(date)} ${monthName(day)}${isFar(day, today) ? ` ${year}` : ''}`;
}

/** "March", or "March 2028". */
export function monthInWords(month: string, today: string): string {
  const [year = ''] = month.split('-');
  return `${monthName(month)}${isFar(`${month}-15`, today) ? ` ${year}` : ''}`;
}

/** "Mar", for calendar sheets. */
export const shortMonth = (month: string): string => monthName(month).slice(0, 3);

const isFar = (day: string, today: string): boolean => Math.abs(daysBetween(today, day)) > YEAR_DAYS;

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
