import type { CalendarEvent } from '../read/calendar.ts';
import type { ProblemList } from '../read/problem-list.ts';
import { startsFromRule, withCount, type Budget } from '../times/recurrence.ts';
import { ruleFromText, type RecurrenceRule } from '../times/recurrence-rule.ts';
import { lengthOfPeriod, spanFrom, type Length } from './time-span.ts';
import { dayOf, type TimeValue, type WallMs } from '../read/time-value.ts';
import type { CalendarZones } from '../times/zones-of-calendar.ts';
import { wallFromInstant } from '../times/zone.ts';
import { DAY_MS } from '../../time.ts';
import { whereOf } from '../read/uid.ts';

export interface SeriesStart {
  readonly start: TimeValue;
  /** Only for an RDATE period. */ readonly length?: Length;
}

export interface SeriesStarts {
  readonly starts: readonly SeriesStart[];
  /** Whether a rule is endless, or continues beyond the window. */
  readonly goesOn: boolean;
  /** Whether something was cut off by a limit or could not be read. */
  readonly isCut: boolean;
}

export interface SeriesContext {
  readonly zones: CalendarZones;
  readonly budget: Budget;
  readonly occurrencesMax: number;
  readonly problems: ProblemList;
}

/**
 * The recurrence set of a series (RFC 5545, 3.8.5) between two wall times, before EXDATE: DTSTART, RRULEs and RDATEs
 * minus EXRULEs, in order.
 */
export function startsOfSeries(event: CalendarEvent, from: WallMs, to: WallMs, context: SeriesContext): SeriesStarts {
  const { rules, isBroken } = readRules(event, event.rules, context);
  const isEnded = isEndedBefore(event.start.wall, rules);
  const given = wallsOfRules(event, rules, from, to, context);
  const isCut = isBroken || given.isCut;
  const startsWithin = event.start.wall >= from && event.start.wall <= to;
  if (startsWithin && !isCut && !given.hasStart) reportStart(event, rules, isEnded, context.problems);
  const found = [
    // DTSTART is the first instance even if no rule gives it (3.8.5.3).
    ...(startsWithin && !isEnded ? [{ start: event.start }] : []),
    ...given.walls.map((wall) => ({ start: { ...event.start, wall } })),
    ...startsOfDates(event, from, to, context),
  ];
  // All are of the series' kind, so they can be told apart by their instants.
  const starts = new Map<number, SeriesStart>(found.map((each) => [context.zones.instantOf(each.start), each]));
  for (const wall of excludedWalls(event, from, to, context))
    starts.delete(context.zones.instantOf({ ...event.start, wall }));
  const sorted = [...starts].toSorted(([a], [b]) => a - b).map(([, each]) => each);
  const isTooMany = sorted.length > context.occurrencesMax;
  if (isTooMany && !isCut)
    context.problems.add(
      'series-cut',
      `Not all occurrences of this series are published: it has more than ${context.occurrencesMax} in the window.`,
      whereOf(event),
    );
  return {
    starts: sorted.slice(0, context.occurrencesMax),
    goesOn: rules.some((rule) => goesOnAfter(rule, to)),
    isCut: isCut || isTooMany,
  };
}

const goesOnAfter = ({ until, count }: RecurrenceRule, wall: WallMs): boolean =>
  until === null ? count === null : until > wall;

interface WallsOfRules {
  readonly walls: readonly WallMs[];
  /** Whether DTSTART is among them, or there are no rules. */
  readonly hasStart: boolean;
  readonly isCut: boolean;
}

/** The starts that a series' rules give; reports it if a limit cuts them short. */
function wallsOfRules(
  event: CalendarEvent,
  rules: readonly RecurrenceRule[],
  from: WallMs,
  to: WallMs,
  { occurrencesMax, budget, problems }: SeriesContext,
): WallsOfRules {
  const given: (readonly WallMs[])[] = [];
  let [hasStart, isCut] = [rules.length === 0, false];
  for (const rule of countedFromStart(rules, event.start.wall, budget)) {
    const { walls, cut } = startsFromRule(rule, event.start.wall, from, to, occurrencesMax, budget);
    if (cut) problems.add('series-cut', `Not all occurrences of this series are published: ${cut}.`, whereOf(event));
    isCut ||= cut !== null;
    hasStart ||= walls[0] === event.start.wall;
    given.push(walls);
  }
  return { walls: given.flat(), hasStart, isCut };
}

/** The starts that a series' RDATEs (3.8.5.2) give, including earlier ones whose own period extends into the bounds. */
function startsOfDates(event: CalendarEvent, from: WallMs, to: WallMs, { zones }: SeriesContext): SeriesStart[] {
  return event.rdates.flatMap((period) => {
    const start = likeSeries(period.start, event.start, zones);
    const length = lengthOfPeriod(period, zones);
    const until = length ? spanFrom(start, length, zones).endWall : start.wall;
    if (start.wall > to || until < from) return [];
    return [{ start, ...(length ? { length } : {}) }];
  });
}

