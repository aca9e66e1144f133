import type { Calendar, CalendarEvent } from '../read/calendar.ts';
import type { Problem, Where } from '../../problem.ts';
import { textOf } from '../read/event-from-component.ts';
import { localZones } from './local-zones.ts';
import type { Occurrence } from './occurrence.ts';
import { problemList, type ProblemList } from '../read/problem-list.ts';
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
import { placeOf, type SeriesContext } from './series-starts.ts';
import type { Zone } from '../times/zone.ts';
import { zonesOfCalendar, type CalendarZones, type ZoneSettings } from '../times/zones-of-calendar.ts';

export interface ExpandSettings extends ZoneSettings {
  /** Of one series; 5,000 where it is left out. */
  readonly occurrencesPerSeries?: number;
  /** Of the whole feed; 50,000 where it is left out. */
  readonly occurrencesPerFeed?: number;
}

export interface Expansion {
  /** By start, then UID. */
  readonly occurrences: readonly Occurrence[];
  readonly zones: CalendarZones;
  /**
   * For zones that only the feed describes: the IANA zone that each of them equals for as long as the feed's events
   * last.
   */
  readonly localZones: ReadonlyMap<Zone, Zone>;
  /** UIDs, as written, of components that have occurrences outside the window. */
  readonly outside: readonly string[];
  /** Components that are there, but not fully known. */
  readonly unread: readonly Where[];
  /** The latest start that the feed covers: the window's end if a series goes on for ever. */
  readonly coversUntil: number;
  /** UIDs, as written, of series that are here in full: what they do not have in the window does not take place. */
  readonly wholeSeries: readonly string[];
  readonly problems: readonly Problem[];
}

const STEPS_PER_FEED = 8_000_000;

/**
 * A calendar → its occurrences in a window. Every UID is expanded by itself: its cost is limited, and what is cut off
 * is reported.
 */
export function expandCalendar(calendar: Calendar, settings: ExpandSettings): Expansion {
  const problems = problemList();
  const budget: Budget = { steps: STEPS_PER_FEED };
  const zones = zonesOfCalendar(calendar, settings, budget, problems);
  const context: SeriesContext = { zones, budget, problems, occurrencesMax: settings.occurrencesPerSeries ?? 5_000 };
  const found = new Set<Occurrence>();
  const outside = new Set<string>();
  const unread: Where[] = calendar.unread.map(({ line, uid }) => ({ line, ...(uid === null ? {} : { uid }) }));
  let coversUntil = 0;
  const wholeSeries: string[] = [];
  for (const group of groupsOf(calendar.events)) {
    const reading = readingOf(group, settings.window, context);
    for (const occurrence of reading.occurrences) found.add(occurrence);
    coversUntil = Math.max(coversUntil, reading.goesOn ? settings.window.to : reading.latestStart);
    if (reading.isPartlyOutside) for (const uid of writtenUids(group)) outside.add(uid);
    if (reading.isCut) unread.push(placeOf(group[0]));
    else if (reading.isWhole) wholeSeries.push(...writtenUids(group));
  }
  const sorted = [...found].toSorted(byStartAndUid);
  const most = settings.occurrencesPerFeed ?? 50_000;
  const occurrences = sorted.slice(0, most);
  if (sorted.length > most) {
    problems.add(
      'feed-cut',
      `The feed has ${sorted.length} occurrences in the window; only the first ${most} are published.`,
    );
    unread.push(
      ...sorted
        .slice(most)
        .map(({ event }) => placeOf(event))
        .slice(0, 1_000),
    );
  }
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

const byStartAndUid = (a: Occurrence, b: Occurrence): number =>
  a.startsAt - b.startsAt ||
  compare(a.event.uid ?? '', b.event.uid ?? '') ||
  compare(a.recurrenceId ?? '', b.recurrenceId ?? '') ||
  a.event.line - b.event.line;

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type Group = readonly [CalendarEvent, ...CalendarEvent[]];

/** The components of one UID belong together, wherever they are in the stream; each without a UID is by itself. */
function groupsOf(events: readonly CalendarEvent[]): readonly Group[] {
  const groups = new Map<string | CalendarEvent, [CalendarEvent, ...CalendarEvent[]]>();
  for (const event of events) {
    const group = groups.get(event.uid ?? event);
    if (group) group.push(event);
    else groups.set(event.uid ?? event, [event]);
  }
  return [...groups.values()];
}

/** A UID may be written in several ways, by one component with escapes, by another without. */
const writtenUids = (group: readonly CalendarEvent[]): readonly string[] => [
  ...new Set(group.flatMap(({ writtenUid }) => writtenUid ?? [])),
];

/**
 * `isWhole`: one component is the series or the single event, so that its UID has no other occurrences than those it
 * gives.
 */
function readingOf(
  group: readonly CalendarEvent[],
  window: Window,
  context: SeriesContext,
): SeriesReading & { readonly isWhole: boolean } {
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
  // Overrides belong to the series; where several components share a UID, to the first that recurs.
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
 * A component that recurs is a series, even with the RECURRENCE-ID of an instance (as Lotus Notes writes it), if no
 * other
 * component is the series. Several with rules are changed instances that have each kept the rule of their series.
 */
function seriesWithId(group: readonly CalendarEvent[], problems: ProblemList): readonly CalendarEvent[] {
  const withRule = group.filter(({ rules }) => rules.length > 0);
  const series =
    withRule.length === 1 ? withRule : group.filter(({ rules, rdates }) => rules.length === 0 && rdates.length > 0);
  for (const event of series)
    problems.add(
      'series-with-recurrence-id',
      'This series has a RECURRENCE-ID, which only a changed instance may have. As no other component is the series, it was read as the series.',
      placeOf(event),
    );
  return series;
}

/**
 * An older revision of an event (a lower SEQUENCE, 3.8.7.4, with the same start or title) gives way.
 * Other components with one UID are different events that share it by mistake: both are kept.
 */
function latestMasters(masters: readonly CalendarEvent[], problems: ProblemList): readonly CalendarEvent[] {
  if (masters.length < 2) return masters;
  const newestFirst = masters.toSorted((a, b) => b.sequence - a.sequence).slice(0, MASTERS_COMPARED);
  const latest = masters.filter(
    (event) => !newestFirst.some((newer) => newer.sequence > event.sequence && isSameEvent(newer, event)),
  );
  for (const event of latest.slice(1))
    problems.add('uid-shared', 'Another event of the feed has the same UID; both are published.', placeOf(event));
  return latest;
}

const MASTERS_COMPARED = 200;

const isSameEvent = (one: CalendarEvent, other: CalendarEvent): boolean =>
  one.start.wall === other.start.wall ||
  (textOf(one.texts, 'SUMMARY') !== '' && textOf(one.texts, 'SUMMARY') === textOf(other.texts, 'SUMMARY'));

/** One override per RECURRENCE-ID: the highest SEQUENCE, then the latest revision, then the last one written. */
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
