import { eventZone } from '../../contract/event-zone.ts';
import { instantFromWall } from '../../time.ts';

/** The instant of a clock time in an event's zone, in epoch milliseconds, as values of events tell them; NaN where they tell none. */
export function instantOf(wall: unknown, timezone: unknown): number {
  const zone = typeof timezone === 'string' ? eventZone(timezone) : undefined;
  return typeof wall === 'string' && zone !== undefined ? instantFromWall(wall, zone) : Number.NaN;
}
