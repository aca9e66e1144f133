import { RRuleTemporal } from 'rrule-temporal';
import { digitsFromWall, type WallMs } from '../read/time-value.ts';
import type { RecurrenceRule } from './recurrence-rule.ts';
import { needsYearlyStarts, yearlyStarts } from './yearly-rule.ts';
import { DAY_MS } from '../../time.ts';

/**
 * The remaining budget for the recurrences of one feed, in steps of about a microsecond. No clock is used, so the same
 * feed always gives the same result.
 */
export interface Budget {
  steps: number;
}

export interface Starts {
  readonly walls: readonly WallMs[];
  /** Why there are more starts than these, in words; null if these are all. */
  readonly cut: string | null;
}

const PERIODS_PER_SLICE = 10_000;
const PERIODS_WHEN_COUNTED = 100_000;
const RESULTS_PER_SLICE = 2_000;
const SLICES_MAX = 3_000;
const COUNT_AT_ONCE = 20_000;
// Prices in steps, as measured; that of a start includes processing it later.
const PRICE_OF_QUERY = 100;
const PRICE_OF_START = 25;
const PRICE_OF_COUNTING = 12;

/**
 * The starts that a rule gives in wall time from `from` to `to` (inclusive), at most `countMax`. Wall time is treated
 * like UTC: a rule refers to the digits of a clock, so a time in a gap is kept (RFC 5545, 3.3.10 and 3.3.5), and rules
 * also work in zones that only a feed describes.
 */
export function startsFromRule(
  rule: RecurrenceRule,
  dtstart: WallMs,
  from: WallMs,
  to: WallMs,
  countMax: number,
  budget: Budget,
): Starts {
  const [first, last] = [Math.max(from, dtstart), Math.min(to, rule.until ?? to)];
  if (first > last || rule.count === 0) return { walls: [], cut: null };
  if (budget.steps <= 0) return { walls: [], cut: TOO_LONG };
  if (isEndlessUntil(rule, dtstart, last))
    return startsFromRule(withCount(rule, null), dtstart, from, to, countMax, budget);
  return needsYearlyStarts(rule)
    ? startsByYear(rule, dtstart, first, last, countMax, budget)
    : slicedStarts(rule, dtstart, first, last, countMax, budget);
}

/** The rule with another COUNT, or none. */
export const withCount = (rule: RecurrenceRule, count: number | null): RecurrenceRule => ({
  ...rule,
  count,
  text: rule.text.replace(/COUNT=\d+(;?)/, count === null ? '' : `COUNT=${count}$1`),
});

const TOO_LONG = 'the rule takes too long to work out';
const tooMany = (countMax: number): string => `it has more than ${countMax} occurrences in the window`;

/** Whether COUNT cannot be reached by `last`, so that there is no need to count from the start of the series. */
const isEndlessUntil = ({ count, densityPerDay }: RecurrenceRule, dtstart: WallMs, last: WallMs): boolean =>
  count !== null && dtstart + (count / densityPerDay - 1) * DAY_MS > last;

function startsByYear(
  rule: RecurrenceRule,
  dtstart: WallMs,
  first: WallMs,
  last: WallMs,
  countMax: number,
  budget: Budget,
): Starts {
  const years = (last - (rule.count === null ? first : dtstart)) / DAY_MS / 365 + 2;
  budget.steps -= Math.ceil(years * 100 * rule.densityPerDay);
  if (budget.steps <= 0) return { walls: [], cut: TOO_LONG };
  const walls: WallMs[] = [];
  for (const wall of yearlyStarts(rule, dtstart, first, last)) {
    if (walls.length >= countMax) return { walls, cut: tooMany(countMax) };
    walls.push(wall);
    budget.steps -= PRICE_OF_START;
  }
  return { walls, cut: null };
}

/**
 * Queries the library in slices with a limited number of starts: a rule with too many is cut off, and a sparse one is
 * searched in longer slices.
 */
function slicedStarts(
  rule: RecurrenceRule,
  dtstart: WallMs,
  first: WallMs,
  last: WallMs,
  countMax: number,
  budget: Budget,
): Starts {
  const { periodsMax, price, shortest } = slicingOf(rule, first, last);
  const engine = engineOf(rule, dtstart, periodsMax);
  if (!engine) return { walls: [], cut: 'the rule is beyond what can be computed' };
  budget.steps -= price;
  const walls: WallMs[] = [];
  let length = shortest;
  for (let at = first, slices = 0; at <= last; slices += 1) {
    if (budget.steps <= 0 || slices >= SLICES_MAX) return { walls, cut: TOO_LONG };
    const found = startsBetween(engine, at, Math.min(last, at + length - 1));
    budget.steps -= found ? PRICE_OF_QUERY + found.length * PRICE_OF_START : periodsMax;
    if (found) {
      for (const wall of found) walls.push(wall);
      if (walls.length > countMax) return { walls: walls.slice(0, countMax), cut: tooMany(countMax) };
      at += length;
      if (found.length < RESULTS_PER_SLICE / 4) length = Math.min(length * 2, shortest * 16);
    } else if (length <= 1000 || rule.count !== null) return { walls, cut: TOO_LONG };
    else length = Math.max(1000, Math.floor(length / 4));
  }
  return { walls, cut: null };
}

interface Slicing {
  readonly periodsMax: number;
  /** In steps, for all slices together. */
  readonly price: number;
  /** The shortest slice, in milliseconds. */
  readonly shortest: number;
}

function slicingOf(rule: RecurrenceRule, first: WallMs, last: WallMs): Slicing {
  if (rule.count === null || rule.count > COUNT_AT_ONCE) {
    const shortest = Math.max(1000, Math.floor((RESULTS_PER_SLICE / rule.densityPerDay) * DAY_MS));
    return { periodsMax: PERIODS_PER_SLICE, price: 0, shortest };
  }
  // For every slice, the library walks a rule with COUNT from its start, so we use a single slice.
  const price = rule.count * (rule.isSubDaily ? PRICE_OF_COUNTING : 2);
  return { periodsMax: PERIODS_WHEN_COUNTED, price, shortest: last - first + 1 };
}

function engineOf(rule: RecurrenceRule, dtstart: WallMs, maxIterations: number): RRuleTemporal | undefined {
  try {
    return new RRuleTemporal({
      rruleString: `DTSTART:${digitsFromWall(dtstart, false)}Z\nRRULE:${rule.text}`,
      maxIterations,
      cache: false,
    });
  } catch {
    // Each part is valid, but the combination is not (an INTERVAL beyond all dates, for example).
    return undefined;
  }
}

/** The starts in one slice; undefined if the library gave up. */
function startsBetween(engine: RRuleTemporal, from: WallMs, to: WallMs): WallMs[] | undefined {
  try {
    return engine.between(new Date(from), new Date(to), true).map((start) => start.epochMilliseconds);
  } catch {
    // "Maximum iterations exceeded", or a date outside Temporal's range: there is no result for this slice.
    return undefined;
  }
}
