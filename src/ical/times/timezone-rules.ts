import type { Observance, TimezoneRules } from '../read/calendar.ts';
import { startsFromRule, type Budget } from './recurrence.ts';
import { ruleFromText } from './recurrence-rule.ts';
import type { Zone } from './zone.ts';
import { DAY_MS } from '../../time.ts';

const ONSETS_MAX = 600;
const YEAR_MS = 366 * DAY_MS;

interface Onset {
  readonly at: number;
  readonly offset: number;
  readonly before: number;
}

/**
 * The zone that a VTIMEZONE (RFC 5545, 3.6.5) describes, valid until `to`; undefined if its rules cannot be expanded.
 */
export function zoneFromRules(rules: TimezoneRules, to: number, budget: Budget): Zone | undefined {
  const onsets: Onset[] = [];
  for (const observance of rules.observances.slice(0, 200)) {
    const found = onsetsOf(observance, to + YEAR_MS, budget);
    if (!found) return undefined;
    onsets.push(...found);
  }
  onsets.sort((a, b) => a.at - b.at);
  const first = onsets[0];
  if (!first) return undefined;
  const starts = onsets.map(({ at }) => at);
  return { name: null, offsetAt: (instant) => onsets[lastAtOrBefore(starts, instant)]?.offset ?? first.before };
}

function onsetsOf(observance: Observance, to: number, budget: Budget): Onset[] | undefined {
  const { start, offsetFrom, offsetTo } = observance;
  const walls = [start, ...observance.rdates];
  for (const text of observance.rules) {
    const reading = ruleFromText(text, { isDate: false, dtstart: start, wallFromUtc: (utc) => utc + offsetFrom });
    // Clocks change a few times a year; a more frequent rule does not describe a time zone.
    if (
      reading.kind === 'invalid' ||
      !/^FREQ=(?:YEARLY|MONTHLY)\b/.test(reading.rule.text) ||
      reading.rule.densityPerDay > 1
    )
      return undefined;
    const from = Math.max(start, Math.min(reading.rule.until ?? Infinity, Date.UTC(1969, 0)) - 2 * YEAR_MS);
    const { walls: found, cut } = startsFromRule(reading.rule, start, from, to, ONSETS_MAX, budget);
    if (cut) return undefined;
    walls.push(...found);
  }
  return [...new Set(walls)].map((wall) => ({ at: wall - offsetFrom, offset: offsetTo, before: offsetFrom }));
}

function lastAtOrBefore(starts: readonly number[], instant: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
