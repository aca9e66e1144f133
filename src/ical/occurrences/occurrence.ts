import type { CalendarEvent } from '../read/calendar.ts';
import type { WallMs } from '../read/time-value.ts';
import type { Zone } from '../times/zone.ts';

/** One occurrence of an event, with its instants. */
export interface Occurrence {
  /** The component whose properties apply: the series' own, or the override's. */
  readonly event: CalendarEvent;
  /**
   * The original start in the series' zone, as RECURRENCE-ID writes it (`20270110T180000`; `20270110` for whole days).
   * Null for a single event.
   */
  readonly recurrenceId: string | null;
  /** The original start in epoch milliseconds; for whole days, midnight as if it were in UTC. */
  readonly originalStart: number;
  readonly allDay: boolean;
  /** Its times name no zone. */
  readonly floating: boolean;
  /** Epoch milliseconds; for whole days, midnights in `zone`. */
  readonly startsAt: number;
  /** Exclusive, and never before the start. */
  readonly endsAt: number;
  /** The same on the wall clock of `zone`. */
  readonly startWall: WallMs;
  readonly endWall: WallMs;
  readonly zone: Zone;
}

/** What decides where an occurrence stands among others. */
type Place = Pick<Occurrence, 'startsAt' | 'recurrenceId'> & { readonly event: Pick<CalendarEvent, 'uid' | 'line'> };

/** By start, then UID. */
export const inOrderOfStart = (a: Place, b: Place): number =>
  a.startsAt - b.startsAt ||
  compare(a.event.uid ?? '', b.event.uid ?? '') ||
  compare(a.recurrenceId ?? '', b.recurrenceId ?? '') ||
  a.event.line - b.event.line;

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
