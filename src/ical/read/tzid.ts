import { createRequire } from 'node:module';
import { tzlib_get_timezones as libraryNames } from 'timezones-ical-library';
import type * as WindowsIana from 'windows-iana';
import { whenAsked } from '../../remembered.ts';
import { isZone, offsetAt, steadyZone } from '../../time.ts';

/** Loaded on first use: a table of hundreds of names, and most calendars use IANA names. */
const windowsIana = whenAsked(() => createRequire(import.meta.url)('windows-iana') as typeof WindowsIana);

/**
 * The zone name that a TZID stands for, as publishers write it; undefined if unknown. Only the name is considered; a
 * VTIMEZONE may be more precise.
 */
export function zoneNameFromTzid(tzid: string): string | undefined {
  const name = tzidKey(tzid);
  return (
    nameInAnyCase(name.includes('/') ? name.replaceAll(' ', '_') : name) ??
    prefixedName(name) ??
    windowsName(name) ??
    offsetName(name)
  );
}

/** A TZID, shortened for messages. */
export const shownTzid = (tzid: string): string => tzid.slice(0, 80);

/** Normalises a TZID for comparison: it may be quoted in parameters, and escaped in VTIMEZONEs. */
export const tzidKey = (tzid: string): string => tzid.replace(/["\\]/g, '').trim();

/**
 * The IANA name that a TZID matches exactly. Undefined for any other spelling (`Europe/berlin`), which a VTIMEZONE may
 * explain better.
 */
export function ianaName(tzid: string): string | undefined {
  const name = tzidKey(tzid);
  if (/^(?:UTC|GMT)$/.test(name)) return 'UTC';
  return name.includes('/') && IANA_NAMES.get(name.toLowerCase()) === name && isZone(name) ? name : undefined;
}

function nameInAnyCase(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name) || /^(?:UTC|GMT)[+-]/i.test(name) || !isZone(name)) return undefined;
  if (/^(?:utc|gmt|z)$/i.test(name)) return 'UTC';
  return IANA_NAMES.get(name.toLowerCase()) ?? (name.includes('/') ? namedByIcuAlone(name) : name);
}

/**
 * Handles names that only ICU knows and other programs reject: `US/Pacific-New` is America/Los_Angeles;
 * `SystemV/EST5EDT` is not in the IANA database.
 */
function namedByIcuAlone(name: string): string | undefined {
  const canonical = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  return IANA_NAMES.get(canonical.toLowerCase());
}

// Intl lists no aliases (US/Eastern); the library does.
const IANA_NAMES = new Map(
  [libraryNames(), Intl.supportedValuesOf('timeZone')].flat().map((name) => [name.toLowerCase(), name]),
);

/**
 * `/freeassociation.sourceforge.net/Europe/Berlin`, `/mozilla.org/20071231_1/Europe/Berlin`, `tzone://Microsoft/Utc`,
 * `Europe-Berlin`.
 */
function prefixedName(name: string): string | undefined {
  const parts = name.split(/[/:]+/).filter((part) => part !== '');
  for (let from = Math.max(0, parts.length - 3); from < parts.length; from += 1) {
    const found = nameInAnyCase(parts.slice(from).join('/'));
    if (found && (found.includes('/') || found === 'UTC')) return found;
  }
  return nameInAnyCase(name.replace(/^(\w+)-(\w+)$/, '$1/$2'));
}

