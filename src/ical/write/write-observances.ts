import { WEEKDAYS } from '../times/recurrence-rule.ts';
import { abbreviationAt, DAY_MS, offsetAt } from '../../time.ts';

const STEP_MS = 5 * DAY_MS;

/**
 * A change of a zone's offset: the instant at which it happens (epoch milliseconds), and the offsets before and after
 * it in minutes.
 */
export interface Transition {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** A STANDARD or DAYLIGHT part of a VTIMEZONE: it has one onset and, with a rule, further ones. */
export interface WrittenObservance extends Transition {
  readonly daylight: boolean;
  readonly name: string;
  /** The `nth` weekday of the onset's month every year, until the last onset; endless if `until` is absent. */
  readonly yearly?: { readonly nth: number; readonly until?: number };
}

/**
 * Every change of the zone's offset after `from` and up to `to`, in order. Samples every five days: two changes within
 * one step would cancel out, but the closest since 1970 were 7 days apart (Boa Vista, 2000).
 */
export function transitionsBetween(zone: string, from: number, to: number): readonly Transition[] {
  const transitions: Transition[] = [];
  let before = offsetAt(from, zone);
  for (let at = from; at < to; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, to);
    const after = offsetAt(end, zone);
    if (after !== before) transitions.push({ at: changeBetween(zone, at, end), before, after });
    before = after;
  }
  return transitions;
}

/** The first second in (from, to] that has the same offset as `to`. */
function changeBetween(zone: string, from: number, to: number): number {
  const after = offsetAt(to, zone);
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle, zone) === after) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The observances equivalent to `transitions`: yearly rules for repeated ones, single onsets otherwise, ordered by
 * onset.
 */
export function observancesOf(
  zone: string,
  transitions: readonly Transition[],
  horizonYear: number,
): readonly WrittenObservance[] {
  const groups = new Map<string, Transition[]>();
  for (const transition of transitions) {
    const local = localOnset(transition);
    const key = [
      transition.before,
      transition.after,
      nameAt(transition.at, zone),
      local.getUTCMonth(),
      local.getUTCDay(),
      local.getTime() % DAY_MS,
    ].join();
    groups.set(key, [...(groups.get(key) ?? []), transition]);
  }
  return [...groups.values()]
    .flatMap((group) => runs(group).map((run) => observanceOf(zone, run, horizonYear)))
    .sort((a, b) => a.at - b.at);
}

interface Run {
  readonly first: Transition;
  readonly last: Transition;
  /** The ordinals that all its onsets share as weekdays of their month. */
  readonly nths: readonly number[];
}

/**
 * Splits onsets with the same month, weekday and time into runs of consecutive years that one "n-th weekday" describes.
 */
function runs(group: readonly Transition[]): readonly Run[] {
  const found: Run[] = [];
  for (const transition of group) {
    const run = found.at(-1);
    const nths = nthsOf(localOnset(transition));
    const common = run?.nths.filter((nth) => nths.includes(nth)) ?? [];
    if (run && common.length > 0 && yearOf(transition) === yearOf(run.last) + 1)
      found[found.length - 1] = { ...run, last: transition, nths: common };
    else found.push({ first: transition, last: transition, nths });
  }
  return found;
}

function observanceOf(zone: string, { first, last, nths }: Run, horizonYear: number): WrittenObservance {
  const whole = { ...first, daylight: isDaylight(zone, first), name: nameAt(first.at, zone) };
  if (first === last) return whole;
  // Laws usually say "last" (-1), so prefer that if both fit.
  const nth = Math.min(...nths);
  return { ...whole, yearly: yearOf(last) >= horizonYear ? { nth } : { nth, until: last.at } };
}

/** The local date of an onset, using the offset before it (RFC 5545, 3.6.5), as if it were UTC. */
export const localOnset = (transition: Transition): Date => new Date(transition.at + transition.before * 60_000);

const yearOf = (transition: Transition): number => localOnset(transition).getUTCFullYear();

/** The ordinals of a day as a weekday of its month: the n-th, and -1 if it is the last. */
function nthsOf(day: Date): readonly number[] {
  const daysInMonth = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const nth = Math.ceil(day.getUTCDate() / 7);
  return [...(nth <= 4 ? [nth] : []), ...(day.getUTCDate() + 7 > daysInMonth ? [-1] : [])];
}

function isDaylight(zone: string, transition: Transition): boolean {
  const year = new Date(transition.at).getUTCFullYear();
  const standard = Math.min(offsetAt(Date.UTC(year, 0, 1), zone), offsetAt(Date.UTC(year, 6, 1), zone));
  return transition.after > transition.before && transition.after > standard;
}

/** The zone's abbreviation or, if it has none, its offset as in the IANA data. */
export function nameAt(instant: number, zone: string): string {
  const name = abbreviationAt(instant, zone);
  return /^[A-Z]{2,5}$/.test(name) ? name : offsetText(offsetAt(instant, zone));
}

/** Minutes as a UTC-OFFSET (RFC 5545): `+0530`, with seconds if needed. */
export function offsetText(minutes: number): string {
  const seconds = Math.round(Math.abs(minutes) * 60);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, ...(seconds % 60 ? [seconds % 60] : [])];
  return (minutes < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join('');
}

/** The weekday of an onset in the form of BYDAY (RFC 5545, 3.3.10), for a yearly rule with its ordinal: `-1SU`. */
export const byDayText = (observance: WrittenObservance): string =>
  `${observance.yearly?.nth ?? ''}${WEEKDAYS[localOnset(observance).getUTCDay()]}`;

/**
 * The onsets of `RRULE:FREQ=YEARLY;BYMONTH=m;BYDAY=nXX` that starts at the local time `start`, after `from` and up to
 * `to`, as local times read as UTC.
 */
export function yearlyOnsets(start: Date, month: number, byDay: string, from: number, to: number): readonly number[] {
  const [, nth, weekday] = /^(-?\d)([A-Z]{2})$/.exec(byDay) ?? [];
  const onsets: number[] = [];
  const firstYear = Math.max(start.getUTCFullYear(), new Date(from).getUTCFullYear() - 1);
  for (let year = firstYear; year <= new Date(to).getUTCFullYear() + 1; year++) {
    const day = dayOfMonth(
      year,
      month,
      Number(nth),
      WEEKDAYS.findIndex((name) => name === weekday),
    );
    const onset = Date.UTC(year, month - 1, day) + (((start.getTime() % DAY_MS) + DAY_MS) % DAY_MS);
    if (onset >= start.getTime()) onsets.push(onset);
  }
  return onsets;
}

function dayOfMonth(year: number, month: number, nth: number, weekday: number): number {
  if (nth > 0) return 1 + ((weekday - new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 7) % 7) + (nth - 1) * 7;
  const last = new Date(Date.UTC(year, month, 0));
  return last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7) + (nth + 1) * 7;
}
