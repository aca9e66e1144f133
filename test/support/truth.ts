import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Calendar } from '../../src/ical/read/calendar.ts';
import { expandCalendar } from '../../src/ical/occurrences/expand-calendar.ts';
import type { Occurrence } from '../../src/ical/occurrences/occurrence.ts';
import { dayOf, isoDigits } from '../../src/ical/read/time-value.ts';
import { uidFromText } from '../../src/ical/read/uid.ts';
import { DAY_MS, isoFromInstant } from '../../src/time.ts';

export interface TruthOccurrence {
  readonly uid: string;
  readonly rid: string | null;
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
  readonly floating: boolean;
}

/** What independent engines read in a feed. */
export interface Truth {
  readonly window: readonly [string, string];
  readonly capped: boolean;
  readonly disputed_uids: readonly string[];
  readonly occurrences: readonly TruthOccurrence[];
  readonly majority_A_and_C: readonly TruthOccurrence[];
  readonly tz_policy: {
    readonly vtimezone_only?: readonly (readonly string[])[];
    readonly iana_only?: readonly (readonly string[])[];
  } | null;
}

/** The expected events of a feed in the corpus, by its path in `feeds/`; undefined if the engines agreed on none. */
export function truthOf(feeds: string, feed: string): Truth | undefined {
  const file = ['.json', '.json.gz']
    .map((ending) => join(feeds, 'truth', `${feed}${ending}`))
    .find((path) => existsSync(path));
  const bytes = file === undefined ? undefined : readFileSync(file);
  return bytes && (JSON.parse((file!.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as Truth);
}

/**
 * Expected occurrences that ours lack, and additional ones that ours have. If a VTIMEZONE contradicts the zone of its
 * name, either reading is accepted.
 */
export function differencesFrom(
  truth: Truth,
  calendar: Calendar,
): { readonly missing: readonly string[]; readonly extra: readonly string[] } {
  const wanted = [...truth.occurrences, ...truth.majority_A_and_C].map(withLength);
  const disputed = new Set(truth.disputed_uids.flatMap((uid) => [uid, uidFromText(uid)]));
  const eitherWay = new Set(
    [...(truth.tz_policy?.vtimezone_only ?? []), ...(truth.tz_policy?.iana_only ?? [])].map((parts) => parts.join('|')),
  );
  const last = truth.capped ? wanted.reduce((latest, { start }) => (start > latest ? start : latest), '') : '~';
  const leftOut = ({ uid, start, end }: TruthOccurrence): boolean =>
    disputed.has(uid) || start >= last || eitherWay.has([uid, start, end].join('|'));
  const [want, have] = [counted(wanted, leftOut), counted(occurrencesIn(calendar, truth), leftOut)];
  return { missing: lacking(want, have), extra: lacking(have, want) };
}

/**
 * Floating times are compared as written: neither the expected ones nor ours are given a zone, and in UTC there are no
 * gaps or overlaps.
 */
function occurrencesIn(calendar: Calendar, { window: [first, last] }: Truth): readonly TruthOccurrence[] {
  const window = { from: Date.parse(first), to: Date.parse(last) };
  const { occurrences } = expandCalendar(calendar, {
    window,
    timezone: 'UTC',
    siteTimezone: 'UTC',
    occurrencesPerSeries: 20_000,
    repetitionsPerFeed: 1_000_000,
  });
  const isInWindow = ({ startsAt, startWall, allDay, floating }: Occurrence): boolean =>
    (allDay || floating ? startWall : startsAt) >= window.from &&
    (allDay || floating ? startWall : startsAt) < window.to;
  return occurrences.filter(isInWindow).map(asTruth);
}

function asTruth({
  event,
  recurrenceId,
  originalStart,
  allDay,
  floating,
  startsAt,
  endsAt,
  startWall,
  endWall,
}: Occurrence): TruthOccurrence {
  const text = (instant: number, wall: number): string =>
    allDay ? isoDigits(wall).slice(0, 10) : floating ? isoDigits(wall) : isoFromInstant(instant);
  const digits = recurrenceId?.replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?$/, (_, y, m, d, ...time) =>
    [`${y}-${m}-${d}`, ...(time[0] === undefined ? [] : [time.slice(0, 3).join(':')])].join('T'),
  );
  const rid = digits === undefined ? null : digits.length === 10 || floating ? digits : isoFromInstant(originalStart);
  return { uid: event.uid ?? '', rid, start: text(startsAt, startWall), end: text(endsAt, endWall), allDay, floating };
}

/** An event that ends before it begins, or an all-day event that ends on its own day, gets the minimum length here. */
function withLength(occurrence: TruthOccurrence): TruthOccurrence {
  const { start, end, allDay } = occurrence;
  if (allDay && end <= start) return { ...occurrence, end: isoDigits(dayOf(Date.parse(start)) + DAY_MS).slice(0, 10) };
  return end < start ? { ...occurrence, end: start } : occurrence;
}

const keyOf = ({ uid, rid, start, end, allDay }: TruthOccurrence): string =>
  JSON.stringify([uid, start, end, rid, allDay]);

function counted(
  occurrences: readonly TruthOccurrence[],
  leftOut: (occurrence: TruthOccurrence) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const occurrence of occurrences)
    if (!leftOut(occurrence)) counts.set(keyOf(occurrence), (counts.get(keyOf(occurrence)) ?? 0) + 1);
  return counts;
}

const lacking = (of: Map<string, number>, inThe: Map<string, number>): string[] =>
  [...of].filter(([key, count]) => (inThe.get(key) ?? 0) < count).map(([key]) => key);