// Display names of Exchange and others, by their first city. The offset in parentheses is the one in winter.
const CITIES = new Map(
  Object.entries({
    amsterdam: 'Europe/Amsterdam',
    belgrade: 'Europe/Belgrade',
    brussels: 'Europe/Brussels',
    sarajevo: 'Europe/Warsaw',
    athens: 'Europe/Athens',
    helsinki: 'Europe/Helsinki',
    dublin: 'Europe/London',
    'greenwich mean time': 'Europe/London',
    moscow: 'Europe/Moscow',
    'pacific time': 'America/Los_Angeles',
    'mountain time': 'America/Denver',
    'central time': 'America/Chicago',
    'eastern time': 'America/New_York',
    'atlantic time': 'America/Halifax',
    brasilia: 'America/Sao_Paulo',
    arizona: 'America/Phoenix',
    chennai: 'Asia/Kolkata',
    beijing: 'Asia/Shanghai',
    osaka: 'Asia/Tokyo',
    seoul: 'Asia/Seoul',
    canberra: 'Australia/Sydney',
    brisbane: 'Australia/Brisbane',
    perth: 'Australia/Perth',
    adelaide: 'Australia/Adelaide',
    auckland: 'Pacific/Auckland',
    jerusalem: 'Asia/Jerusalem',
    cairo: 'Africa/Cairo',
    istanbul: 'Europe/Istanbul',
    bern: 'Europe/Zurich',
    edinburgh: 'Europe/London',
    kyiv: 'Europe/Kiev',
    wellington: 'Pacific/Auckland',
    alaska: 'America/Anchorage',
    newfoundland: 'America/St_Johns',
  }),
);

/** `W. Europe Standard Time`, `(UTC+01:00) Amsterdam, Berlin, Bern …`, and localised or abbreviated variants. */
function windowsName(name: string): string | undefined {
  const own = ownWindowsName(name);
  if (own) return own;
  const [whole = '', offset, first = '', slash] = /^(\((?:UTC|GMT)[^)]*\)\s*)?([^,(/&]+)(\/?)/i.exec(name) ?? [];
  const city = first.trim().toLowerCase();
  if (offset !== undefined) return CITIES.get(city) ?? placeAt(offset, name.slice(whole.indexOf(')') + 1));
  return slash === '' ? (CITIES.get(city) ?? ZONES_OF_CITIES.get(city)) : undefined;
}

function ownWindowsName(name: string): string | undefined {
  const { findIana } = windowsIana();
  return findIana(name)[0] ?? findIana(name.replace(/ (?:Daylight|Summer) Time$/i, ' Standard Time'))[0];
}

/**
 * The zone that the words after an offset name: `(GMT+01:00) Berlin` (Rails), `(GMT-0500) United States (New York)
 * Time` (Eventbrite), `(GMT-05:00) Eastern Standard Time (America/New_York)` (Salesforce), `(GMT-04:00) Eastern Time -
 * New York` (Google). It must have that offset in winter or in summer.
 */
function placeAt(offset: string, words: string): string | undefined {
  const name = offsetName(offset.trim());
  if (name === undefined) return undefined;
  const isThere = (zone: string): boolean =>
    [WINTER, SUMMER].some((instant) => offsetAt(instant, zone) === offsetAt(instant, name));
  const parts = [words, ...words.split(/[,()&]|\s[-–]\s/)].map((part) => part.trim()).filter((part) => part !== '');
  return parts.flatMap((part) => placeNamed(part) ?? []).find(isThere);
}

const placeNamed = (words: string): string | undefined =>
  (words.includes('/') ? nameInAnyCase(words) : undefined) ??
  CITIES.get(words.toLowerCase()) ??
  ZONES_OF_CITIES.get(words.toLowerCase()) ??
  ownWindowsName(words);

const [WINTER, SUMMER] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)] as const;

/**
 * `Berlin`, `London`, as programs written in Ruby on Rails write zones. If there is an offset, that is more reliable.
 */
const ZONES_OF_CITIES = new Map(
  Intl.supportedValuesOf('timeZone').map((name) => [
    name
      .slice(name.lastIndexOf('/') + 1)
      .replaceAll('_', ' ')
      .toLowerCase(),
    name,
  ]),
);

/**
 * `GMT+0200`, `UTC+02:00`, `+0330`, `(UTC+02:00) …` or `UTC`, in the form that the site's interface uses: `UTC+2`,
 * `UTC+3.5`.
 */
function offsetName(name: string): string | undefined {
  if (/^(?:\(?(?:UTC|GMT|Z)\)?|tzone:\/\/microsoft\/utc|coordinated universal time)$/i.test(name)) return 'UTC';
  const parts = /^\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})[:.]?([0-5]\d)?(?:\)|$)/i.exec(name);
  if (!parts || Number(parts[2]) > 14) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return steadyZone(parts[1] === '-' ? -minutes : minutes);
}
