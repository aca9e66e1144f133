import type { CalendarTime, PublishedEvent } from '../ical/write-event.ts';

/** What a page shows of an event. */
export interface ComingEvent { readonly title: string; readonly start: CalendarTime; readonly endsAt: number; readonly location?: string; readonly url?: string; readonly isCancelled: boolean }

const KEPT_MAX = 40;

export const instantOf = (time: CalendarTime): number => (time.kind === 'date' ? Date.parse(`${time.day}T00:00:00Z`) : time.at);

/** The first events that are not over at a time, with some to spare for later. */
export function addComing(coming: readonly ComingEvent[], events: readonly PublishedEvent[], now: number): readonly ComingEvent[] {
  const more = events.map(({ content }): ComingEvent => ({
    title: content.title, start: content.start, endsAt: instantOf(content.end ?? content.start), isCancelled: content.status === 'CANCELLED',
    ...(content.location ? { location: content.location } : {}), ...(content.url ? { url: content.url } : {}),
  })).filter(({ endsAt }) => endsAt >= now);
  return more.length === 0 ? coming : [...coming, ...more].toSorted((a, b) => instantOf(a.start) - instantOf(b.start)).slice(0, KEPT_MAX);
}

/** "Sun 10 Jan 2027, 18:00". */
export function startInWords(time: CalendarTime): string {
  const digits = time.kind === 'date' ? time.day : time.kind === 'zoned' ? time.wall : new Date(time.at).toISOString().replace('T', ' ');
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${digits.slice(0, 10)}T00:00:00Z`));
  return time.kind === 'date' ? day : `${day}, ${digits.slice(11, 16)}${time.kind === 'utc' ? ' UTC' : ''}`;
}
