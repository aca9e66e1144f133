import { textOf, type Calendar, type CalendarEvent } from '../read/calendar.ts';
import type { Problem, Where } from '../../problem.ts';
import { localZones } from './local-zones.ts';
import { inOrderOfStart, type Occurrence } from './occurrence.ts';
import { problemList, type OnlyCounted, type ProblemList } from '../read/problem-list.ts';
import type { Budget } from '../times/recurrence.ts';
import {
  isInside,
  isOverride,
  isSeries,
  latestOf,
  occurrencesOf,
  orphanOf,
  type Override,
  type SeriesReading,
  type Window,
} from './series.ts';
import type { SeriesContext } from './series-starts.ts';
import type { Zone } from '../times/zone.ts';
import { zonesOfCalendar, type CalendarZones, type ZoneSettings } from '../times/zones-of-calendar.ts';
import { whereOf } from '../read/uid.ts';

export interface ExpandSettings extends ZoneSettings {
  /** The most occurrences per series; 5,000 by default. */
  readonly occurrencesPerSeries?: number;
  /** The most repetitions in the whole feed, apart from the first occurrence of each event; 50,000 by default. */
  readonly repetitionsPerFeed?: number;
}

export interface Expansion {
  /** Sorted by start, then UID. */
  readonly occurrences: readonly Occurrence[];
  readonly zones: CalendarZones;
  /** For zones that only the feed describes: the IANA zone that each equals throughout the feed's events. */
  readonly localZones: ReadonlyMap<Zone, Zone>;
  /** UIDs, as written, of components that have occurrences outside the window. */
  readonly outside: readonly string[];
  /** Components that are present but could not be fully read. */
  readonly unread: readonly Where[];
  /** The latest start that the feed covers; the window's end if a series goes on for ever. */
  readonly coversUntil: number;
  /**
   * UIDs, as written, of series that the feed gives completely: occurrences that are missing from the window do not
   * take place.
   */
  readonly wholeSeries: readonly string[];
  readonly problems: readonly Problem[];
}

const STEPS_PER_FEED = 8_000_000;
const REPETITIONS_MAX = 50_000;

/**
 * The occurrences of a calendar in a window. Each UID is expanded separately, at limited cost, and anything cut off is
 * reported.
 */
export function expandCalendar(calendar: Calendar, settings: ExpandSettings, onlyCounted?: OnlyCounted): Expansion {
  const problems = problemList(onlyCounted);
  const budget: Budget = { steps: STEPS_PER_FEED };
  const zones = zonesOfCalendar(calendar, settings, budget, problems);
  const context: SeriesContext = { zones, budget, problems, occurrencesMax: settings.occurrencesPerSeries ?? 5_000 };
  const found = new Set<Occurrence>();
  const outside = new Set<string>();
  const unread: Where[] = [...calendar.unread];
  let coversUntil = 0;
  const wholeSeries: string[] = [];
  for (const group of groupsOf(calendar.events)) {
    const reading = readingOf(group, settings.window, context);
    for (const occurrence of reading.occurrences) found.add(occurrence);
    coversUntil = Math.max(coversUntil, reading.goesOn ? settings.window.to : reading.latestStart);
    if (reading.isPartlyOutside) for (const uid of writtenUids(group)) outside.add(uid);
    if (reading.isCut) unread.push(whereOf(group[0]));
    else if (reading.isWhole) wholeSeries.push(...writtenUids(group));
  }
  const { occurrences, left } = withinLimit([...found].toSorted(inOrderOfStart), settings.repetitionsPerFeed, problems);
  unread.push(...left.map(whereOf));
  return {
    occurrences,
    zones,
    localZones: localZones(occurrences, zones, settings.window, problems),
    outside: [...outside],
    unread,
    coversUntil,
    wholeSeries,
    problems: problems.all(),
  };
}

/**
 * Drops the latest repetitions beyond the limit. A listed event takes space in the feed, whose events are limited in
 * number, but a rule of a few bytes makes thousands. `left` are the events that lost occurrences.
 */
function withinLimit(
  sorted: readonly Occurrence[],
  most = REPETITIONS_MAX,
  problems: ProblemList,
): { readonly occurrences: readonly Occurrence[]; readonly left: readonly CalendarEvent[] } {
  const times = new Map<CalendarEvent, number>();
  const left = new Set<CalendarEvent>();
  let repetitions = 0;
  const occurrences = sorted.filter(({ event }) => {
    const before = times.get(event) ?? 0;
    times.set(event, before + 1);
    if (before > 0) repetitions += 1;
    const isKept = before === 0 || repetitions <= most;
    if (!isKept) left.add(event);
    return isKept;
  });
  if (left.size > 0) {
    const [event, count] = [...times].reduce((one, other) => (other[1] > one[1] ? other : one));
    problems.add(
      'feed-cut',
      `The events of the feed repeat ${repetitions} times in the window; ` +
        `only the earliest ${most} of these repetitions are published. This one alone repeats ${count - 1} ` +
        'times. A shorter "window" of the source has fewer of them.',
      whereOf(event),
    );
  }
  return { occurrences, left: [...left] };
}

