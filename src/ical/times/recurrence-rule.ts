import { dayOf, timeFromText, type WallMs } from '../read/time-value.ts';

/** A RECUR value (RFC 5545, 3.3.10), checked and in canonical order, for an engine that runs in wall time. */
export interface RecurrenceRule {
  readonly parts: ReadonlyMap<string, string>;
  /** The parts in canonical order, without UNTIL, which is applied in wall time. */
  readonly text: string;
  /** Inclusive; null for none. */
  readonly until: WallMs | null;
  readonly count: number | null;
  /** How many starts a day can have at most. */
  readonly densityPerDay: number;
  /** HOURLY, MINUTELY or SECONDLY. */
  readonly isSubDaily: boolean;
}

export type RuleReading =
  | { readonly kind: 'rule'; readonly rule: RecurrenceRule; readonly notes: readonly string[] }
  | { readonly kind: 'invalid'; readonly because: string };

/** How the rule's UNTIL becomes wall time: `utc` digits need the series' zone. */
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
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
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

/** An RRULE value → the rule, or why it is none. Order, case and blanks do not matter; values out of range make it invalid. */
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
    if (parts.has(name) && parts.get(name) !== value) return invalid(`${name} stands twice`);
    parts.set(name, value);
  }
  const notes = repaired(parts);
  const wrong = firstFault(parts);
  return wrong === undefined ? ruleFromParts(parts, context, notes) : invalid(wrong);
}

/** Takes out of the parts what 3.3.10 forbids and what means nothing without doubt, and says so. */
function repaired(parts: Map<string, string>): string[] {
  const notes: string[] = [];
  for (const name of parts.keys()) {
    // A part that chooses days cannot be left out: other days would be published. That is a fault.
    if (KNOWN.has(name) || name.startsWith('BY')) continue;
    notes.push(`${name.slice(0, 40) || 'a part without a name'} is unknown and was ignored`);
    parts.delete(name);
  }
  const count = parts.get('COUNT');
  // Programs that keep "no count" as 0 or -1 write it out.
  if (count !== undefined && /^(?:0+|-\d+)$/.test(count)) {
    notes.push(`COUNT=${count.slice(0, 20)} was ignored`);
    parts.delete('COUNT');
  }
  const days = parts.get('BYDAY')?.split(',', VALUES_MAX);
  if (days === undefined) return notes;
  const isPlain = !['MONTHLY', 'YEARLY'].includes(parts.get('FREQ') ?? '') || parts.has('BYWEEKNO');
  const kept = days
    .filter((day) => !/^[+-]?0+[A-Z]/.test(day))
    .map((day) => (isPlain ? day.replace(/^[+-]?\d+/, '') : day));
  const [dropped, bare] = [days.length - kept.length, days.some((day) => /^[+-]?0*[1-9]/.test(day)) && isPlain];
  // Nothing would be left of such a list: it is out of range as a whole.
  if (kept.length === 0) return notes;
  if (dropped > 0)
    notes.push(
      `${days.find((day) => /^[+-]?0+[A-Z]/.test(day))!.slice(0, 10)} was ignored: there is no weekday before the first`,
    );
  if (bare)
    notes.push(
      `the numbers in BYDAY=${days.join().slice(0, 40)} were ignored: only a month or a year has a first or last weekday`,
    );
  parts.set('BYDAY', kept.join());
  return notes;
}

const invalid = (because: string): RuleReading => ({ kind: 'invalid', because });

