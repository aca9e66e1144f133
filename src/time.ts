import { createRequire } from 'node:module';
import type * as Luxon from 'luxon';
import type { Zone } from 'luxon';

// The build that the queue's library loads: an import would load another one, and the daemon would have both (1.7 MB
// more).
const { DateTime, FixedOffsetZone, IANAZone } = createRequire(import.meta.url)('luxon') as typeof Luxon;

/** A wall-clock time as the interface writes it: `2027-01-10 18:00:00`. */
export type Wall = string;

/** A day of 24 hours, in milliseconds. Days on which clocks change are longer or shorter. */
export const DAY_MS = 86_400_000;

// Asking Intl whether a name is a zone takes 50 µs, and every event asks.
const known = new Map<string, Zone>();

/**
 * The zone for an IANA name, `UTC`, or an offset such as `UTC+5.5`, `UTC-3:30`, `+05:00`; undefined for anything else.
 */
function zoneOf(name: string): Zone | undefined {
  const former = known.get(name);
  if (former) return former;
  const found = readZone(name);
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
  const place = placeMeant(name);
  return /^[A-Za-z]/.test(place) && IANAZone.isValidZone(place) ? IANAZone.create(place) : undefined;
}

/** Abbreviations that the runtime reads as Anchorage, Dhaka, Auckland and Guadalcanal, where no clock has that name. */
const PLACES_MEANT: ReadonlyMap<string, string> = new Map([
  ['AST', 'America/Halifax'],
  ['BST', 'Europe/London'],
  ['NST', 'America/St_Johns'],
  ['SST', 'Pacific/Pago_Pago'],
]);

/** The place whose clock an abbreviation names (`BST`: Europe/London); any other name is given back unchanged. */
export const placeMeant = (zone: string): string => PLACES_MEANT.get(zone.toUpperCase()) ?? zone;

/** Whether `name` is a zone that this program can calculate with. */
export const isZone = (name: string): boolean => zoneOf(name) !== undefined;

function zoneOrThrow(name: string): Zone {
  const zone = zoneOf(name);
  if (!zone) throw new RangeError(`unknown time zone: ${name}`);
  return zone;
}

// Asking Intl for an offset takes 3 µs, and every event asks a dozen times. No zone changes its clocks twice within two
// days, so a day that ends with the same offset as it began has no other.
const midnightsOf = new Map<Zone, Map<number, number>>();
const MIDNIGHTS_MAX = 50_000;
let midnightsKept = 0;

/** The offset of a zone in minutes at an instant. */
function offsetIn(zone: Zone, instant: number): number {
  if (zone.isUniversal) return zone.offset(instant);
  const day = Math.floor(instant / DAY_MS);
  const begun = midnightOffset(zone, day);
  return instant === day * DAY_MS || begun === midnightOffset(zone, day + 1) ? begun : readOffset(zone, instant);
}

/** The offset at the first instant of a UTC day, which is cached. */
function midnightOffset(zone: Zone, day: number): number {
  const kept = midnightsOf.get(zone)?.get(day);
  if (kept !== undefined) return kept;
  if (midnightsKept >= MIDNIGHTS_MAX) {
    midnightsOf.clear();
    midnightsKept = 0;
  }
  const midnights = midnightsOf.get(zone) ?? new Map<number, number>();
  const offset = readOffset(zone, day * DAY_MS);
  midnightsOf.set(zone, midnights.set(day, offset));
  midnightsKept += 1;
  return offset;
}

// Luxon asks Intl for the parts of a clock time and computes the offset from them, which takes three times as long.
const offsetTexts = new Map<Zone, Intl.DateTimeFormat>();

/**
 * The offset that Intl writes at the end of a date: `GMT`, `GMT+01:00`, or long ago `GMT-04:56:02`. NaN beyond the
 * range of dates.
 */
function readOffset(zone: Zone, instant: number): number {
  if (Number.isNaN(new Date(instant).getTime())) return Number.NaN;
  const format =
    offsetTexts.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone.name, timeZoneName: 'longOffset' });
  offsetTexts.set(zone, format);
  const offset = format.format(instant).split('GMT').at(-1) ?? '';
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes + seconds / 60);
}

const ZERO = '0'.charCodeAt(0);
// Date.UTC reads years below 100 as years of the twentieth century; the calendar repeats itself after this many years.
const CENTURIES = 400;
const CENTURIES_MS = 146_097 * DAY_MS;

/** The number that two digits represent. */
const pair = (text: string, at: number): number => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
const yearIn = (text: string): number => pair(text, 0) * 100 + pair(text, 2);

