import { textOf, type CalendarEvent } from '../read/calendar.ts';
import type { Occurrence } from './occurrence.ts';
import { likeSeries, startsOfSeries, type SeriesContext, type SeriesStart } from './series-starts.ts';
import { timeIndex, type TimeIndex } from './time-index.ts';
import { lengthOf, spanFrom, type Length } from './time-span.ts';
import { digitsFromWall, type TimeValue, type WallMs } from '../read/time-value.ts';
import type { CalendarZones } from '../times/zones-of-calendar.ts';
import { wallFromInstant } from '../times/zone.ts';
import { DAY_MS } from '../../time.ts';
import { whereOf } from '../read/uid.ts';

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A component that changes one instance of a series, or that instance and all later ones. */
export type Override = CalendarEvent & { readonly recurrenceId: TimeValue };

export const isOverride = (event: CalendarEvent): event is Override => event.recurrenceId !== null;

/** The occurrences in a window from the components of one UID. */
export interface SeriesReading {
  readonly occurrences: readonly Occurrence[];
  readonly goesOn: boolean;
  readonly isCut: boolean;
  readonly isPartlyOutside: boolean;
  /** The latest start seen, in the window or near it. */
  readonly latestStart: number;
}

/**
 * The occurrences of one event or series in a window; overrides replace the instances that they name (RFC 5545,
 * 3.8.4.4).
 */
export function occurrencesOf(
  master: CalendarEvent,
  overrides: readonly Override[],
  window: Window,
  context: SeriesContext,
): SeriesReading {
  if (!isSeries(master) && overrides.length === 0) return singleOf(master, window, context);
  const { zones } = context;
  const later = overrides.filter(({ thisAndFuture }) => thisAndFuture);
  const bounds = wallBounds(master, later, window, context);
  const { starts, goesOn, isCut } = startsOfSeries(master, bounds.from, bounds.to, context);
  const { unchanged, changed } = instancesOf(starts, overrides, context);
  const excluded = exclusionsOf(master, context);
  const versionAt = versionsOf(master, later, context);
  const occurrences = unchanged
    .filter(({ start }) => !excluded.find(start))
    .map((instance) => occurrenceOf(instance, versionAt(instance.start), context));
  for (const override of overrides) {
    const instance = changed.get(override);
    const original = instance ?? { start: likeSeries(override.recurrenceId, master.start, zones) };
    if (!instance) reportUnmatched(override, original, bounds, context);
    if (excluded.find(original.start) && isTakenBack(override, master, context)) continue;
    occurrences.push(
      isBareCancellation(override)
        ? occurrenceOf(original, cancelledBy(override, versionAt(original.start)), context)
        : overrideOf(inWordsOf(versionAt(original.start).event, override), original.start, context),
    );
  }
  const inside = occurrences.filter((occurrence) => isInside(occurrence, window));
  const begins = zones.instantOf(master.start);
  const isPartlyOutside = goesOn || inside.length < occurrences.length || begins < window.from || begins >= window.to;
  return { occurrences: inside, goesOn, isCut, isPartlyOutside, latestStart: Math.max(begins, latestOf(occurrences)) };
}

/**
 * Splits a series' instances into those changed by overrides (each override changes the first that it matches) and
 * unchanged ones.
 */
function instancesOf(
  starts: readonly SeriesStart[],
  overrides: readonly Override[],
  { zones }: SeriesContext,
): { readonly unchanged: readonly SeriesStart[]; readonly changed: ReadonlyMap<Override, SeriesStart> } {
  const overrideAt = timeIndex<Override>(zones);
  for (const override of overrides) overrideAt.add(override.recurrenceId, override);
  const changed = new Map<Override, SeriesStart>();
  const unchanged: SeriesStart[] = [];
  for (const instance of starts) {
    const override = overrideAt.find(instance.start);
    if (!override) unchanged.push(instance);
    else if (!changed.has(override)) changed.set(override, instance);
  }
  return { unchanged, changed };
}

