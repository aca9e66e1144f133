import { dayOf, timeFromText, type WallMs } from '../read/time-value.ts';

/** A RECUR value (RFC 5545, 3.3.10), validated and in canonical order, for expansion in wall time. */
export interface RecurrenceRule {
  readonly parts: ReadonlyMap<string, string>;
  /** The parts in canonical order, without UNTIL, which is applied in wall time. */
  readonly text: string;
  /** Inclusive; null if the rule has no end date. */
  readonly until: WallMs | null;
  readonly count: number | null;
  /** The maximum number of starts per day. */
  readonly densityPerDay: number;
  /** HOURLY, MINUTELY or SECONDLY. */
  readonly isSubDaily: boolean;
}

export type RuleReading =
  | { readonly kind: 'rule'; readonly rule: RecurrenceRule; readonly notes: readonly string[] }
  | { readonly kind: 'invalid'; readonly because: string };

/** What is needed to convert UNTIL to wall time: a UTC value needs the zone of the series. */
export interface RuleContext {
  readonly isDate: boolean;
  readonly dtstart: WallMs;
  readonly wallFromUtc: (utc: number) => WallMs;
}

const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  BYSECOND: [0, 60],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [-31, 31],
  BYYEARDAY: [-366, 366],
  BYWEEKNO: [-53, 53],
  BYMONTH: [1, 12],
  BYSETPOS: [-366, 366],
};
/** Weekdays as rules name them, in JavaScript's order (0 is Sunday). */
export const WEEKDAYS: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const TIME_PARTS = ['BYHOUR', 'BYMINUTE', 'BYSECOND'];
const VALUES_MAX = 400;
const KNOWN = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'WKST',
  'BYDAY',
  'RSCALE',
  'SKIP',
  ...Object.keys(RANGES),
]);

/**
 * Parses an RRULE value, or says why it is invalid. Order, case and spaces do not matter; values out of range make it
 * invalid.
 */
export function ruleFromText(text: string, context: RuleContext): RuleReading {
  const parts = new Map<string, string>();
  for (const part of text
    .replace(/\s+/g, '')
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .filter((written) => written !== '')) {
    const [name, value] = part.includes('=')
      ? [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]
      : [part, ''];
    if (parts.has(name) && parts.get(name) !== value) return invalid(`${name} appears twice`);
    parts.set(name, value);
  }
  const notes = repaired(parts);
  const wrong = firstFault(parts);
  return wrong === undefined ? ruleFromParts(parts, context, notes) : invalid(wrong);
}

/** Removes parts that 3.3.10 forbids or that clearly have no meaning, and says which. */
function repaired(parts: Map<string, string>): string[] {
  return [...withoutUnknown(parts), ...withoutNoCount(parts), ...withWeekdays(parts)];
}

function withoutUnknown(parts: Map<string, string>): string[] {
  const notes: string[] = [];
  for (const name of parts.keys()) {
    // Ignoring a part that selects days would publish the wrong days, so such a part is an error.
    if (KNOWN.has(name) || name.startsWith('BY')) continue;
    notes.push(`${name.slice(0, 40) || 'a part without a name'} is unknown and was ignored`);
    parts.delete(name);
  }
  return notes;
}

function withoutNoCount(parts: Map<string, string>): string[] {
  const count = parts.get('COUNT');
  // Some programs store "no count" as 0 or -1 and write that out.
  if (count === undefined || !/^(?:0+|-\d+)$/.test(count)) return [];
  parts.delete('COUNT');
  return [`COUNT=${count.slice(0, 20)} was ignored`];
}

/** `0MO`: no such day exists. */
const isZeroth = (day: string): boolean => /^[+-]?0+[A-Z]/.test(day);

function withWeekdays(parts: Map<string, string>): string[] {
  const days = parts.get('BYDAY')?.split(',', VALUES_MAX) ?? [];
  const isPlain = !['MONTHLY', 'YEARLY'].includes(parts.get('FREQ') ?? '') || parts.has('BYWEEKNO');
  const kept = days.filter((day) => !isZeroth(day)).map((day) => (isPlain ? day.replace(/^[+-]?\d+/, '') : day));
  // Nothing would be left of the list, so the rule is invalid.
  if (kept.length === 0) return [];
  const notes: string[] = [];
  const zeroth = days.find(isZeroth);
  if (zeroth !== undefined) notes.push(`${zeroth.slice(0, 10)} was ignored: there is no weekday before the first`);
  if (isPlain && days.some((day) => /^[+-]?0*[1-9]/.test(day)))
    notes.push(
      `the numbers in BYDAY=${days.join().slice(0, 40)} were ignored: only a month or a year has a first or last weekday`,
    );
  parts.set('BYDAY', kept.join());
  return notes;
}

const invalid = (because: string): RuleReading => ({ kind: 'invalid', because });

