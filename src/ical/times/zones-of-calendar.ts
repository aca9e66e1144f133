import type { Calendar, ObjectZones, TimezoneRules } from '../read/calendar.ts';
import type { Where } from '../../problem.ts';
import type { ProblemList } from '../read/problem-list.ts';
import type { Budget } from './recurrence.ts';
import type { TimeValue } from '../read/time-value.ts';
import { zoneFromRules } from './timezone-rules.ts';
import { ianaName, tzidKey, zoneNameFromTzid, shownTzid } from '../read/tzid.ts';
import { instantFromWall, namedZone, UTC, type Zone } from './zone.ts';
import { DAY_MS } from '../../time.ts';
import { whereOf } from '../read/uid.ts';

/** The zones of one feed for one window; the meaning of each TZID is resolved once. */
export interface CalendarZones {
  zoneOf(time: TimeValue): Zone;
  /** Whether a value has no zone of its own, or an unknown one. */
  isFloating(time: TimeValue): boolean;
  instantOf(time: TimeValue): number;
  /** The feed's description of a value's zone, if there is one. */
  descriptionOf(time: TimeValue): DescribedZone | undefined;
  /** The TZIDs seen so far that the feed itself describes. */
  readonly described: readonly DescribedZone[];
}

/** The window that times are read for, in epoch milliseconds, and the zones for times that name none. */
export interface ZoneSettings {
  readonly window: { readonly from: number; readonly to: number };
  /** The source's zone, which takes precedence over X-WR-TIMEZONE. */
  readonly timezone: string | undefined;
  /** The site's zone, as a last resort. */
  readonly siteTimezone: string;
}

// Resolving a TZID may mean comparing it with every known zone. Times with further TZIDs are read as floating, and this
// is reported.
const TZIDS_MAX = 2_000;

/**
 * The zones of a calendar. A TZID means what its own VCALENDAR says (RFC 5545, 3.2.19), else what another one says.
 * Zones are resolved on first use; unknown and unreadable ones are then added to `problems`. Expanding descriptions
 * uses up `budget`.
 */
export function zonesOfCalendar(
  calendar: Calendar,
  settings: ZoneSettings,
  budget: Budget,
  problems: ProblemList,
): CalendarZones {
  const resolving: Resolving = { budget, problems, firstUse: firstUses(calendar), described: [] };
  const meaningOf = resolvedOnce(settings, resolving);
  const first = scopeOf(calendar, settings, meaningOf);
  const others = calendar.objects.map(({ timezone, timezones }) =>
    scopeOf({ timezone: timezone ?? calendar.timezone, timezones }, settings, (tzid, rules) =>
      rules ? meaningOf(tzid, rules) : first.meaningOf(tzid),
    ),
  );
  const scopeAt = ({ object }: TimeValue): Scope => (object === undefined ? first : (others[object] ?? first));
  const zoneOf = (time: TimeValue): Zone => {
    if (time.kind === 'utc') return UTC;
    const { floating, meaningOf: meaningIn } = scopeAt(time);
    return time.kind === 'zoned' ? (meaningIn(time.tzid ?? '').zone ?? floating) : floating;
  };
  return {
    zoneOf,
    isFloating: (time) =>
      time.kind === 'floating' || (time.kind === 'zoned' && scopeAt(time).meaningOf(time.tzid ?? '').zone === null),
    instantOf: (time) => instantFromWall(time.wall, zoneOf(time)),
    descriptionOf: (time) => (time.kind === 'zoned' ? scopeAt(time).meaningOf(time.tzid ?? '').description : undefined),
    described: resolving.described,
  };
}

/** What a TZID means. */
interface Meaning {
  /** Null if it is unknown. */
  readonly zone: Zone | null;
  readonly description?: DescribedZone;
}

/** The zones for the times in one VCALENDAR. */
interface Scope {
  readonly floating: Zone;
  meaningOf(tzid: string): Meaning;
}

function scopeOf(
  { timezone, timezones }: ObjectZones,
  settings: ZoneSettings,
  meaningOf: (tzid: string, rules: TimezoneRules | undefined) => Meaning,
): Scope {
  const known = new Map<string, Meaning>();
  return {
    floating: floatingZone(timezone, settings),
    meaningOf(tzid) {
      const before = known.get(tzid);
      if (before) return before;
      const meaning = meaningOf(tzid, timezones.get(tzidKey(tzid)));
      known.set(tzid, meaning);
      return meaning;
    },
  };
}

/** Resolves each description, and each TZID without one, once for all VCALENDARs. */
function resolvedOnce(
  settings: ZoneSettings,
  resolving: Resolving,
): (tzid: string, rules: TimezoneRules | undefined) => Meaning {
  const resolved = new Map<TimezoneRules | string, Meaning>();
  return (tzid, rules) => {
    const before = resolved.get(rules ?? tzid);
    if (before) return before;
    if (resolved.size === TZIDS_MAX) reportTooMany(tzid, resolving);
    const meaning = resolved.size < TZIDS_MAX ? resolvedZone(tzid, rules, settings, resolving) : { zone: null };
    resolved.set(rules ?? tzid, meaning);
    return meaning;
  };
}

const reportTooMany = (tzid: string, { problems, firstUse }: Resolving): void =>
  problems.add(
    'timezones-too-many',
    `The feed names more than ${TZIDS_MAX} time zones; the times of "${shownTzid(tzid)}" and of all further ones were read as local times.`,
    firstUse(tzid),
  );

