import { clockName } from '../../../contract/event-zone.ts';
import type { Event } from '../../../contract/representation.ts';
import { clockMark, marksOfSpan } from '../../../time.ts';
import type { Frame } from './layout.ts';

/** `2027-01-10 18:00:00` → `2027-01-10T18:00:00Z` */
export const isoUtc = (date: string): string => `${date.replace(' ', 'T')}Z`;

/**
 * What stands behind a time of an event whose clock does not show what that of the site shows then, or that comes twice
 * there: " EST", " CEST"; or ''.
 */
export function zoneMark({ settings }: Frame, event: Event, side: 'start' | 'end'): string {
  const { timezone } = event;
  const at = Date.parse(isoUtc(event[`utc_${side}_date`]));
  return clockMark(event[`${side}_date`], at, settings.timezone, clockName(timezone, at));
}

/** What stands behind the first and behind the last time of an event: the clocks may change between them. */
export const zoneMarks = (frame: Frame, event: Event): readonly [start: string, end: string] =>
  marksOfSpan(zoneMark(frame, event, 'start'), zoneMark(frame, event, 'end'));

/** When an event begins: "18:00", or "20:00 EST" by a clock that is not the site's. */
export const startTime = (frame: Frame, event: Event): string =>
  `${event.start_date.slice(11, 16)}${zoneMark(frame, event, 'start')}`;
