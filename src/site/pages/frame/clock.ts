import type { Event } from '../../../contract/representation.ts';
import { clockMark } from '../../../time.ts';
import type { Frame } from './layout.ts';

/** `2027-01-10 18:00:00` → `2027-01-10T18:00:00Z` */
export const isoUtc = (date: string): string => `${date.replace(' ', 'T')}Z`;

/** What stands behind the times of an event whose clock does not show what that of the site shows then: " EST"; or ''. */
export function zoneMark({ settings }: Frame, event: Event): string {
  const { timezone, timezone_abbr, start_date, utc_start_date } = event;
  if (timezone === settings.timezone) return '';
  return clockMark(start_date, Date.parse(isoUtc(utc_start_date)), settings.timezone, timezone_abbr);
}

/** When an event begins: "18:00", or "20:00 EST" by a clock that is not the site's. */
export const startTime = (frame: Frame, event: Event): string =>
  `${event.start_date.slice(11, 16)}${zoneMark(frame, event)}`;
