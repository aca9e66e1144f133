import { dayOf, type TimeValue } from '../read/time-value.ts';
import type { CalendarZones } from '../times/zones-of-calendar.ts';

/** Finds starts by EXDATE or RECURRENCE-ID, whatever kind of value these are (see `add`). */
export interface TimeIndex<T> {
  readonly size: number;
  add(time: TimeValue, item: T): void;
  find(start: TimeValue): T | undefined;
}

/** A value matches a start by instant, by wall-clock time if either is floating, or by day if either is a date. */
export function timeIndex<T>(zones: CalendarZones): TimeIndex<T> {
  const [byInstant, byFloatingDigits, byDigits, byDate, byDay] = [
    new Map<number, T>(),
    new Map<number, T>(),
    new Map<number, T>(),
    new Map<number, T>(),
    new Map<number, T>(),
  ];
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(time, item) {
      size += 1;
      byDay.set(dayOf(time.wall), item);
      if (time.kind === 'date') byDate.set(time.wall, item);
      else byDigits.set(time.wall, item);
      if (time.kind === 'floating') byFloatingDigits.set(time.wall, item);
      if (time.kind === 'utc' || time.kind === 'zoned') byInstant.set(zones.instantOf(time), item);
    },
    find(start) {
      if (size === 0) return undefined;
      if (start.kind === 'date') return byDay.get(start.wall);
      const exact =
        start.kind === 'floating'
          ? byDigits.get(start.wall)
          : (byInstant.get(zones.instantOf(start)) ?? byFloatingDigits.get(start.wall));
      return exact ?? byDate.get(dayOf(start.wall));
    },
  };
}