/** COUNT includes DTSTART as the first instance (3.3.10); if no rule gives it, each rule gives one start fewer. */
function countedFromStart(
  rules: readonly RecurrenceRule[],
  dtstart: WallMs,
  budget: Budget,
): readonly RecurrenceRule[] {
  if (rules.every(({ count }) => count === null) || rules.some((rule) => gives(rule, dtstart, budget))) return rules;
  return rules.map((rule) => (rule.count === null ? rule : withCount(rule, rule.count - 1)));
}

/**
 * Whether a rule gives DTSTART. Assumed for a rule that selects no days or times, and for one that takes too long to
 * compute.
 */
function gives(rule: RecurrenceRule, dtstart: WallMs, budget: Budget): boolean {
  if (![...rule.parts.keys()].some((name) => name.startsWith('BY'))) return true;
  const { walls, cut } = startsFromRule(withCount(rule, null), dtstart, dtstart, dtstart, 1, budget);
  return cut !== null || walls.length > 0;
}

/**
 * Whether the rules end on the day before the first date; programs write this for a series that was ended there or
 * continues under another UID.
 */
function isEndedBefore(dtstart: WallMs, rules: readonly RecurrenceRule[]): boolean {
  const latest = Math.max(...rules.map(({ until }) => until ?? Infinity));
  return rules.length > 0 && dayOf(latest) === dayOf(dtstart) - DAY_MS;
}

/** Reports how a DTSTART that no rule gives is treated. */
function reportStart(
  event: CalendarEvent,
  rules: readonly RecurrenceRule[],
  isEnded: boolean,
  problems: ProblemList,
): void {
  const isOver = rules.every(({ until }) => until !== null && until < event.start.wall);
  if (isEnded)
    problems.add(
      'series-ended',
      'The recurrence rule of this series ends (UNTIL) on the day before the series begins, which is how ' +
        'programs write a series that was ended on its first date or continues under another UID; ' +
        'none of it is published.',
      whereOf(event),
    );
  else if (isOver)
    problems.add(
      'until-before-start',
      'The recurrence rule of this series ends (UNTIL) before the series begins (DTSTART); only its first date is published.',
      whereOf(event),
    );
  else
    problems.add(
      'start-outside-rule',
      'The start of this series (DTSTART) does not match its own rule; programs differ on whether to show it. It is published.',
      whereOf(event),
    );
}

function readRules(
  event: CalendarEvent,
  written: CalendarEvent['rules'],
  context: SeriesContext,
): { rules: RecurrenceRule[]; isBroken: boolean } {
  const zone = context.zones.zoneOf(event.start);
  const rules: RecurrenceRule[] = [];
  let isBroken = false;
  for (const { text, line } of written) {
    const reading = ruleFromText(text, {
      isDate: event.start.kind === 'date',
      dtstart: event.start.wall,
      wallFromUtc: (utc) => wallFromInstant(utc, zone),
    });
    if (reading.kind === 'invalid') {
      isBroken = true;
      context.problems.add(
        'rule-invalid',
        `The recurrence rule cannot be used: ${reading.because}. Only the first date is published.`,
        { ...whereOf(event), line },
      );
      continue;
    }
    for (const note of reading.notes)
      context.problems.add('rule-repaired', `In the recurrence rule ${note}.`, { ...whereOf(event), line });
    rules.push(reading.rule);
  }
  return { rules, isBroken };
}

/** An RDATE or RECURRENCE-ID in the series' kind and zone; for a series of days, a time becomes its day. */
export function likeSeries(time: TimeValue, series: TimeValue, zones: CalendarZones): TimeValue {
  if (series.kind === 'date') return { ...series, wall: dayOf(time.wall) };
  if (time.kind === 'date') return { ...series, wall: time.wall + series.wall - dayOf(series.wall) };
  return time.kind === 'floating' || series.kind === 'floating'
    ? { ...series, wall: time.wall }
    : inZoneOf(time, series, zones);
}

/**
 * The same instant in the series' zone. Its own digits are kept if they mean this instant there, even if clocks skip
 * that time.
 */
function inZoneOf(time: TimeValue, series: TimeValue, zones: CalendarZones): TimeValue {
  const instant = zones.instantOf(time);
  const asWritten = { ...series, wall: time.wall };
  return zones.instantOf(asWritten) === instant
    ? asWritten
    : { ...series, wall: wallFromInstant(instant, zones.zoneOf(series)) };
}

function excludedWalls(event: CalendarEvent, from: WallMs, to: WallMs, context: SeriesContext): WallMs[] {
  if (event.exclusionRules.length === 0) return [];
  const { rules } = readRules(event, event.exclusionRules, context);
  return rules.flatMap(
    (rule) => startsFromRule(rule, event.start.wall, from, to, context.occurrencesMax * 2, context.budget).walls,
  );
}
