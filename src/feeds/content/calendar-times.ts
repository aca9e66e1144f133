import type { Event } from '../../contract/representation.ts';
import type { CalendarTime } from '../../ical/write/write-event.ts';
import { eventZone } from '../../contract/event-zone.ts';
import { dayAfter, instantFromWall, offsetAt, type Wall } from '../../time.ts';

const UTC_NAME = /^(?:utc|gmt|z|etc\/(?:utc|gmt|uct|zulu|universal|greenwich))$/i;
const HOURS_3 = 3 * 3_600_000;
const DAY = 86_400_000;

type Dates = Pick<Event, 'all_day' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone'>;
type Times = { readonly start: CalendarTime; readonly end?: CalendarTime };

/**
 * An event's dates as calendar times; undefined when they cannot be read. Offsets (`UTC+5.5`, `CEST`) are no TZIDs and
 * go out in UTC.
 */
export function calendarTimesOf(event: Dates): Times | undefined {
  if (event.all_day) return daysOf(event);
  const zone = eventZone(event.timezone) ?? 'UTC';
  const start = instantOf(event.start_date, event.utc_start_date, zone);
  const end = instantOf(event.end_date, event.utc_end_date, zone);
  if (Number.isNaN(start)) return undefined;
  const inUtc = !isTzid(zone) || !isPlain(start, event.start_date, zone) || !isPlain(end, event.end_date, zone);
  const timeOf = (at: number, wall: Wall): CalendarTime =>
    inUtc ? { kind: 'utc', at } : { kind: 'zoned', wall, zone, at };
  // RFC 5545, 3.6.1: an end is later than the start; without one the event ends as it begins.
  return { start: timeOf(start, event.start_date), ...(end > start ? { end: timeOf(end, event.end_date) } : {}) };
}

/**
 * The instant that the site tells, where it fits the wall time that people read; else what the wall time says in its
 * zone.
 */
function instantOf(wall: Wall, utc: string | null, zone: string): number {
  const [digits, told] = [msOf(wall), msOf(utc ?? '')];
  if (Number.isNaN(digits)) return Number.NaN;
  const fits = !Number.isNaN(told) && told + (steadyOffset(told, zone) ?? offsetAt(told, zone)) * 60_000 === digits;
  return fits ? told : instantFromWall(wall, zone);
}

/** Digits read as UTC. */
const msOf = (digits: string): number =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(digits) ? Date.parse(`${digits.replace(' ', 'T')}Z`) : Number.NaN;

const isTzid = (zone: string): boolean =>
  /^[A-Za-z]/.test(zone) && !UTC_NAME.test(zone) && !/^(?:utc|gmt)[+-]/i.test(zone);

/**
 * Whether digits and zone mean the instant to every calendar program: they do not where clocks are put forward or back,
 * in the hour that is skipped or comes twice.
 */
function isPlain(at: number, wall: Wall, zone: string): boolean {
  if (Number.isNaN(at)) return true;
  const steady = steadyOffset(at, zone);
  const offset = steady ?? offsetAt(at, zone);
  if (at + offset * 60_000 !== msOf(wall)) return false;
  if (steady !== undefined) return true;
  return [offsetAt(at - HOURS_3, zone), offsetAt(at + HOURS_3, zone)].every(
    (near) => near === offset || offsetAt(at + (offset - near) * 60_000, zone) !== near,
  );
}

// Asking for an offset costs more than all else that is done for an event, and most days have many events.
const steadyDays = new Map<string, number | undefined>();

/**
 * The offset that a zone has during the whole UTC day of an instant and three hours around it; undefined where clocks
 * change.
 */
function steadyOffset(at: number, zone: string): number | undefined {
  const day = Math.floor(at / DAY);
  const key = `${zone} ${day}`;
  if (steadyDays.has(key)) return steadyDays.get(key);
  const [first, last] = [offsetAt(day * DAY - HOURS_3, zone), offsetAt((day + 1) * DAY + HOURS_3, zone)];
  if (steadyDays.size > 20_000) steadyDays.clear();
  steadyDays.set(key, first === last ? first : undefined);
  return steadyDays.get(key);
}

/**
 * Whole days. Some sites let the day begin and end at another hour than midnight: the start's time of day is the
 * measure.
 */
function daysOf(event: Dates): Times | undefined {
  const [start, end] = [msOf(event.start_date), msOf(event.end_date)];
  if (Number.isNaN(start)) return undefined;
  const cutoff = start % DAY;
  const last = end > start ? new Date(end - cutoff - 1000).toISOString().slice(0, 10) : event.start_date.slice(0, 10);
  return { start: { kind: 'date', day: event.start_date.slice(0, 10) }, end: { kind: 'date', day: dayAfter(last) } };
}
