import type { CalendarEvent } from '../read/calendar.ts';
import type { Period, TimeValue } from '../read/time-value.ts';
import type { Occurrence } from './occurrence.ts';
import type { CalendarZones } from '../times/zones-of-calendar.ts';
import { instantFromWall, wallFromInstant } from '../times/zone.ts';
import { DAY_MS } from '../../time.ts';

/** How long an event lasts: nominal days first, then exact time (RFC 5545, 3.3.6). */
export interface Length {
  readonly days: number;
  readonly ms: number;
}

/**
 * The length of an event from DTEND or DURATION. DTEND gives an exact length (3.8.5.3), or whole days for dates;
 * without either, a date lasts one day and a time has no length.
 */
export function lengthOf(event: CalendarEvent, zones: CalendarZones): Length {
  const { start, end, duration } = event;
  if (start.kind === 'date') return { days: Math.max(1, daysOf(event, zones)), ms: 0 };
  if (!end) return duration && duration.days * DAY_MS + duration.ms > 0 ? duration : { days: 0, ms: 0 };
  const endsAt = end.kind === 'date' ? instantFromWall(end.wall, zones.zoneOf(start)) : zones.instantOf(end);
  return { days: 0, ms: Math.max(0, endsAt - zones.instantOf(start)) };
}

/**
 * Whether DTEND or a negative DURATION puts an event's end before its start (contrary to RFC 5545, 3.8.2.2 and
 * 3.8.2.5).
 */
export function endsBeforeStart({ start, end, duration }: CalendarEvent, zones: CalendarZones): boolean {
  if (!end) return duration !== null && (duration.days < 0 || duration.ms < 0);
  if (start.kind === 'date' || end.kind === 'date')
    return Math.floor(end.wall / DAY_MS) < Math.floor(start.wall / DAY_MS);
  return zones.instantOf(end) < zones.instantOf(start);
}

function daysOf({ start, end, duration }: CalendarEvent, zones: CalendarZones): number {
  if (end?.kind === 'date') return Math.round((end.wall - start.wall) / DAY_MS);
  if (end) return Math.ceil((wallFromInstant(zones.instantOf(end), zones.zoneOf(end)) - start.wall) / DAY_MS);
  return duration ? duration.days + Math.ceil(duration.ms / DAY_MS) : 1;
}

/** The length of an RDATE's period; undefined if it has none. */
export function lengthOfPeriod(period: Period, zones: CalendarZones): Length | undefined {
  if (period.duration) return period.duration;
  return period.end
    ? { days: 0, ms: Math.max(0, zones.instantOf(period.end) - zones.instantOf(period.start)) }
    : undefined;
}

type Span = Pick<Occurrence, 'allDay' | 'floating' | 'startsAt' | 'endsAt' | 'startWall' | 'endWall' | 'zone'>;

/** Converts a start and a length to instants and wall-clock times. */
export function spanFrom(start: TimeValue, length: Length, zones: CalendarZones): Span {
  const zone = zones.zoneOf(start);
  if (start.kind === 'date') {
    // The period of an RDATE may be shorter than a day.
    const endWall = start.wall + Math.max(1, length.days + Math.ceil(length.ms / DAY_MS)) * DAY_MS;
    return {
      allDay: true,
      floating: false,
      zone,
      startWall: start.wall,
      endWall,
      startsAt: instantFromWall(start.wall, zone),
      endsAt: instantFromWall(endWall, zone),
    };
  }
  const startsAt = instantFromWall(start.wall, zone);
  const nominal = length.days === 0 ? startsAt : instantFromWall(start.wall + length.days * DAY_MS, zone);
  const endsAt = Math.max(startsAt, nominal + length.ms);
  return {
    allDay: false,
    floating: zones.isFloating(start),
    zone,
    startsAt,
    endsAt,
    startWall: wallFromInstant(startsAt, zone),
    endWall: wallFromInstant(endsAt, zone),
  };
}
