import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';

/** A wall-clock time as the interface writes it: `2027-01-10 18:00:00`. */
export type Wall = string;

const WALL = 'yyyy-MM-dd HH:mm:ss';

// Asking Intl whether a name is a zone costs 50 µs, and every event asks.
const known = new Map<string, Zone>();

/** The zone of an IANA name, `UTC`, or an offset such as `UTC+5.5`, `UTC-3:30`, `+05:00`; undefined when it is none. */
function zoneOf(name: string): Zone | undefined {
  const found = known.get(name) ?? readZone(name);
  if (found && known.size < 2000) known.set(name, found);
  return found;
}

function readZone(name: string): Zone | undefined {
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d)|\.(\d{1,2}))?$/i.exec(name);
  if (offset) {
    const [, sign, hours, minutes, fraction] = offset;
    const total = Number(hours) * 60 + (fraction ? Number(`0.${fraction}`) * 60 : Number(minutes ?? 0));
    return total > 14 * 60 ? undefined : FixedOffsetZone.instance((sign === '-' ? -1 : 1) * Math.round(total));
  }
  if (/^(?:UTC|GMT|Z)$/i.test(name)) return FixedOffsetZone.utcInstance;
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name) ? IANAZone.create(name) : undefined;
}

/** Whether `name` is a zone that this program can compute with. */
export const isZone = (name: string): boolean => zoneOf(name) !== undefined;

function zoneOrThrow(name: string): Zone {
  const zone = zoneOf(name);
  if (!zone) throw new RangeError(`unknown time zone: ${name}`);
  return zone;
}

/** The instant (epoch milliseconds) of a wall time; in a gap the later reading, in an overlap the first (RFC 5545, 3.3.5). NaN for an impossible date. */
export function instantFromWall(wall: Wall, zone: string): number {
  const at = DateTime.fromFormat(wall, WALL, { zone: zoneOrThrow(zone) });
  if (!at.isValid) return Number.NaN;
  const earlier = at.minus({ hours: 3 }).offset;
  // In an overlap luxon takes the reading of its first guess; the RFC wants the first of the two instants.
  const first = at.toMillis() - (earlier - at.offset) * 60_000;
  return wallFromInstant(first, zone) === wall ? Math.min(first, at.toMillis()) : at.toMillis();
}

/** The wall time of an instant (epoch milliseconds) in a zone. */
export function wallFromInstant(instant: number, zone: string): Wall {
  return DateTime.fromMillis(instant, { zone: zoneOrThrow(zone) }).toFormat(WALL);
}

/** The offset from UTC in minutes that holds in a zone at an instant. */
export const offsetAt = (instant: number, zone: string): number => zoneOrThrow(zone).offset(instant);

/** The zone's short name at an instant: `CET`, `EDT`, or the zone's own text where it has none. */
export function abbreviationAt(instant: number, zone: string): string {
  const short = DateTime.fromMillis(instant, { zone: zoneOrThrow(zone), locale: 'en-US' }).offsetNameShort;
  const british = DateTime.fromMillis(instant, { zone: zoneOrThrow(zone), locale: 'en-GB' }).offsetNameShort;
  return [short, british].find((name) => name && /^[A-Z]{2,5}$/.test(name)) ?? (short || zone);
}

/** A luxon value, for libraries that take one. */
export const zoned = (instant: number, zone: string): DateTime => DateTime.fromMillis(instant, { zone: zoneOrThrow(zone) });

/** An instant as `2027-01-10T17:00:00Z` (RFC 3339, seconds). */
export const isoFromInstant = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');

/** The calendar day `days` after a day (`2027-01-10`). */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