type Group = readonly [CalendarEvent, ...CalendarEvent[]];

/** Groups components by UID, wherever they are in the stream; each component without a UID is a group of its own. */
function groupsOf(events: readonly CalendarEvent[]): readonly Group[] {
  const groups = new Map<string | CalendarEvent, [CalendarEvent, ...CalendarEvent[]]>();
  for (const event of events) {
    const group = groups.get(event.uid ?? event);
    if (group) group.push(event);
    else groups.set(event.uid ?? event, [event]);
  }
  return [...groups.values()];
}

/** The UIDs of a group as written: with escapes in one component, perhaps, and without them in another. */
const writtenUids = (group: readonly CalendarEvent[]): readonly string[] => [
  ...new Set(group.flatMap(({ writtenUid }) => writtenUid ?? [])),
];

/** `isWhole` means that a single component is the series or event, so that the UID has no other occurrences. */
function readingOf(
  group: readonly CalendarEvent[],
  window: Window,
  context: SeriesContext,
): SeriesReading & { readonly isWhole: boolean } {
  const [first, ...others] = group;
  // Nearly every event is alone.
  if (first && others.length === 0 && first.recurrenceId === null)
    return { ...occurrencesOf(first, [], window, context), isWhole: true };
  const withoutId = group.filter((event) => event.recurrenceId === null);
  const series = withoutId.length > 0 ? withoutId : seriesWithId(group, context.problems);
  const masters = latestMasters(series, context.problems);
  const overrides = latestOverrides(
    group.filter(isOverride).filter((event) => !series.includes(event)),
    context,
  );
  const [firstMaster] = masters;
  if (!firstMaster) {
    const orphans = overrides.map((override) => orphanOf(override, context));
    const inside = orphans.filter((orphan) => isInside(orphan, window));
    return {
      occurrences: inside,
      goesOn: false,
      isCut: false,
      isPartlyOutside: inside.length < orphans.length,
      latestStart: latestOf(orphans),
      isWhole: false,
    };
  }
  // Overrides belong to the series; if several components share a UID, to the first recurring one.
  const owner = masters.find(isSeries) ?? firstMaster;
  const readings = masters.map((master) => occurrencesOf(master, master === owner ? overrides : [], window, context));
  return {
    occurrences: readings.flatMap(({ occurrences }) => occurrences),
    goesOn: readings.some(({ goesOn }) => goesOn),
    isCut: readings.some(({ isCut }) => isCut),
    isPartlyOutside: readings.some(({ isPartlyOutside }) => isPartlyOutside),
    latestStart: Math.max(...readings.map(({ latestStart }) => latestStart)),
    isWhole: masters.length === 1,
  };
}

/**
 * The components to read as the series although they have the RECURRENCE-ID of an instance (as Lotus Notes writes it),
 * if no other component is the series. If several have rules, they are changed instances that each kept the rule of
 * their series.
 */
function seriesWithId(group: readonly CalendarEvent[], problems: ProblemList): readonly CalendarEvent[] {
  const withRule = group.filter(({ rules }) => rules.length > 0);
  const series =
    withRule.length === 1 ? withRule : group.filter(({ rules, rdates }) => rules.length === 0 && rdates.length > 0);
  for (const event of series)
    problems.add(
      'series-with-recurrence-id',
      'This series has a RECURRENCE-ID, which only a changed instance may have. As no other component is the series, it was read as the series.',
      whereOf(event),
    );
  return series;
}

/**
 * Drops older revisions of an event (lower SEQUENCE, 3.8.7.4, and the same start or title). Other components with the
 * same UID are different events that share it by mistake, and all are kept.
 */
function latestMasters(masters: readonly CalendarEvent[], problems: ProblemList): readonly CalendarEvent[] {
  if (masters.length < 2) return masters;
  const newestFirst = masters.toSorted((a, b) => b.sequence - a.sequence).slice(0, MASTERS_COMPARED);
  const latest = masters.filter(
    (event) => !newestFirst.some((newer) => newer.sequence > event.sequence && isSameEvent(newer, event)),
  );
  for (const event of latest.slice(1))
    problems.add('uid-shared', 'Another event of the feed has the same UID; both are published.', whereOf(event));
  return latest;
}

const MASTERS_COMPARED = 200;

const isSameEvent = (one: CalendarEvent, other: CalendarEvent): boolean =>
  one.start.wall === other.start.wall ||
  (textOf(one.texts, 'SUMMARY') !== '' && textOf(one.texts, 'SUMMARY') === textOf(other.texts, 'SUMMARY'));

/**
 * Keeps one override per RECURRENCE-ID: the one with the highest SEQUENCE, then the latest revision, then the last in
 * the file.
 */
function latestOverrides(overrides: readonly Override[], { zones }: SeriesContext): readonly Override[] {
  const latest = new Map<number, Override>();
  for (const event of overrides) {
    const key = zones.instantOf(event.recurrenceId);
    const known = latest.get(key);
    const isLater =
      !known ||
      event.sequence > known.sequence ||
      (event.sequence === known.sequence && event.revisedAt >= known.revisedAt);
    if (isLater) latest.set(key, event);
  }
  return [...latest.values()];
}
