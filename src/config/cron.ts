import { countInWords } from '../count-in-words.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface Field {
  readonly is: string;
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}
const SECOND: Field = { is: 'second', from: 0, to: 59 };
const FIELDS: readonly Field[] = [
  { is: 'minute', from: 0, to: 59 },
  { is: 'hour', from: 0, to: 23 },
  { is: 'day of the month', from: 1, to: 31 },
  { is: 'month', from: 1, to: 12, names: MONTHS },
  { is: 'day of the week', from: 0, to: 7, names: DAYS },
];

const partsOf = (text: string): readonly string[] => text.trim().toLowerCase().split(/\s+/);

const fieldsOf = (parts: readonly string[]): readonly Field[] => (parts.length === 6 ? [SECOND, ...FIELDS] : FIELDS);

/**
 * Normalizes a cron expression of five fields, or of six with seconds first, for the queue's parser, with single spaces
 * and no repeated values. Undefined if it is invalid or never due.
 */
export function readCron(text: string): string | undefined {
  if (cronFault(text) !== undefined) return undefined;
  const parts = partsOf(text);
  const fields = fieldsOf(parts);
  return parts.map((part, index) => withoutRepeats(part, fields[index] as Field)).join(' ');
}

/** Why a cron expression is invalid or never due, as a sentence; undefined if it is fine. */
export function cronFault(text: string): string | undefined {
  const parts = partsOf(text);
  if (parts.length !== 5 && parts.length !== 6)
    return `It has ${countInWords(parts.length, 'field')}: write "0 3 * * *" for every night at three.`;
  const fields = fieldsOf(parts);
  const wrong = fields.findIndex((field, index) => valuesOf(parts[index] as string, field) === undefined);
  const { is, from, to, names } = fields[wrong] ?? {};
  if (is !== undefined)
    return `"${parts[wrong]}" is no ${is}: write * for any, or ${from} to ${to}${names ? `, or ${names[0]} to ${names.at(-1)}` : ''}.`;
  return everComes(parts.at(-3) as string, parts.at(-2) as string)
    ? undefined
    : 'No such day ever comes: the months it names are shorter.';
}

/** All values that a field lists, in order and with repetitions; undefined if the field is invalid. */
function valuesOf(part: string, field: Field): readonly number[] | undefined {
  const items = part.split(',').map((item) => valuesOfItem(item, field));
  return items.every((values) => values !== undefined) ? items.flat() : undefined;
}

function valuesOfItem(item: string, field: Field): readonly number[] | undefined {
  const [range = '', step = '1', ...more] = item.split('/');
  const bounds = boundsOf(range, item.includes('/'), field);
  if (!bounds || more.length > 0 || !/^\d{1,3}$/.test(step) || Number(step) === 0) return undefined;
  const [from, to] = bounds;
  return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, index) => from + index * Number(step));
}

/** The bounds of a range. A single value with a step starts a range to the end of the field. */
function boundsOf(range: string, hasStep: boolean, field: Field): readonly [number, number] | undefined {
  if (range === '*') return [field.from, lastOf(field)];
  const [from = Number.NaN, end = hasStep ? field.to : from, ...more] = range
    .split('-')
    .map((bound) => numberOf(bound, field));
  return more.length === 0 && from >= field.from && from <= end && end <= field.to ? [from, end] : undefined;
}

/** Sunday is both 0 and 7, so a week ends with 6. */
const lastOf = (field: Field): number => (field.names === DAYS ? 6 : field.to);

function numberOf(bound: string, { from, names }: Field): number {
  if (/^\d{1,2}$/.test(bound)) return Number(bound);
  const index = names?.indexOf(bound) ?? -1;
  return index < 0 ? Number.NaN : index + from;
}

/** A valid field without repeated values, which the queue's parser rejects; unchanged if nothing is repeated. */
function withoutRepeats(part: string, field: Field): string {
  const items = part.split(',');
  if (items.length === 1) return part;
  // Not a list of all values, because how the two day fields combine depends on whether one of them is "*".
  if (items.includes('*')) return '*';
  const values = (valuesOf(part, field) ?? []).map((value) => (field.names === DAYS ? value % 7 : value));
  const once = new Set(values);
  return once.size === values.length ? part : [...once].toSorted((a, b) => a - b).join(',');
}

// "30 February" is well formed but never occurs.
function everComes(days: string, months: string): boolean {
  if (days.split(',').some((item) => item.startsWith('*'))) return true;
  const [dayField, monthField] = [FIELDS[2] as Field, FIELDS[3] as Field];
  const longest = Math.max(...(valuesOf(months, monthField) ?? []).map((month) => DAYS_IN_MONTH[month - 1] as number));
  return (valuesOf(days, dayField) ?? []).some((day) => day <= longest);
}