/**
 * The instant (epoch milliseconds) at which a UTC clock shows the digits of the wall time that the text begins with.
 * For any other text, the result is meaningless.
 */
export const instantFromDigits = (text: string): number =>
  Date.UTC(yearIn(text) + CENTURIES, pair(text, 5) - 1, pair(text, 8), pair(text, 11), pair(text, 14), pair(text, 17)) -
  CENTURIES_MS;

const WALL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Whether a text is a wall time on a day that exists. */
export const isWall = (text: string): boolean =>
  WALL.test(text) && pair(text, 8) <= daysIn(yearIn(text), pair(text, 5));

/** The number of days in a month; January is 1. */
const daysIn = (year: number, month: number): number =>
  (Date.UTC(year + CENTURIES, month, 1) - Date.UTC(year + CENTURIES, month - 1, 1)) / DAY_MS;

/**
 * The instant (epoch milliseconds) of a wall time: in a gap the later reading, in an overlap the first (RFC 5545,
 * 3.3.5). NaN for an impossible date.
 */
export function instantFromWall(wall: Wall, zone: string): number {
  if (!isWall(wall)) return Number.NaN;
  const digits = instantFromDigits(wall);
  const found = zoneOrThrow(zone);
  // No zone changes its clocks twice within two days, so one of these two offsets applies; in an overlap both do, in a
  // gap neither.
  const before = offsetIn(found, digits - DAY_MS);
  const after = offsetIn(found, digits + DAY_MS);
  const first = digits - before * 60_000;
  const last = digits - after * 60_000;
  if (before === after) return first;
  return offsetIn(found, first) === before || offsetIn(found, last) !== after ? first : last;
}

/** The same, but the last reading in an overlap. */
export function lastInstantFromWall(wall: Wall, zone: string): number {
  const digits = instantFromDigits(wall);
  const last = digits - offsetAt(digits + DAY_MS, zone) * 60_000;
  return wallFromInstant(last, zone) === wall ? last : instantFromWall(wall, zone);
}

/**
 * For a wall time that is in a gap because clocks are set forward, the first wall time after the gap; undefined for a
 * wall time that exists.
 */
export function endOfGap(wall: Wall, zone: string): Wall | undefined {
  const at = instantFromWall(wall, zone);
  if (Number.isNaN(at) || wallFromInstant(at, zone) === wall) return undefined;
  const offset = offsetAt(at, zone);
  let [before, after] = [at - DAY_MS, at];
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (offsetAt(middle, zone) === offset) after = middle;
    else before = middle;
  }
  return wallFromInstant(after, zone);
}

/**
 * Whether a wall time occurs twice in a zone because clocks are set back. Programs disagree on which instant is meant.
 */
export function isRepeated(wall: Wall, zone: string): boolean {
  const digits = instantFromWall(wall, 'UTC');
  const offsets = [digits - DAY_MS, digits + DAY_MS].map((instant) => offsetAt(instant, zone));
  const readings = new Set(
    offsets.map((offset) => digits - offset * 60_000).filter((instant) => wallFromInstant(instant, zone) === wall),
  );
  return readings.size > 1;
}

/** The wall time of an instant (epoch milliseconds) in a zone. */
export function wallFromInstant(instant: number, zone: string): Wall {
  return digitsOf(instant + offsetIn(zoneOrThrow(zone), instant) * 60_000);
}

/**
 * The mark after a wall time that people would otherwise take for another instant: " EST", the name of its clock, if
 * `zone` shows another time then; " CEST" if the time occurs twice in `zone`; else ''.
 */
export function clockMark(wall: Wall, instant: number, zone: string, name: string): string {
  if (wallFromInstant(instant, zone) !== wall) return ` ${name}`;
  return isRepeated(wall, zone) ? ` ${abbreviationAt(instant, zone)}` : '';
}

/** The marks after the two times of a span: if both have the same mark, only the second time shows it. */
export const marksOfSpan = (start: string, end: string): readonly [start: string, end: string] => [
  start === end ? '' : start,
  end,
];

/** A zone's offset from UTC in minutes at an instant. */
export const offsetAt = (instant: number, zone: string): number => offsetIn(zoneOrThrow(zone), instant);

/**
 * The zone of a clock that never changes, by its offset from UTC in minutes, as the interface writes it: `UTC+2`,
 * `UTC-3.5`, `UTC`.
 */