function firstFault(parts: ReadonlyMap<string, string>): string | undefined {
  const frequency = parts.get('FREQ');
  if (frequency === undefined) return 'it has no FREQ';
  if (!FREQUENCIES.includes(frequency)) return `FREQ=${frequency.slice(0, 20)} is unknown`;
  if ((parts.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN')
    return `calendar RSCALE=${parts.get('RSCALE')} is not supported`;
  if (!/^0*[1-9]\d{0,8}$/.test(parts.get('INTERVAL') ?? '1'))
    return `INTERVAL=${parts.get('INTERVAL')?.slice(0, 20)} is out of range`;
  if (!/^\d+$/.test(parts.get('COUNT') ?? '1')) return `COUNT=${parts.get('COUNT')?.slice(0, 20)} is no number`;
  const unknown = [...parts.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return `${unknown.slice(0, 40)} is unknown`;
  if (!/^(?:OMIT|BACKWARD|FORWARD)$/.test(parts.get('SKIP') ?? 'OMIT'))
    return `SKIP=${parts.get('SKIP')?.slice(0, 20)} is unknown`;
  if (parts.has('BYDAY') && !parts.get('BYDAY')!.split(',', VALUES_MAX).every(isWeekday))
    return `BYDAY=${parts.get('BYDAY')!.slice(0, 40)} is out of range`;
  for (const [name, range] of Object.entries(RANGES)) {
    const value = parts.get(name);
    if (value !== undefined && !value.split(',', VALUES_MAX).every((number) => isWithin(number, range)))
      return `${name}=${value.slice(0, 40)} is out of range`;
  }
  return undefined;
}

const isWeekday = (text: string): boolean => /^[+-]?(?:[1-9]|[1-4]\d|5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(text);
const isWithin = (text: string, [least, most]: readonly [number, number]): boolean =>
  /^[+-]?\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most && (least >= 0 || Number(text) !== 0);

function ruleFromParts(parts: Map<string, string>, context: RuleContext, notes: string[]): RuleReading {
  if (context.isDate && TIME_PARTS.some((name) => parts.has(name))) {
    notes.push('times of day in a rule of whole days were ignored');
    for (const name of TIME_PARTS) parts.delete(name);
  }
  // What a rule leaves open comes from DTSTART (3.3.10); the engine would take the first day of the week.
  if (
    parts.has('BYWEEKNO') &&
    parts.get('FREQ') === 'YEARLY' &&
    !['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name))
  )
    parts.set('BYDAY', WEEKDAYS[new Date(context.dtstart).getUTCDay()]!);
  const until = parts.has('UNTIL') ? untilFrom(parts.get('UNTIL')!, context) : null;
  if (until === undefined) return invalid(`UNTIL=${parts.get('UNTIL')!.slice(0, 40)} is no date`);
  // RFC 7529: what becomes of the 29th of February; OMIT is what RFC 5545 does.
  if (parts.has('SKIP')) parts.set('RSCALE', 'GREGORIAN');
  const names = [
    ...(isMoved(parts) ? ['RSCALE', 'SKIP'] : []),
    'FREQ',
    'INTERVAL',
    'COUNT',
    'WKST',
    ...Object.keys(RANGES),
    'BYDAY',
  ].filter((name) => parts.has(name) && parts.get(name) !== '');
  const rule = {
    parts,
    text: names.map((name) => `${name}=${unsigned(parts.get(name)!)}`).join(';'),
    until,
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : null,
    densityPerDay: densityOf(parts),
    isSubDaily: FREQUENCIES.indexOf(parts.get('FREQ')!) <= 2,
  };
  return { kind: 'rule', rule, notes };
}

/** Whether days that a month has not are moved instead of left out. */
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
  const rank = FREQUENCIES.indexOf(parts.get('FREQ')!);
  const numberOf = (name: string, all: number, ownRank: number): number => {
    const listed = parts.get(name)?.split(',').length;
    return listed ?? (rank <= ownRank ? all : 1);
  };
  const perDay = numberOf('BYHOUR', 24, 2) * numberOf('BYMINUTE', 60, 1) * numberOf('BYSECOND', 60, 0);
  return rank <= 2 && !TIME_PARTS.some((name) => parts.has(name))
    ? Math.ceil(perDay / Number(parts.get('INTERVAL') ?? 1))
    : perDay;
}
