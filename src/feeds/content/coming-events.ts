import type { CalendarContent, CalendarTime, PublishedEvent } from '../../ical/write/write-event.ts';
import { DAY_MS, dayAfter, instantFromWall, wallFromInstant } from '../../time.ts';
import { asRead, zoneMark } from './calendar-times.ts';

/** What a page shows of an event. */
export interface ComingEvent {
  readonly title: string;
  readonly start: CalendarTime;
  /** Epoch milliseconds; days begin and end at midnight on the site. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** The day on which it ends, by the same clock. */
  readonly lastDay: string;
  /** What follows its time: " EST" by a clock other than the site's, or ''. */
  readonly mark: string;
  readonly location?: string;
  readonly url?: string;
  readonly isCancelled: boolean;
}

const KEPT_MAX = 40;

const instantOf = (time: CalendarTime, timezone: string): number =>
  time.kind === 'date' ? instantFromWall(`${time.day} 00:00:00`, timezone) : time.at;

/**
 * Adds to the first events that are not over at a given time, with some in reserve for later. `timezone` is the site's.
 */
export function addComing(
  coming: readonly ComingEvent[],
  events: readonly PublishedEvent[],
  now: number,
  timezone: string,
): readonly ComingEvent[] {
  const more = events
    .map(({ content }): ComingEvent => {
      const start = asRead(content.start, timezone);
      return {
        title: content.title,
        start,
        mark: zoneMark(start, timezone),
        startsAt: instantOf(start, timezone),
        endsAt: instantOf(content.end ?? content.start, timezone),
        lastDay: lastDayOf(content, timezone),
        isCancelled: content.status === 'CANCELLED',
        ...(content.location ? { location: content.location } : {}),
        ...(content.url ? { url: content.url } : {}),
      };
    })
    .filter(({ endsAt }) => endsAt >= now);
  return more.length === 0
    ? coming
    : [...coming, ...more].toSorted((a, b) => a.startsAt - b.startsAt).slice(0, KEPT_MAX);
}

/** An end is exclusive: what ends at midnight ends on the day before. */
function lastDayOf({ start, end }: Pick<CalendarContent, 'start' | 'end'>, timezone: string): string {
  if (!end) return digitsOf(asRead(start, timezone)).slice(0, 10);
  if (end.kind === 'date') return dayAfter(end.day, -1);
  return wallFromInstant(end.at - 1, end.kind === 'zoned' ? end.zone : timezone).slice(0, 10);
}

/** The day or wall-clock time as digits. */
function digitsOf(time: CalendarTime): string {
  if (time.kind === 'date') return time.day;
  return time.kind === 'zoned' ? time.wall : new Date(time.at).toISOString().replace('T', ' ');
}

/** "Sun, 10 Jan 2027, 18:00", with its mark. */
export function startInWords({ start: time, mark }: Pick<ComingEvent, 'start' | 'mark'>, locale: string): string {
  const digits = digitsOf(time);
  const day = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(`${digits.slice(0, 10)}T00:00:00Z`));
  return time.kind === 'date' ? day : `${day}, ${digits.slice(11, 16)}${mark}`;
}

const LONG_MS = 300 * DAY_MS;

/** "10 Jan", with the year if that is far off; and "18:00" with its mark, or the weekday. */
export function startParts(
  { start, mark }: Pick<ComingEvent, 'start' | 'mark'>,
  locale: string,
  now: number,
): { readonly day: string; readonly time: string } {
  const digits = digitsOf(start);
  const midnight = Date.parse(`${digits.slice(0, 10)}T00:00:00Z`);
  const inWords = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(midnight);
  const isFar = Math.abs(midnight - now) > LONG_MS;
  const clock = `${digits.slice(11, 16)}${mark}`;
  return {
    day: inWords({ day: 'numeric', month: 'short', ...(isFar && { year: 'numeric' }) }),
    time: start.kind === 'date' ? inWords({ weekday: 'short' }) : clock,
  };
}