function firstFault(parts: ReadonlyMap<string, string>): string | undefined {
  if (!parts.has('FREQ')) return 'it has no FREQ';
  const unknown = [...parts.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return `${unknown.slice(0, 40)} is unknown`;
  for (const { name, isValid, fault } of FORMS) {
    const value = parts.get(name);
    if (value !== undefined && !isValid(value)) return `${name}=${value.slice(0, 40)} ${fault}`;
  }
  return undefined;
}

interface PartForm {
  readonly name: string;
  readonly isValid: (value: string) => boolean;
  readonly fault: string;
}

const eachOf = (value: string, isValid: (one: string) => boolean): boolean =>
  value.split(',', VALUES_MAX).every(isValid);

// Only the first wrong part is reported.
const FORMS: readonly PartForm[] = [
  { name: 'FREQ', isValid: (value) => FREQUENCIES.includes(value), fault: 'is unknown' },
  { name: 'RSCALE', isValid: (value) => value === 'GREGORIAN', fault: 'is a calendar that is not supported' },
  { name: 'INTERVAL', isValid: (value) => /^0*[1-9]\d{0,8}$/.test(value), fault: 'is out of range' },
  { name: 'COUNT', isValid: (value) => /^\d+$/.test(value), fault: 'is not a number' },
  { name: 'SKIP', isValid: (value) => /^(?:OMIT|BACKWARD|FORWARD)$/.test(value), fault: 'is unknown' },
  { name: 'BYDAY', isValid: (value) => eachOf(value, isWeekday), fault: 'is out of range' },
  ...Object.entries(RANGES).map(([name, range]) => ({
    name,
    isValid: (value: string) => eachOf(value, (one) => isWithin(one, range)),
    fault: 'is out of range',
  })),
];

const isWeekday = (text: string): boolean => /^[+-]?(?:[1-9]|[1-4]\d|5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(text);
const isWithin = (text: string, [least, most]: readonly [number, number]): boolean =>
  /^[+-]?\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most && (least >= 0 || Number(text) !== 0);

function ruleFromParts(parts: Map<string, string>, context: RuleContext, notes: string[]): RuleReading {
  if (context.isDate && TIME_PARTS.some((name) => parts.has(name))) {
    notes.push('times of day in a rule of whole days were ignored');
    for (const name of TIME_PARTS) parts.delete(name);
  }
  // What a rule leaves open comes from DTSTART (3.3.10); the library would use the first day of the week.
  const weekday = WEEKDAYS[new Date(context.dtstart).getUTCDay()];
  if (weekday !== undefined && isOfWholeWeeks(parts)) parts.set('BYDAY', weekday);
  const written = parts.get('UNTIL');
  const until = written === undefined ? null : untilFrom(written, context);
  if (until === undefined) return invalid(`UNTIL=${written?.slice(0, 40)} is no date`);
  // RFC 7529: what to do about 29 February, for example. OMIT is the behaviour of RFC 5545.
  if (parts.has('SKIP')) parts.set('RSCALE', 'GREGORIAN');
  const rule = {
    parts,
    text: canonicalText(parts),
    until,
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : null,
    densityPerDay: densityOf(parts),
    isSubDaily: rankOf(parts) <= 2,
  };
  return { kind: 'rule', rule, notes };
}

/** The index of a rule's frequency in FREQUENCIES. */
const rankOf = (parts: ReadonlyMap<string, string>): number => FREQUENCIES.indexOf(parts.get('FREQ') ?? '');

/** Whether a rule selects weeks of the year without selecting days in them. */
const isOfWholeWeeks = (parts: ReadonlyMap<string, string>): boolean =>
  parts.has('BYWEEKNO') &&
  parts.get('FREQ') === 'YEARLY' &&
  !['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name));

function canonicalText(parts: ReadonlyMap<string, string>): string {
  const moved = isMoved(parts) ? ['RSCALE', 'SKIP'] : [];
  return [...moved, 'FREQ', 'INTERVAL', 'COUNT', 'WKST', ...Object.keys(RANGES), 'BYDAY']
    .map((name) => ({ name, value: parts.get(name) ?? '' }))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}=${unsigned(value)}`)
    .join(';');
}

/** Whether days that a month does not have are moved rather than skipped. */
export const isMoved = (parts: ReadonlyMap<string, string>): boolean => (parts.get('SKIP') ?? 'OMIT') !== 'OMIT';

const unsigned = (values: string): string =>
  values
    .split(',', VALUES_MAX)
    .map((value) => value.replace(/^\+/, ''))
    .join(',');

function untilFrom(text: string, context: RuleContext): WallMs | undefined {
  const until = timeFromText(text, {});
  if (!until) return undefined;
  if (context.isDate) return dayOf(until.wall);
  return until.kind === 'utc' ? context.wallFromUtc(until.wall) : until.wall;
}

function densityOf(parts: ReadonlyMap<string, string>): number {
  const rank = rankOf(parts);
  const numberOf = (name: string, all: number, ownRank: number): number => {
    const listed = parts.get(name)?.split(',').length;
    return listed ?? (rank <= ownRank ? all : 1);
  };
  const perDay = numberOf('BYHOUR', 24, 2) * numberOf('BYMINUTE', 60, 1) * numberOf('BYSECOND', 60, 0);
  return rank <= 2 && !TIME_PARTS.some((name) => parts.has(name))
    ? Math.ceil(perDay / Number(parts.get('INTERVAL') ?? 1))
    : perDay;
}
