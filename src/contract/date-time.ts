import { instantFromWall, offsetAt, wallFromInstant } from '../time.ts';
import { rules, type Draft } from './date-time-rules.ts';

/** A point in time as written: wall-clock time (`2027-01-10 18:00:00`), and the offset if given. */
export interface DateTime {
  readonly wall: string;
  readonly offsetMinutes?: number;
}

/** What relative words are relative to; `now` in epoch milliseconds. */
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
  const seconds = /^(?:@(-?\d{1,12})|(-?\d{9,12}))(?:\.\d+)?$/.exec(trimmed);
  if (seconds) return dateTimeFromSeconds(Number(seconds[1] ?? seconds[2]));
  const draft = draftFrom(trimmed);
  return draft && dateTimeFromDraft(draft, clock);
}

/** Seconds since 1970 are an instant, written in UTC; undefined beyond the years 1 to 9999. */
function dateTimeFromSeconds(seconds: number): DateTime | undefined {
  const at = new Date(seconds * 1000);
  return isWritable(at) ? { wall: wallFromInstant(at.getTime(), 'UTC'), offsetMinutes: 0 } : undefined;
}

const isWritable = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;

/** Applies the rules from left to right until nothing is left; undefined if none fits. */
function draftFrom(text: string): Draft | undefined {
  const draft: Draft = { steps: [] };
  let rest = text;
  while (rest !== '') {
    const fitting = rules
      .map((rule) => ({ rule, match: rule.pattern.exec(rest) }))
      .find(({ rule, match }) => match && rule.take(match, draft));
    if (!fitting?.match) return undefined;
    rest = rest.slice(fitting.match[0].length).replace(/^[\s,]+/, '');
  }
  return draft;
}

function dateTimeFromDraft(draft: Draft, clock: Clock): DateTime | undefined {
  const now = wallFromInstant(clock.now, clock.timezone);
  const date = draft.date ?? {
    year: Number(now.slice(0, 4)),
    month: Number(now.slice(5, 7)),
    day: Number(now.slice(8, 10)),
  };
  const time =
    draft.time ??
    (draft.date || draft.midnight
      ? { hour: 0, minute: 0, second: 0 }
      : { hour: Number(now.slice(11, 13)), minute: Number(now.slice(14, 16)), second: Number(now.slice(17, 19)) });
  const at = new Date(0);
  at.setUTCFullYear(date.year, date.month - 1, date.day);
  if (at.getUTCMonth() !== date.month - 1 || at.getUTCDate() !== date.day) return undefined;
  at.setUTCHours(time.hour, time.minute, time.second);
  for (const step of draft.steps) step(at);
  if (!isWritable(at)) return undefined;
  return withOffset(at, draft);
}

function withOffset(at: Date, { offsetMinutes, zone }: Draft): DateTime {
  const wall = `${String(at.getUTCFullYear()).padStart(4, '0')}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())} ${at.toISOString().slice(11, 19)}`;
  if (zone !== undefined) return { wall, offsetMinutes: offsetAt(instantFromWall(wall, zone), zone) };
  return offsetMinutes === undefined ? { wall } : { wall, offsetMinutes };
}

const pad = (number: number): string => String(number).padStart(TWO_DIGITS, '0');
