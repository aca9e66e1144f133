import { clockName } from '../../../contract/event-zone.ts';
import type { Event } from '../../../contract/representation.ts';
import { clockMark, marksOfSpan } from '../../../time.ts';
import type { Frame } from './layout.ts';

/** `2027-01-10 18:00:00` → `2027-01-10T18:00:00Z` */
export const isoUtc = (date: string): string => `${date.replace(' ', 'T')}Z`;

/**
 * The zone name to add to an event's time, such as " EST" or " CEST", if the site's clock shows another time then, or
 * shows this time twice; otherwise ''.
 */
export function zoneMark({ settings }: Frame, event: Event, side: 'start' | 'end'): string {
  const { timezone } = event;
  const at = Date.parse(isoUtc(event[`utc_${side}_date`]));
  return clockMark(event[`${side}_date`], at, settings.timezone, clockName(timezone, at));
}

/** The zone names to add to the first and last time of an event, between which clocks may change. */
export const zoneMarks = (frame: Frame, event: Event): readonly [start: string, end: string] =>
  marksOfSpan(zoneMark(frame, event, 'start'), zoneMark(frame, event, 'end'));

/** When an event begins: "18:00", or "20:00 EST" if its clock differs from the site's. */
export const startTime = (frame: Frame, event: Event): string =>
  `${event.start_date.slice(11, 16)}${zoneMark(frame, event, 'start')}`;