/** Publishes an override on its own if its series is missing. */
export function orphanOf(override: Override, context: SeriesContext): Occurrence {
  context.problems.add(
    'override-without-series',
    'This changed instance belongs to a series that is not in the feed; it is published on its own.',
    whereOf(override),
  );
  return overrideOf(override, override.recurrenceId, context);
}

/** Whether an occurrence overlaps the window, even if it began earlier. */
export const isInside = ({ startsAt, endsAt }: Occurrence, { from, to }: Window): boolean =>
  startsAt < to && (startsAt >= from || endsAt > from);

export const isSeries = (event: CalendarEvent): boolean => event.rules.length > 0 || event.rdates.length > 0;

function singleOf(event: CalendarEvent, window: Window, { zones }: SeriesContext): SeriesReading {
  const occurrence: Occurrence = {
    event,
    recurrenceId: null,
    originalStart: 0,
    ...spanFrom(event.start, lengthOf(event, zones), zones),
  };
  const inside = isInside(occurrence, window);
  return {
    occurrences: inside ? [occurrence] : [],
    goesOn: false,
    isCut: false,
    isPartlyOutside: !inside,
    latestStart: occurrence.startsAt,
  };
}

export const latestOf = (occurrences: readonly Occurrence[]): number =>
  occurrences.reduce((latest, { startsAt }) => Math.max(latest, startsAt), -Infinity);

/**
 * The window in the series' wall time, extended for occurrences that began earlier and for those moved by
 * THISANDFUTURE.
 */
function wallBounds(
  master: CalendarEvent,
  later: readonly Override[],
  window: Window,
  { zones }: SeriesContext,
): Window {
  const zone = zones.zoneOf(master.start);
  const lengths = [master, ...later].map((event) => lengthOf(event, zones));
  const longest = (unit: keyof Length): number => Math.max(...lengths.map((length) => length[unit]));
  const shift = Math.max(
    0,
    ...later.map(({ start, recurrenceId }) => Math.abs(zones.instantOf(start) - zones.instantOf(recurrenceId))),
  );
  const edge = (instant: number): { wall: number; slack: number } => ({
    wall: wallFromInstant(instant, zone),
    slack: Math.abs(zone.offsetAt(instant - DAY_MS) - zone.offsetAt(instant + DAY_MS)),
  });
  // The exact time is subtracted from the instant, as clocks may change between a start and its end.
  const [from, to] = [edge(window.from - longest('ms')), edge(window.to)];
  return { from: from.wall - from.slack - shift - longest('days') * DAY_MS, to: to.wall + to.slack + shift };
}

function exclusionsOf(master: CalendarEvent, { zones }: SeriesContext): TimeIndex<true> {
  const excluded = timeIndex<true>(zones);
  for (const exdate of master.exdates) excluded.add(exdate, true);
  return excluded;
}

function identityOf(original: TimeValue, { zones }: SeriesContext): Pick<Occurrence, 'recurrenceId' | 'originalStart'> {
  const isDate = original.kind === 'date';
  return {
    recurrenceId: digitsFromWall(original.wall, isDate),
    originalStart: isDate ? original.wall : zones.instantOf(original),
  };
}

/** A version of a series, from one of its instances until the next version. */
interface Version {
  readonly since: number;
  readonly event: CalendarEvent;
  /** The event's start; all instances are in its zone. */
  readonly start: TimeValue;
  /** The shift relative to the series' own wall times. */
  readonly shift: WallMs;
  readonly length: Length;
  /** Whether an instance keeps a length of its own. */
  readonly keepsLengths: boolean;
}

/**
 * Returns the version of a series that applies to an instance. Each THISANDFUTURE override (3.2.13) begins one, with
 * its properties and length and the same shift in wall time; a bare cancellation only changes the status.
 */
