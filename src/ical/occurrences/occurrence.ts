import type { CalendarEvent } from '../read/calendar.ts';
import type { WallMs } from '../read/time-value.ts';
import type { Zone } from '../times/zone.ts';

/** One occurrence of an event, with its instants. */
export interface Occurrence {
  /** The component whose properties apply: that of the series, or the override. */
  readonly event: CalendarEvent;
  /**
   * The original start in the series' zone, as RECURRENCE-ID writes it (`20270110T180000`; `20270110` for all-day
   * events). Null for a single event.
   */
  readonly recurrenceId: string | null;
  /** The original start in epoch milliseconds; for all-day events, midnight as if in UTC. */
  readonly originalStart: number;
  readonly allDay: boolean;
  /** Its times name no zone. */
  readonly floating: boolean;
  /** In epoch milliseconds; for all-day events, midnights in `zone`. */
  readonly startsAt: number;
  /** Exclusive, and never before the start. */
  readonly endsAt: number;
  /** The same on the wall clock of `zone`. */
  readonly startWall: WallMs;
  readonly endWall: WallMs;
  readonly zone: Zone;
}

/** The parts of an occurrence that decide its order. */
type Place = Pick<Occurrence, 'startsAt' | 'recurrenceId'> & { readonly event: Pick<CalendarEvent, 'uid' | 'line'> };

/** Compares by start, then UID. */
export const inOrderOfStart = (a: Place, b: Place): number =>
  a.startsAt - b.startsAt ||
  compare(a.event.uid ?? '', b.event.uid ?? '') ||
  compare(a.recurrenceId ?? '', b.recurrenceId ?? '') ||
  a.event.line - b.event.line;

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