/** Finds the first event that uses a TZID; the index is built on first use. */
function firstUses({ events }: Calendar): (tzid: string) => Where {
  let uses: Map<string, Where> | undefined;
  const gather = (): Map<string, Where> => {
    const places = new Map<string, Where>();
    for (const { line, uid, start, end, recurrenceId, rdates, exdates } of events) {
      for (const time of [
        start,
        end,
        recurrenceId,
        ...exdates,
        ...rdates.flatMap((period) => [period.start, period.end]),
      ]) {
        if (time?.tzid !== undefined && !places.has(time.tzid)) places.set(time.tzid, whereOf({ line, uid }));
      }
    }
    return places;
  };
  return (tzid) => (uses ??= gather()).get(tzid) ?? {};
}

function floatingZone(timezone: string | null, settings: ZoneSettings): Zone {
  const names = [settings.timezone, timezone, settings.siteTimezone].flatMap((name) => name || []);
  for (const name of names) {
    const zone = namedZone(zoneNameFromTzid(name) ?? name);
    if (zone) return zone;
  }
  return UTC;
}

/** A TZID that the feed describes. */
export interface DescribedZone {
  readonly tzid: string;
  readonly line: number;
  /** The zone used to read its times. It has no name if the description matches no IANA zone over the whole window. */
  readonly zone: Zone;
  /** What the VTIMEZONE says. */
  readonly own: Zone;
  /** Whether the TZID is an IANA name, which takes precedence over a VTIMEZONE that contradicts it. */
  readonly isIana: boolean;
  /** Zone names: possible meanings of the TZID, the zones of source and site, then all others. */
  readonly candidates: readonly string[];
}

interface Resolving {
  readonly budget: Budget;
  readonly problems: ProblemList;
  readonly firstUse: (tzid: string) => Where;
  readonly described: DescribedZone[];
}

/**
 * An IANA name means that zone. Any other name means its VTIMEZONE or, if there is none, the zone known by that name.
 */
function resolvedZone(
  tzid: string,
  rules: TimezoneRules | undefined,
  settings: ZoneSettings,
  resolving: Resolving,
): Meaning {
  const iana = ianaName(tzid);
  const real = iana === undefined ? undefined : namedZone(iana);
  const meanings = [tzid, rules?.location ?? ''].flatMap((name) => zoneNameFromTzid(name) ?? []);
  const own = rules && ownZone(tzid, rules, settings, resolving);
  if (rules && own) {
    const candidates = candidatesFor(meanings, settings);
    const zone = real ?? firstZone(candidates, (candidate) => isEqualOver(own, candidate, settings.window)) ?? own;
    const description = { tzid, line: rules.line, zone, own, isIana: real !== undefined, candidates };
    resolving.described.push(description);
    return { zone, description };
  }
  const meant = real ?? firstZone(meanings, () => true);
  if (!meant)
    resolving.problems.add(
      'timezone-unknown',
      `The time zone "${shownTzid(tzid)}" is unknown, and the feed does not describe it; its times were read as local times.`,
      resolving.firstUse(tzid),
    );
  return { zone: meant ?? null };
}

const candidatesFor = (meanings: readonly string[], { timezone, siteTimezone }: ZoneSettings): readonly string[] =>
  [...meanings, timezone ?? [], siteTimezone, COMMON, Intl.supportedValuesOf('timeZone')].flat();

/** The zone that the feed itself describes; undefined (with a problem) if the description cannot be expanded. */
function ownZone(
  tzid: string,
  rules: TimezoneRules,
  { window }: ZoneSettings,
  { budget, problems }: Resolving,
): Zone | undefined {
  const own = zoneFromRules(rules, window.to, budget);
  if (!own)
    problems.add('timezone-unreadable', `The VTIMEZONE of "${shownTzid(tzid)}" cannot be worked out and is not used.`, {
      line: rules.line,
    });
  return own;
}

// Tried first, so that common rules are given a well-known name.
const COMMON = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Athens',
  'Europe/Moscow',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Halifax',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Asia/Tehran',
  'Asia/Dubai',
  'Australia/Sydney',
  'Australia/Brisbane',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'Asia/Jerusalem',
];

/** The first of the named zones that fits; unknown names are skipped. */
export function firstZone(names: readonly string[], isWanted: (zone: Zone) => boolean): Zone | undefined {
  for (const name of names) {
    const zone = namedZone(name);
    if (zone && isWanted(zone)) return zone;
  }
  return undefined;
}

const STEP_MS = 6 * 3_600_000;
const MARGIN_MS = 31 * DAY_MS;

/** Whether two zones agree throughout the window and a month around it, checked every six hours. */
const isEqualOver = (one: Zone, other: Zone, { from, to }: ZoneSettings['window']): boolean =>
  isEqualBetween(one, other, Math.floor((from - MARGIN_MS) / STEP_MS) * STEP_MS, to + MARGIN_MS);

/** Whether two zones agree throughout a period, checked every six hours. */
export function isEqualBetween(one: Zone, other: Zone, from: number, to: number): boolean {
  const start = Math.ceil(from / STEP_MS) * STEP_MS;
  // First every 20 days, which is enough to tell most zones apart.
  for (const step of [80 * STEP_MS, STEP_MS]) {
    for (let at = start; at <= to; at += step) if (one.offsetAt(at) !== other.offsetAt(at)) return false;
  }
  return true;
}
