import { dateFromText, namesMonth, plainDate, type DateOrder, type ReadDate } from './read-date.ts';
import { timeFromText, timesFromText, UNTIL } from './read-time.ts';
import { DAY_MS, dayAfter } from '../time.ts';

const LENGTH_MAX = 100;
/** Longer spans are not what a person meant. */
const DAYS_MAX = 366;
const LEAD = /^(?:vom|von|from|du|od|del|dal|van|с|з|із|από|de la)\s+(?=\p{L}|\d)/iu;
const BETWEEN = new RegExp(String.raw`\s*[-–—/→~〜～]\s*|\s+(?:${UNTIL}|bis zum|through|tot en met)\s+`, 'giu');

/**
 * The first and the last day of `3.–5. Februar 2027`, `Feb 3-5, 2027` or `2027-02-03/2027-02-05`, with any times; null
 * for anything else. What one end leaves out (its month, its year) is taken from the other.
 */
export function spanFromText(text: string, order: DateOrder | null): readonly [ReadDate, ReadDate] | null {
  if (text.length > LENGTH_MAX) return null;
  const plain = plainDate(text).replace(LEAD, '');
  const times = onOneDay(plain, order);
  if (times) return times;
  for (const { index, 0: between } of plain.matchAll(BETWEEN)) {
    const span = endsOf(plain.slice(0, index), plain.slice(index + between.length), order);
    if (span) return span;
  }
  return null;
}

function endsOf(one: string, other: string, order: DateOrder | null): readonly [ReadDate, ReadDate] | null {
  const start = dateFromText(one, order);
  const clock = timeFromText(other);
  if (start && start.time !== null && clock !== null) return untilTime(start, start.time, clock);
  const last = dateFromText(other, order)
    ? other
    : firstDate(
        beginnings(one).map((part) => [part, other]),
        order,
      );
  if (last === null) return null;
  // A word after the number names the month, in whatever language, so that only the year is missing.
  const isOfMonth = /\d\P{L}*\p{L}/u.test(one);
  const completed = (): string | null =>
    firstDate(
      endings(last).flatMap((part) => (isOfMonth && namesMonth(part) ? [] : [[one, part] as const])),
      order,
    );
  const from = start ?? dateFromText(completed() ?? '', order);
  const to = dateFromText(last, order);
  if (!from || !to) return null;
  // A bare number is a day; before "12/15/2026" it is not a month.
  const isNoDay = /^\d{1,2}$/.test(one) && from.day !== `${to.day.slice(0, 8)}${one.padStart(2, '0')}`;
  return isNoDay ? null : spanOf(from, to, start === null);
}

/** Checks a span. In `20.12.–6.1.2027`, a year that was left out may be the one before. */
function spanOf(from: ReadDate, to: ReadDate, isCompleted: boolean): readonly [ReadDate, ReadDate] | null {
  if (isSpan(from, to, DAYS_MAX)) return [from, to];
  const before = { ...from, day: aYearBefore(from.day) };
  return isCompleted && isSpan(before, to, DAYS_MAX / 2) ? [before, to] : null;
}

const aYearBefore = (day: string): string => `${String(Number(day.slice(0, 4)) - 1)}${day.slice(4)}`;

/** Reads a day with two times: `1.2.2027 19:00 – 22:00`, `Feb 1, 2027, from 7 to 10 pm`. */
function onOneDay(text: string, order: DateOrder | null): readonly [ReadDate, ReadDate] | null {
  for (const { index, 0: sign } of text.matchAll(BEFORE_TIMES)) {
    const day = dateFromText(text.slice(0, index), order);
    const times = day?.time === null ? timesFromText(text.slice(index + sign.length)) : null;
    if (!day || !times) continue;
    return untilTime(day, ...times);
  }
  return null;
}

const untilTime = (day: ReadDate, time: string, end: string): readonly [ReadDate, ReadDate] => [
  { ...day, time },
  { ...day, day: end < time ? dayAfter(day.day) : day.day, time: end },
];

const BEFORE_TIMES = /[,;:|]?\s+(?:(?:at|um|à|om|@|[-–—|/])\s+)?/giu;

/** The first of the pairs that join to a date, without joining two numbers or words into one. */
const firstDate = (pairs: readonly (readonly [string, string])[], order: DateOrder | null): string | null =>
  pairs
    .filter(([one, other]) => !ONE_OF_TWO.test(one.slice(-1) + other.slice(0, 1)))
    .map((pair) => pair.join(''))
    .find((each) => dateFromText(each, order) !== null) ?? null;

const ONE_OF_TWO = /^(?:\d\d|\p{L}\p{L})$/u;

/** The ends of a date: `.02.2027`, `02.2027`, `.2027`, `2027`. */
const endings = (date: string): readonly string[] => cutsOf(date).map((at) => date.slice(at));
/** The beginnings of a date, the longest first. */
const beginnings = (date: string): readonly string[] =>
  cutsOf(date)
    .map((at) => date.slice(0, at))
    .toReversed();

/** The positions before and after each separator in a date. */
const cutsOf = (date: string): readonly number[] =>
  [...date.matchAll(/[.,/\s-]+/g)].flatMap(({ index, 0: signs }) => [index, index + signs.length]);

function isSpan(from: ReadDate, to: ReadDate, most: number): boolean {
  const days = (Date.parse(to.day) - Date.parse(from.day)) / DAY_MS;
  return days >= 0 && days <= most;
}