function versionsOf(
  master: CalendarEvent,
  later: readonly Override[],
  { zones }: SeriesContext,
): (start: TimeValue) => Version {
  const { start } = master;
  let last: Version = {
    since: -Infinity,
    event: master,
    start,
    shift: 0,
    length: lengthOf(master, zones),
    keepsLengths: true,
  };
  const versions = [last];
  const begins = later
    .map((override) => ({ override, original: likeSeries(override.recurrenceId, start, zones) }))
    .map((each) => ({ ...each, since: zones.instantOf(each.original) }))
    .toSorted((a, b) => a.since - b.since);
  for (const { override, original, since } of begins) {
    last = isBareCancellation(override)
      ? { ...cancelledBy(override, last), since }
      : { since, ...changedBy(inWordsOf(last.event, override), original, zones) };
    versions.push(last);
  }
  return (time) => {
    const instant = zones.instantOf(time);
    return versions.findLast(({ since }) => since <= instant) ?? last;
  };
}

const changedBy = (override: Override, original: TimeValue, zones: CalendarZones): Omit<Version, 'since'> => ({
  event: override,
  start: override.start,
  shift: override.start.wall - original.wall,
  length: lengthOf(override, zones),
  keepsLengths: false,
});

/** The same version, but cancelled. */
const cancelledBy = ({ line, recurrenceId }: Override, version: Version): Version => ({
  ...version,
  event: { ...version.event, line, recurrenceId, status: 'cancelled' },
});

/**
 * Completes a cancellation without a title from its series, because it omits what it does not change (RFC 5546, 3.2.5).
 */
function inWordsOf(series: CalendarEvent, override: Override): Override {
  if (!isWordlessCancellation(override)) return override;
  const said = Object.entries(override.texts).filter(([name]) => textOf(override.texts, name) !== '');
  return {
    ...override,
    texts: { ...series.texts, ...Object.fromEntries(said) },
    categories: override.categories.length > 0 ? override.categories : series.categories,
    geo: override.geo ?? series.geo,
    places: override.places.length > 0 ? override.places : series.places,
  };
}

const occurrenceOf = (instance: SeriesStart, version: Version, context: SeriesContext): Occurrence => ({
  event: version.event,
  ...identityOf(instance.start, context),
  ...spanFrom(
    { ...version.start, wall: instance.start.wall + version.shift },
    (version.keepsLengths ? instance.length : undefined) ?? version.length,
    context.zones,
  ),
});

const overrideOf = (override: Override, original: TimeValue, context: SeriesContext): Occurrence => ({
  event: override,
  ...identityOf(original, context),
  ...spanFrom(override.start, lengthOf(override, context.zones), context.zones),
});

/**
 * Whether an instance that is both excluded (EXDATE) and changed stays excluded: the later revision wins (SEQUENCE,
 * 3.8.7.4), or the change if both are equal.
 */
function isTakenBack(override: Override, master: CalendarEvent, { problems }: SeriesContext): boolean {
  if (override.status === 'cancelled') return false;
  const isNewer = master.sequence > override.sequence;
  problems.add(
    'override-excluded',
    'The series excludes (EXDATE) the instance that this component changes; ' +
      `${isNewer ? 'its SEQUENCE is higher, so the instance is left out' : 'the change is published'}.`,
    whereOf(override),
  );
  return isNewer;
}

/** A cancellation that only says which instance it cancels. */
const isBareCancellation = (event: CalendarEvent): boolean =>
  isWordlessCancellation(event) && event.end === null && event.duration === null;

const isWordlessCancellation = ({ status, texts }: CalendarEvent): boolean =>
  status === 'cancelled' && textOf(texts, 'SUMMARY') === '';

function reportUnmatched(
  override: Override,
  { start: { wall } }: SeriesStart,
  bounds: Window,
  { problems }: SeriesContext,
): void {
  if (wall < bounds.from || wall > bounds.to) return;
  problems.add(
    'override-unmatched',
    'The RECURRENCE-ID of this instance matches no instance of its series; it is published anyway.',
    whereOf(override),
  );
}
