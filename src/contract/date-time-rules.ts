import { eventZone } from './event-zone.ts';

/** What the rules collect from left to right. The steps are applied at the end, to a time read as UTC. */
export interface Draft {
  date?: { readonly year: number; readonly month: number; readonly day: number };
  time?: { readonly hour: number; readonly minute: number; readonly second: number };
  /** The day was given as a word, so its time is midnight unless one is given. */
  midnight?: true;
  offsetMinutes?: number;
  zone?: string;
  readonly steps: ((at: Date) => void)[];
}

/** A form that part of a text may have. `take` returns false if the part has this form but makes no sense. */
interface Rule {
  readonly pattern: RegExp;
  readonly take: (match: RegExpExecArray, draft: Draft) => boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY =
  '(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)';
const UNIT = '(sec(?:ond)?|min(?:ute)?|hour|day|weekday|week|fortnight|month|year)s?';
const TIME_OF_DAY = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:\s*([ap])\.?m\b\.?)?`;
// A T may separate date and time; a part never ends within a word.
const END = String.raw`(?=$|[\s,T]|[+-]\d|Z$)`;

const rule = (source: string, take: Rule['take']): Rule => ({ pattern: new RegExp(`^(?:${source})`, 'i'), take });

function setDate(draft: Draft, year: unknown, month: unknown, day: unknown): boolean {
  if (draft.date) return false;
  draft.date = { year: Number(year), month: Number(month), day: Number(day) };
  return true;
}

function setTime(
  draft: Draft,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  half?: string,
): boolean {
  const [hour, minute, second] = [hourOf(Number(hours), half), Number(minutes ?? 0), Number(seconds ?? 0)];
  const isTime = hour < 24 || (hour === 24 && minute + second === 0);
  if (draft.time || !isTime || minute > 59 || second > 59) return false;
  draft.time = { hour, minute, second };
  return true;
}

/** The hour from 0 to 24; NaN if it does not go with AM or PM. */
function hourOf(given: number, half: string | undefined): number {
  if (half === undefined) return given;
  if (given < 1 || given > 12) return Number.NaN;
  return (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function setOffset(
  draft: Draft,
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): boolean {
  const total = Number(hours) * 60 + Number(minutes ?? 0);
  if (draft.offsetMinutes !== undefined || draft.zone !== undefined || total > 14 * 60) return false;
  draft.offsetMinutes = sign === '-' ? -total : total;
  return true;
}

const month = (name: string | undefined): number => MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
const weekday = (name: string | undefined): number => DAYS.indexOf((name ?? '').slice(0, 3).toLowerCase());

/** A named day: midnight, unless the text gives a time. */
function onDay(draft: Draft, step: (at: Date) => void): boolean {
  draft.midnight = true;
  draft.steps.push(step);
  return true;
}

const moveDays = (at: Date, days: number): void => {
  at.setUTCDate(at.getUTCDate() + days);
};

type Direction = -1 | 0 | 1;

const directionOf = (word: string | undefined): Direction => DIRECTIONS[(word ?? '').toLowerCase()] ?? -1;
const DIRECTIONS: Readonly<Record<string, Direction>> = { last: -1, previous: -1, this: 0, next: 1 };

/** Moves to the nearest such weekday: 0 from today, 1 after today, -1 before today. */
function moveToWeekday(at: Date, day: number, direction: Direction): void {
  const ahead = (day - at.getUTCDay() + 7) % 7;
  if (direction === -1) moveDays(at, ahead - 7);
  else moveDays(at, direction === 1 && ahead === 0 ? 7 : ahead);
}

function move(at: Date, count: number, unit: string): void {
  if (unit.startsWith('sec')) at.setUTCSeconds(at.getUTCSeconds() + count);
  else if (unit.startsWith('min')) at.setUTCMinutes(at.getUTCMinutes() + count);
  else if (unit === 'hour') at.setUTCHours(at.getUTCHours() + count);
  else if (unit === 'day') moveDays(at, count);
  else if (unit === 'week') moveDays(at, 7 * count);
  else if (unit === 'fortnight') moveDays(at, 14 * count);
  else if (unit === 'month') at.setUTCMonth(at.getUTCMonth() + count);
  else if (unit === 'year') at.setUTCFullYear(at.getUTCFullYear() + count);
  else for (let left = Math.abs(count); left > 0; left -= 1) moveToNextWorkday(at, Math.sign(count));
}

function moveToNextWorkday(at: Date, direction: number): void {
  do moveDays(at, direction);
  while (at.getUTCDay() % 6 === 0);
}

function step(draft: Draft, count: number, unit: string | undefined): boolean {
  if (unit === undefined || Math.abs(count) > 9999) return false;
  draft.steps.push((at) => move(at, count, unit.toLowerCase()));
  return true;
}

/** Tried in this order at each position; the first match wins. */
export const rules: readonly Rule[] = [
  rule(String.raw`(\d{4})-(\d\d?)-(\d\d?)${END}|(\d{4})/(\d\d?)/(\d\d?)${END}`, ([, y, m, d, y2, m2, d2], draft) =>
    setDate(draft, y ?? y2, m ?? m2, d ?? d2),
  ),
  rule(String.raw`(\d{4})(\d\d)(\d\d)${END}`, ([, y, m, d], draft) => setDate(draft, y, m, d)),
  // US order with slashes, European order with dots and dashes.
  rule(String.raw`(\d\d?)/(\d\d?)/(\d{4})${END}`, ([, m, d, y], draft) => setDate(draft, y, m, d)),
  rule(String.raw`(\d\d?)[.-](\d\d?)[.-](\d{4})${END}`, ([, d, m, y], draft) => setDate(draft, y, m, d)),
  rule(String.raw`(\d\d?)(?:st|nd|rd|th)?[\s.-]*${MONTH}\.?[\s,.-]*(\d{4})${END}`, ([, d, name, y], draft) =>
    setDate(draft, y, month(name), d),
  ),
  rule(String.raw`${MONTH}\.?[\s.-]*(\d\d?)(?:st|nd|rd|th)?[\s,.-]+(\d{4})${END}`, ([, name, d, y], draft) =>
    setDate(draft, y, month(name), d),
  ),
  rule(String.raw`T?${TIME_OF_DAY}(?!\d)`, ([, h, m, s, half], draft) => setTime(draft, h, m, s, half)),
  rule(String.raw`T(\d\d)(\d\d)(\d\d)?(?!\d)`, ([, h, m, s], draft) => setTime(draft, h, m, s)),
  rule(String.raw`(\d{1,2})\s*([ap])\.?m\b\.?`, ([, h, half], draft) => setTime(draft, h, undefined, undefined, half)),
  rule(String.raw`at\b`, () => true),
  rule(String.raw`([+-]?\d{1,4})\s*${UNIT}(\s+ago)?\b`, ([, count, unit, ago], draft) =>
    step(draft, Number(count) * (ago ? -1 : 1), unit),
  ),
  rule(String.raw`(?:utc|gmt)?([+-])(\d\d?)(?::?([0-5]\d))?(?![\d:])`, ([, sign, h, m], draft) =>
    setOffset(draft, sign, h, m),
  ),
  rule(String.raw`(?:z|utc|gmt)\b`, (_, draft) => setOffset(draft, '+', '0', '0')),
  rule(String.raw`now\b`, (_, draft) => draft.steps.push(() => undefined) > 0),
  rule(String.raw`(?:today|midnight)\b`, (_, draft) => onDay(draft, () => undefined)),
  rule(String.raw`noon\b`, (_, draft) => setTime(draft, '12', '0', '0')),
  rule(String.raw`tomorrow\b`, (_, draft) => onDay(draft, (at) => moveDays(at, 1))),
  rule(String.raw`yesterday\b`, (_, draft) => onDay(draft, (at) => moveDays(at, -1))),
  rule(String.raw`(next|last|previous|this)\s+${DAY}\b`, ([, word, name], draft) =>
    onDay(draft, (at) => moveToWeekday(at, weekday(name), directionOf(word))),
  ),
  rule(String.raw`(next|last|previous|this)\s+${UNIT}\b`, ([, word, unit], draft) =>
    step(draft, directionOf(word), unit),
  ),
  // A weekday next to a date adds nothing.
  rule(String.raw`${DAY}\b\.?`, ([, name], draft) =>
    onDay(draft, draft.date ? () => undefined : (at) => moveToWeekday(at, weekday(name), 0)),
  ),
  rule(String.raw`[A-Za-z]+(?:/[A-Za-z_+-]+\d*){0,2}`, ([name], draft) => {
    const zone = eventZone(name);
    if (draft.zone !== undefined || draft.offsetMinutes !== undefined || zone === undefined) return false;
    draft.zone = zone;
    return true;
  }),
];
