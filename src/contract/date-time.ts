import { instantFromWall, isWall, offsetAt, wallFromInstant } from '../time.ts';
import { rules, type Draft } from './date-time-rules.ts';

/** A point in time as written: wall-clock time (`2027-01-10 18:00:00`), and the offset if given. */
export interface DateTime {
  readonly wall: string;
  readonly offsetMinutes?: number;
}

/** What answers show as the publication time of something not yet published. */
export const NEVER = '0000-00-00 00:00:00';

/** The reference for relative words; `now` is in epoch milliseconds. */
export interface Clock {
  readonly now: number;
  readonly timezone: string;
}

const LENGTH_MAX = 100;
const TWO_DIGITS = 2;

/**
 * Parses a point in time as PHP's `strtotime` does: ISO, US and European dates, month names, `tomorrow 9am`, `next
 * friday`, `+2 days`, seconds since 1970. Undefined for anything else, or for a date that does not exist.
 */
export function dateTimeFromText(text: string, clock: Clock): DateTime | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LENGTH_MAX) return undefined;
  // A shortcut for the interface's own form, which nearly all texts have; the rules would give the same result.
  if (isWall(trimmed) && !trimmed.startsWith(YEAR_0)) return { wall: trimmed };
  const seconds = /^(?:@(-?\d{1,12})|(-?\d{9,12}))(?:\.\d+)?$/.exec(trimmed);
  if (seconds) return dateTimeFromSeconds(Number(seconds[1] ?? seconds[2]), clock);
  const draft = draftFrom(trimmed);
  return draft && dateTimeFromDraft(draft, clock);
}

const YEAR_0 = '0000';

/** Seconds since 1970 do not name a day, so the clock determines it. Undefined outside the years 1 to 9999. */
function dateTimeFromSeconds(seconds: number, { timezone }: Clock): DateTime | undefined {
  const at = seconds * 1000;
  const offsetMinutes = offsetAt(at, timezone);
  if (!isWritable(new Date(at)) || !isWritable(new Date(at + offsetMinutes * 60_000))) return undefined;
  return { wall: wallFromInstant(at, timezone), offsetMinutes };
}

const isWritable = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;

/** Applies the rules from left to right until nothing is left; undefined if none matches. */
function draftFrom(text: string): Draft | undefined {
  const draft: Draft = { steps: [] };
  let rest = text;
  while (rest !== '') {
    const taken = takenFrom(rest, draft);
    if (taken === undefined) return undefined;
    rest = rest.slice(taken).replace(/^[\s,]+/, '');
  }
  return draft;
}

/** How many characters the first matching rule has consumed; undefined if none matches. */
function takenFrom(text: string, draft: Draft): number | undefined {
  for (const { pattern, take } of rules) {
    const match = pattern.exec(text);
    if (match && take(match, draft)) return match[0].length;
  }
  return undefined;
}

function dateTimeFromDraft(draft: Draft, clock: Clock): DateTime | undefined {
  if (!namesTime(draft)) return undefined;
  const date = draft.date ?? today(clock);
  const time = draft.time ?? (draft.date || draft.midnight ? MIDNIGHT : timeNow(clock));
  const at = new Date(0);
  at.setUTCFullYear(date.year, date.month - 1, date.day);
  if (at.getUTCMonth() !== date.month - 1 || at.getUTCDate() !== date.day) return undefined;
  at.setUTCHours(time.hour, time.minute, time.second);
  for (const step of draft.steps) step(at);
  if (!isWritable(at)) return undefined;
  return withOffset(at, draft);
}

/** An offset or a zone alone is not a time. */
const namesTime = ({ date, time, midnight, steps }: Draft): boolean =>
  (date ?? time ?? midnight) !== undefined || steps.length > 0;

const MIDNIGHT: NonNullable<Draft['time']> = { hour: 0, minute: 0, second: 0 };

function today({ now, timezone }: Clock): NonNullable<Draft['date']> {
  const wall = wallFromInstant(now, timezone);
  return { year: Number(wall.slice(0, 4)), month: Number(wall.slice(5, 7)), day: Number(wall.slice(8, 10)) };
}

function timeNow({ now, timezone }: Clock): NonNullable<Draft['time']> {
  const wall = wallFromInstant(now, timezone);
  return { hour: Number(wall.slice(11, 13)), minute: Number(wall.slice(14, 16)), second: Number(wall.slice(17, 19)) };
}

function withOffset(at: Date, { offsetMinutes, zone }: Draft): DateTime {
  const wall = `${String(at.getUTCFullYear()).padStart(4, '0')}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())} ${at.toISOString().slice(11, 19)}`;
  if (zone !== undefined) return { wall, offsetMinutes: offsetAt(instantFromWall(wall, zone), zone) };
  return offsetMinutes === undefined ? { wall } : { wall, offsetMinutes };
}

const pad = (number: number): string => String(number).padStart(TWO_DIGITS, '0');
