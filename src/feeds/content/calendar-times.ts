import type { Event } from '../../contract/representation.ts';
import type { CalendarTime } from '../../ical/write/write-event.ts';
import { eventZone } from '../../contract/event-zone.ts';
import { zoneNameFromTzid } from '../../ical/read/tzid.ts';
import {
  abbreviationAt,
  clockMark,
  DAY_MS,
  dayAfter,
  instantFromWall,
  offsetAt,
  wallFromInstant,
  type Wall,
} from '../../time.ts';

const UTC_NAME = /^(?:utc|gmt|z|etc\/(?:utc|gmt|uct|zulu|universal|greenwich))$/i;
const HOURS_3 = 3 * 3_600_000;

type Dates = Pick<Event, 'all_day' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone'>;
type Times = { readonly start: CalendarTime; readonly end?: CalendarTime };

/**
 * An event's dates as calendar times; undefined if they cannot be read. Offsets (`UTC+5.5`, `CEST`) are not valid
 * TZIDs, so such times are written in UTC.
 */
export function calendarTimesOf(event: Dates): Times | undefined {
  if (event.all_day) return daysOf(event);
  const zone = eventZone(event.timezone) ?? 'UTC';
  const start = instantOf(event.start_date, event.utc_start_date, zone);
  const end = instantOf(event.end_date, event.utc_end_date, zone);
  if (Number.isNaN(start)) return undefined;
  const inUtc = !isTzid(zone) || !isPlain(start, event.start_date, zone) || !isPlain(end, event.end_date, zone);
  const timeOf = (at: number, wall: Wall): CalendarTime =>
    inUtc ? { kind: 'utc', at } : { kind: 'zoned', wall, zone: tzidOf(zone), at };
  // RFC 5545, 3.6.1: an end must be later than the start; without one the event ends when it starts.
  return { start: timeOf(start, event.start_date), ...(end > start ? { end: timeOf(end, event.end_date) } : {}) };
}

/**
 * The instant that the site gives if it matches the wall-clock time, which is what people read; otherwise the
 * wall-clock time in its zone.
 */
function instantOf(wall: Wall, utc: string | null, zone: string): number {
  const [digits, told] = [msOf(wall), msOf(utc ?? '')];
  if (Number.isNaN(digits)) return Number.NaN;
  const fits = !Number.isNaN(told) && told + (steadyOffset(told, zone) ?? offsetAt(told, zone)) * 60_000 === digits;
  return fits ? told : instantFromWall(wall, zone);
}

/** A wall-clock time read as UTC. */
const msOf = (digits: string): number =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(digits) ? Date.parse(`${digits.replace(' ', 'T')}Z`) : Number.NaN;

/** A zone's name as calendar programs know it. Sites accept names in any case, and some that no program knows. */
export const tzidOf = (zone: string): string => (isTzid(zone) ? (zoneNameFromTzid(zone) ?? zone) : zone);

const isTzid = (zone: string): boolean =>
  /^[A-Za-z]/.test(zone) && !UTC_NAME.test(zone) && !/^(?:utc|gmt)[+-]/i.test(zone);

/**
 * Whether all calendar programs map wall-clock time and zone to the same instant. They do not when clocks change, in
 * the hour that is skipped or occurs twice.
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

// Looking up an offset costs more than everything else done for an event, and most days have many events.
const steadyDays = new Map<string, number | undefined>();

/**
 * The offset of a zone from three hours before to three hours after an instant's UTC day; undefined if the clocks
 * change in that time.
 */
function steadyOffset(at: number, zone: string): number | undefined {
  const day = Math.floor(at / DAY_MS);
  const key = `${zone} ${day}`;
  if (steadyDays.has(key)) return steadyDays.get(key);
  const [first, last] = [offsetAt(day * DAY_MS - HOURS_3, zone), offsetAt((day + 1) * DAY_MS + HOURS_3, zone)];
  if (steadyDays.size > 20_000) steadyDays.clear();
  steadyDays.set(key, first === last ? first : undefined);
  return steadyDays.get(key);
}

/**
 * Whole days. On some sites the day begins at an hour other than midnight, so days are counted from the start's time of
 * day.
 */
function daysOf(event: Dates): Times | undefined {
  const [start, end] = [msOf(event.start_date), msOf(event.end_date)];
  if (Number.isNaN(start)) return undefined;
  const cutoff = start % DAY_MS;
  const last = end > start ? new Date(end - cutoff - 1000).toISOString().slice(0, 10) : event.start_date.slice(0, 10);
  return { start: { kind: 'date', day: event.start_date.slice(0, 10) }, end: { kind: 'date', day: dayAfter(last) } };
}

/** A time as people read it; instants are converted to the site's zone. */
export const asRead = (time: CalendarTime, timezone: string): CalendarTime =>
  time.kind === 'utc' ? { kind: 'zoned', wall: wallFromInstant(time.at, timezone), zone: timezone, at: time.at } : time;

/** The mark of such a time: " EST" by a clock other than the site's, " CEST" in an hour that occurs twice. */
export const zoneMark = (time: CalendarTime, timezone: string): string =>
  time.kind === 'zoned' ? clockMark(time.wall, time.at, timezone, abbreviationAt(time.at, time.zone)) : '';
