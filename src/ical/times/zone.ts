import { DAY_MS, isZone, offsetAt } from '../../time.ts';
import type { WallMs } from '../read/time-value.ts';

/** A zone that is fast to calculate with: offsets in milliseconds, instants in epoch milliseconds. */
export interface Zone {
  /** An IANA name, `UTC` or an offset such as `UTC+3.5`; null for rules of a feed that match no IANA zone. */
  readonly name: string | null;
  readonly offsetAt: (instant: number) => number;
}

/**
 * The instant of a wall time. In a gap, the offset before it is used; in an overlap, the first of the two instants (RFC
 * 5545, 3.3.5).
 */
export function instantFromWall(wall: WallMs, zone: Zone): number {
  const before = zone.offsetAt(wall - DAY_MS);
  const after = zone.offsetAt(wall + DAY_MS);
  if (before === after) return wall - before;
  const first = wall - before;
  if (zone.offsetAt(first) === before) return first;
  const second = wall - after;
  return zone.offsetAt(second) === after ? second : first;
}

export const wallFromInstant = (instant: number, zone: Zone): WallMs => instant + zone.offsetAt(instant);

/**
 * Whether a wall time occurs twice in a zone because clocks are set back. Programs disagree on which instant is meant.
 */
export function isRepeated(wall: WallMs, zone: Zone): boolean {
  const before = zone.offsetAt(wall - DAY_MS);
  const after = zone.offsetAt(wall + DAY_MS);
  return before !== after && [before, after].every((offset) => zone.offsetAt(wall - offset) === offset);
}

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0 };

/** The zone for a name that src/time.ts knows, or undefined. Offsets are looked up once per half year and cached. */
export function namedZone(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known) return known;
  if (!isZone(name)) return undefined;
  const zone = /^(?:UTC|GMT|Z|Etc\/(?:UTC|GMT|UCT|Zulu))$/i.test(name)
    ? UTC
    : { name, offsetAt: offsetLookup((instant) => offsetAt(instant, name) * 60_000) };
  if (zones.size < ZONES_KEPT) zones.set(name, zone);
  return zone;
}

// Only IANA names and offsets get here, so the map stays small. The limit protects against feeds that make up offsets.
const zones = new Map<string, Zone>();
const ZONES_KEPT = 2_000;
const SPAN_MS = 182 * DAY_MS;
const STEP_MS = 7 * DAY_MS;

interface Span {
  /** At the start of the span. */
  readonly offset: number;
  /** In order. */
  readonly changes: readonly { readonly at: number; readonly offset: number }[];
}

function offsetLookup(offset: (instant: number) => number): (instant: number) => number {
  const spans = new Map<number, Span>();
  return (instant) => {
    const index = Math.floor(instant / SPAN_MS);
    let span = spans.get(index);
    if (!span) spans.set(index, (span = spanFrom(index * SPAN_MS, offset)));
    let current = span.offset;
    for (const change of span.changes) if (change.at <= instant) current = change.offset;
    return current;
  };
}

/** The changes within half a year: sampled weekly, then narrowed down to the second. */
function spanFrom(start: number, offset: (instant: number) => number): Span {
  const atStart = offset(start);
  const changes: { at: number; offset: number }[] = [];
  let latest = atStart;
  for (let from = start; from < start + SPAN_MS; from += STEP_MS) {
    const later = offset(from + STEP_MS);
    if (later === latest) continue;
    changes.push({ at: changeBetween(from, from + STEP_MS, offset), offset: later });
    latest = later;
  }
  return { offset: atStart, changes };
}

function changeBetween(before: number, after: number, offset: (instant: number) => number): number {
  const old = offset(before);
  let [low, high] = [before, after];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (middle === low) break;
    if (offset(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}
