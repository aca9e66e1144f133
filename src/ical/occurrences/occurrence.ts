import type { CalendarEvent } from '../read/calendar.ts';
import type { WallMs } from '../read/time-value.ts';
import type { Zone } from '../times/zone.ts';

/** One occurrence of an event, at its instants. */
export interface Occurrence {
  /** The component whose properties apply: the series' own, or the override's. */
  readonly event: CalendarEvent;
  /**
   * Digits of the original start in the series' zone (`20270110T180000`), a date (`20270110`); null for a single event.
   */
  readonly recurrenceId: string | null;
  /** The original start as an instant; of days, the wall value. */
  readonly originalStart: number;
  readonly allDay: boolean;
  readonly floating: boolean;
  /** Epoch milliseconds; of days, midnight in the zone, the end exclusive. Never before the start. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** Digits in `zone`; of days, midnights, the end exclusive. */
  readonly startWall: WallMs;
  readonly endWall: WallMs;
  readonly zone: Zone;
}