export function steadyZone(offset: number): string {
  const hours = Math.round((offset / 60) * 100) / 100;
  return hours === 0 ? 'UTC' : `UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;
}

// Intl takes a quarter of a millisecond to format a name, and every event has one.
const MONTH_MS = 30 * DAY_MS;
const abbreviations = new Map<string, string>();

/** The zone's short name at an instant: `CET`, `EDT`, or the zone's own text if it has none. */
export function abbreviationAt(instant: number, zone: string): string {
  // Within a month, a zone with the same offset keeps its name.
  const key = `${zone} ${offsetAt(instant, zone)} ${Math.floor(instant / MONTH_MS)}`;
  const name = abbreviations.get(key) ?? readAbbreviation(instant, zone);
  if (abbreviations.size >= 5000) abbreviations.clear();
  abbreviations.set(key, name);
  return name;
}

function readAbbreviation(instant: number, zone: string): string {
  const short = DateTime.fromMillis(instant, { zone: zoneOrThrow(zone), locale: 'en-US' }).offsetNameShort;
  const british = DateTime.fromMillis(instant, { zone: zoneOrThrow(zone), locale: 'en-GB' }).offsetNameShort;
  return [short, british].find((name) => name && /^[A-Z]{2,5}$/.test(name)) ?? (short || zone);
}

const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'en-SG', 'de', 'pt-BR'];
const SEASONS = [Date.UTC(2027, 0, 1), Date.UTC(2027, 6, 1)];
const clockNames = new Map<string, readonly string[]>();

/**
 * The short names that people use for the clock of a zone in winter, in summer and all year: CET, CEST, MEZ, MESZ; EST,
 * EDT, ET.
 */
export function clockNamesOf(zone: string): readonly string[] {
  const names = clockNames.get(zone) ?? readClockNames(zone);
  if (clockNames.size >= 1000) clockNames.clear();
  clockNames.set(zone, names);
  return names;
}

// GMT and UTC always mean offsets, and an offset (UTC+2) has no names.
const readClockNames = (zone: string): readonly string[] => [
  ...new Set(
    (zoneOrThrow(zone).type === 'iana' ? LOCALES : [])
      .flatMap((locale) =>
        (['short', 'shortGeneric'] as const).flatMap((timeZoneName) => {
          const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName });
          return SEASONS.flatMap(
            (at) => format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? [],
          );
        }),
      )
      .filter((name) => /^(?!GMT$|UTC$)[A-Z]{2,5}$/.test(name)),
  ),
];

const PAIRS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
// Formatting a day takes as long as everything else, and the events of a feed are on a few hundred days.
const dayTexts = new Map<number, string>();
const DAY_TEXTS_MAX = 2_000;

/** The digits of an instant in UTC; from the year 10000 on there is one more. */
function digitsOf(instant: number): Wall {
  const day = Math.floor(instant / DAY_MS);
  const seconds = Math.floor((instant - day * DAY_MS) / 1000);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${dayText(day)} ${PAIRS[hour]}:${PAIRS[minute]}:${PAIRS[seconds % 60]}`;
}

function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  const digits = new Date(day * DAY_MS).toISOString();
  const text = digits.slice(digits.startsWith('+0') ? 2 : 0, digits.indexOf('T'));
  if (dayTexts.size >= DAY_TEXTS_MAX) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

/** An instant as `2027-01-10T17:00:00Z` (RFC 3339, seconds). */
export const isoFromInstant = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');

/** The calendar day `days` days after a day (`2027-01-10`). */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const DAY = /^(?:19|2\d)\d\d-\d\d-\d\d$/;
/** Whether a text from an address is a calendar day that exists. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && dayAfter(text, 0) === text;

/** Whether a text is a month that exists: `2027-01`. */
export const isMonth = (text: string): boolean => isDay(`${text}-01`);

/** The month `months` months after a month. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = year * 12 + number - 1 + months;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
}

/** The Monday of a day's week. */
export const mondayOf = (day: string): string => dayAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** Monday to Sunday. */
export type Week = readonly [string, ...string[]];

export const weekFrom = (monday: string): Week => [
  monday,
  ...Array.from({ length: 6 }, (_, index) => dayAfter(monday, index + 1)),
];

/** The whole weeks, Monday to Sunday, that contain a month. */
export function weeksOf(month: string): readonly [Week, ...Week[]] {
  const end = `${monthAfter(month, 1)}-01`;
  const first = mondayOf(`${month}-01`);
  const weeks: [Week, ...Week[]] = [weekFrom(first)];
  for (let monday = dayAfter(first, 7); monday < end; monday = dayAfter(monday, 7)) weeks.push(weekFrom(monday));
  return weeks;
}
