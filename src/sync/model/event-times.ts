import { eventZone } from '../../contract/event-zone.ts';
import { instantFromWall } from '../../time.ts';

/** The instant (epoch milliseconds) of a wall-clock time in an event's zone; NaN if either is missing or unreadable. */
export function instantOf(wall: unknown, timezone: unknown): number {
  const zone = typeof timezone === 'string' ? eventZone(timezone) : undefined;
  return typeof wall === 'string' && zone !== undefined ? instantFromWall(wall, zone) : Number.NaN;
}
