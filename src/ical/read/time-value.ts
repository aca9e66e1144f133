import type { Property } from './property.ts';
import { DAY_MS } from '../../time.ts';

/** A wall-clock time in milliseconds, as if it were UTC, so that we can calculate with it in any zone. */
export type WallMs = number;

/**
 * A DATE or DATE-TIME as written (RFC 5545, 3.3.4 and 3.3.5). Its instant depends on the zones and is determined during
 * expansion.
 */
export interface TimeValue {
  readonly kind: 'date' | 'floating' | 'utc' | 'zoned';
  readonly wall: WallMs;
  /** As written; only for kind `zoned`. */
  readonly tzid?: string;
  /** The VCALENDAR that determines its zone, as an index into `Calendar.objects`; absent if the first one does. */
  readonly object?: number;
}

/** A duration (3.3.6): days are nominal, everything else is exact. */
export interface Duration {
  readonly days: number;
  readonly ms: number;
}

/** An RDATE (3.8.5.2): a start, or a period with its own end or duration. */
export interface Period {
  readonly start: TimeValue;
  readonly end: TimeValue | null;
  readonly duration: Duration | null;
}

const DIGITS = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i;

/** The value of a date property, or undefined if it is invalid (month 13, 24:00, words). */
export const timeFromProperty = (property: Property): TimeValue | undefined =>
  timeFromText(property.value.trim(), property.parameters);

/** The same for a property that says when something ends. Here 24:00 is valid: the start of the next day (ISO 8601). */
export const endFromProperty = ({ value, parameters }: Property): TimeValue | undefined =>
  endFromText(value.trim(), parameters);

function endFromText(text: string, parameters: Readonly<Record<string, string>>): TimeValue | undefined {
  const begun = text.replace(DAY_END, '00$1');
  const time = timeFromText(begun, parameters);
  return time && begun !== text ? { ...time, wall: time.wall + DAY_MS } : time;
}

const DAY_END = /(?<=^[\d-]{8,10}[T ])24(:?00(?::?00)?(?:Z|[+-][\d:]{4,5})?)$/i;

/** One value of a list such as EXDATE. */
export function timeFromText(text: string, parameters: Readonly<Record<string, string>>): TimeValue | undefined {
  const digits = DIGITS.exec(text);
  if (!digits) return timeFromIso(text, parameters);
  const wall = wallFromDigits(digits);
  if (Number.isNaN(wall)) return undefined;
  const isDate = digits[4] === undefined || parameters['VALUE']?.toUpperCase() === 'DATE';
  if (isDate) return { kind: 'date', wall: dayOf(wall) };
  if (digits[7] !== undefined) return { kind: 'utc', wall };
  return parameters['TZID'] ? { kind: 'zoned', wall, tzid: parameters['TZID'] } : { kind: 'floating', wall };
}

/** The wall time matched by DIGITS. A leap second (60; 3.3.12) becomes the last second of its minute. */
function wallFromDigits(digits: RegExpExecArray): WallMs {
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0] = digits;
  if (Number(seconds) > 60) return Number.NaN;
  const second = Math.min(59, Number(seconds));
  return wallMs(Number(year), Number(month), Number(day), Number(hours), Number(minutes), second);
}

/**
 * `2026-05-01T10:00:00+02:00`, `20260501T100000.000Z`: not iCalendar (3.3.5), but some programs write this, and it is
 * unambiguous.
 */
function timeFromIso(text: string, parameters: Readonly<Record<string, string>>): TimeValue | undefined {
  const parts = ISO.exec(text);
  if (!parts) return undefined;
  const [, year = '', month = '', day = '', hours, minutes, seconds = '00', offset = ''] = parts;
  const time = timeFromText(
    hours === undefined
      ? year + month + day
      : `${year}${month}${day}T${hours}${minutes}${seconds}${/^Z$/i.test(offset) ? 'Z' : ''}`,
    parameters,
  );
  const ms = offsetFromText(offset);
  return time && time.kind !== 'date' && ms !== undefined ? { kind: 'utc', wall: time.wall - ms } : time;
}

const ISO = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Milliseconds as if UTC; NaN if the day or time does not exist. */
function wallMs(year: number, month: number, day: number, hours: number, minutes: number, seconds: number): WallMs {
  if (year < 1 || hours > 23 || minutes > 59 || seconds > 59) return Number.NaN;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN;
  // Date.UTC reads years before 100 as years of the 20th century.
  return Date.UTC(year + 400, month - 1, day, hours, minutes, seconds) - FOUR_CENTURIES_MS;
}

const FOUR_CENTURIES_MS = 146_097 * DAY_MS;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);

export const dayOf = (wall: WallMs): WallMs => Math.floor(wall / DAY_MS) * DAY_MS;

/** The form used in recurrence ids: `20270110T180000`, or `20270110` for a day. */
export function digitsFromWall(wall: WallMs, isDate: boolean): string {
  const compact = isoDigits(wall).replace(/[-:]/g, '');
  return isDate ? compact.slice(0, 8) : compact;
}

/** `2027-01-10T18:00:00` */
export const isoDigits = (wall: WallMs): string => new Date(wall).toISOString().slice(0, 19);

const DURATION = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)W)?(?:(\d+)D)?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;
const DURATION_MS_MAX = 1000 * 366 * DAY_MS;

/** A DURATION value, or undefined if it is invalid or longer than a thousand years. */
export function durationFromText(text: string): Duration | undefined {
  const parts = DURATION.exec(text.trim());
  if (!parts || /^[+-]?PT?$/i.test(text.trim())) return undefined;
  const [weeks = 0, days = 0, weeksInTime = 0, daysInTime = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number(part ?? 0));
  const sign = parts[1] === '-' ? -1 : 1;
  const ms = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const whole = (weeks + weeksInTime) * 7 + days + daysInTime;
  return ms + whole * DAY_MS > DURATION_MS_MAX ? undefined : { days: sign * whole, ms: sign * ms };
}

/** `START/END`, `START/DURATION` or `START`; undefined if it is invalid. */
export function periodFromText(text: string, parameters: Readonly<Record<string, string>>): Period | undefined {
  const [first = '', second] = text.trim().split('/', 2);
  const start = timeFromText(first, parameters);
  if (!start) return undefined;
  const duration = second === undefined ? null : (durationFromText(second) ?? null);
  const end = second === undefined || duration ? null : (endFromText(second, parameters) ?? null);
  return { start, end, duration };
}

/** A UTC-OFFSET (`+0200`, `-093000`) in milliseconds, or undefined. */
export function offsetFromText(text: string): number | undefined {
  const parts = /^([+-]?)(\d{1,2}):?(\d{2}):?(\d{2})?$/.exec(text.trim());
  if (!parts) return undefined;
  const ms = ((Number(parts[2]) * 60 + Number(parts[3])) * 60 + Number(parts[4] ?? 0)) * 1000;
  if (ms > 16 * 3_600_000) return undefined;
  return parts[1] === '-' ? -ms : ms;
}
