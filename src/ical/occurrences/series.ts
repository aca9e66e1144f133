import { textOf, type CalendarEvent } from '../read/calendar.ts';
import type { Occurrence } from './occurrence.ts';
import { inZoneOf, startsOfSeries, type SeriesContext, type SeriesStart } from './series-starts.ts';
import { timeIndex, type TimeIndex } from './time-index.ts';
import { lengthOf, spanFrom } from './time-span.ts';
import { digitsFromWall, type TimeValue } from '../read/time-value.ts';
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

/** The occurrences that one UID's components give in a window. */
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
  const later = overrides
    .filter(({ thisAndFuture }) => thisAndFuture)
    .toSorted((a, b) => zones.instantOf(a.recurrenceId) - zones.instantOf(b.recurrenceId));
  const bounds = wallBounds(master, later, window, context);
  const { starts, goesOn, isCut } = startsOfSeries(master, bounds.from, bounds.to, context);
  const { unchanged, changed } = instancesOf(starts, overrides, context);
  const excluded = exclusionsOf(master, context);
  const length = lengthOf(master, zones);
  const occurrences: Occurrence[] = unchanged
    .filter(({ start }) => !excluded.find(start))
    .map(
      ({ start, length: own }) =>
        shifted(master, start, later, context) ?? {
          event: master,
          ...identityOf(start, context),
          ...spanFrom(start, own ?? length, zones),
        },
    );
  for (const override of overrides) {
    const instance = changed.get(override);
    if (!instance) reportUnmatched(override, bounds, context);
    const original = instance ?? originalOf(override, master, context);
    if (excluded.find(original) && isTakenBack(override, master, context)) continue;
    occurrences.push(changedInstance(override, master, original, context));
  }
  const inside = occurrences.filter((occurrence) => isInside(occurrence, window));
  const begins = zones.instantOf(master.start);
  const isPartlyOutside = goesOn || inside.length < occurrences.length || begins < window.from || begins >= window.to;
  return { occurrences: inside, goesOn, isCut, isPartlyOutside, latestStart: Math.max(begins, latestOf(occurrences)) };
}

/**
 * Splits a series' instances into those changed by overrides (each override changes the first it matches) and unchanged
 * ones.
 */
function instancesOf(
  starts: readonly SeriesStart[],
  overrides: readonly Override[],
  { zones }: SeriesContext,
): { readonly unchanged: readonly SeriesStart[]; readonly changed: ReadonlyMap<Override, TimeValue> } {
  const overrideAt = timeIndex<Override>(zones);
  for (const override of overrides) overrideAt.add(override.recurrenceId, override);
  const changed = new Map<Override, TimeValue>();
  const unchanged: SeriesStart[] = [];
  for (const instance of starts) {
    const override = overrideAt.find(instance.start);
    if (!override) unchanged.push(instance);
    else if (!changed.has(override)) changed.set(override, instance.start);
  }
  return { unchanged, changed };
}

/** An override without its series is published on its own. */
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
  const length = lengthOf(master, zones);
  const margin = Math.max(
    0,
    ...later.map(
      (override) =>
        Math.abs(zones.instantOf(override.start) - zones.instantOf(override.recurrenceId)) +
        lengthOf(override, zones).ms,
    ),
  );
  const edge = (instant: number): { wall: number; slack: number } => ({
    wall: wallFromInstant(instant, zone),
    slack: Math.abs(zone.offsetAt(instant - DAY_MS) - zone.offsetAt(instant + DAY_MS)),
  });
  const [from, to] = [edge(window.from), edge(window.to)];
  return { from: from.wall - from.slack - margin - length.days * DAY_MS - length.ms, to: to.wall + to.slack + margin };
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

/**
 * An instance after a THISANDFUTURE override: it has the override's properties and length, and the same shift in wall
 * time (3.2.13).
 */
function shifted(
  master: CalendarEvent,
  start: TimeValue,
  later: readonly Override[],
  context: SeriesContext,
): Occurrence | undefined {
  const { zones } = context;
  const override = later.findLast(({ recurrenceId }) => zones.instantOf(recurrenceId) <= zones.instantOf(start));
  if (!override) return undefined;
  const original = originalOf(override, master, context);
  const moved = { ...override.start, wall: start.wall + (override.start.wall - original.wall) };
  return { event: override, ...identityOf(start, context), ...spanFrom(moved, lengthOf(override, zones), zones) };
}

const changedInstance = (
  override: Override,
  master: CalendarEvent,
  original: TimeValue,
  context: SeriesContext,
): Occurrence =>
  isBareCancellation(override)
    ? cancelledOf(override, master, original, context)
    : overrideOf(override, original, context);

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

/** A cancellation that says nothing except which instance it cancels. */
const isBareCancellation = ({ status, texts, end, duration }: CalendarEvent): boolean =>
  status === 'cancelled' && textOf(texts, 'SUMMARY') === '' && end === null && duration === null;

/** The instance as the series has it, cancelled. */
function cancelledOf(
  override: Override,
  master: CalendarEvent,
  original: TimeValue,
  context: SeriesContext,
): Occurrence {
  const event = { ...master, line: override.line, recurrenceId: override.recurrenceId, status: 'cancelled' as const };
  return {
    event,
    ...identityOf(original, context),
    ...spanFrom(original, lengthOf(master, context.zones), context.zones),
  };
}

/** The RECURRENCE-ID converted to the series' kind and zone. */
function originalOf({ recurrenceId }: Override, master: CalendarEvent, { zones }: SeriesContext): TimeValue {
  if (recurrenceId.kind === 'date' || master.start.kind === 'date' || recurrenceId.kind === 'floating')
    return recurrenceId;
  return master.start.kind === 'floating' ? recurrenceId : inZoneOf(recurrenceId, master.start, zones);
}

function reportUnmatched(override: Override, bounds: Window, { problems, zones }: SeriesContext): void {
  const at = wallFromInstant(zones.instantOf(override.recurrenceId), zones.floating);
  if (at < bounds.from || at > bounds.to) return;
  problems.add(
    'override-unmatched',
    'The RECURRENCE-ID of this instance matches no instance of its series; it is published anyway.',
    whereOf(override),
  );
}
