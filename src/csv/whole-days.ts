import { dayAfter } from '../time.ts';
import type { RowTimes } from './row-times.ts';

interface Timed {
  readonly times: RowTimes;
  readonly occurrence: string | null;
  readonly rule: string | null;
  readonly text: (field: 'end_date') => string | undefined;
}

/**
 * Makes events from midnight to midnight all-day in a file without a column for all-day events, as Eventbrite exports
 * them. Their end is the midnight after the last day; but if a row in the file starts and ends at the same midnight,
 * ends are on the last day.
 */
export function withWholeDays<T extends Timed>(events: readonly T[]): readonly T[] {
  const wholeDays = new Set(events.filter(isFromMidnightToMidnight));
  const namesLastDay = [...wholeDays].some(({ times: { startDay, endDay } }) => startDay === endDay);
  return events.map((event) => (wholeDays.has(event) ? { ...event, times: asDays(event.times, namesLastDay) } : event));
}

/**
 * Both times are midnight and the end is given, without an offset from UTC. A row for a series keeps its times, which
 * are part of its identity.
 */
const isFromMidnightToMidnight = ({ times, occurrence, rule, text }: Timed): boolean =>
  !times.allDay &&
  times.startTime === MIDNIGHT &&
  times.endTime === MIDNIGHT &&
  times.startOffset === null &&
  times.endOffset === null &&
  occurrence === null &&
  rule === null &&
  (text('end_date') ?? '') !== '';

const MIDNIGHT = '00:00:00';

const asDays = (times: RowTimes, namesLastDay: boolean): RowTimes => ({
  ...times,
  allDay: true,
  endDay: namesLastDay ? times.endDay : dayAfter(times.endDay, -1),
  endTime: '23:59:59',
});
