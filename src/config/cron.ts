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

/**
 * A cron expression of five fields, or of six with seconds first, separated by single spaces; undefined if it is
 * invalid or never due.
 */
export const readCron = (text: string): string | undefined =>
  cronFault(text) === undefined ? partsOf(text).join(' ') : undefined;

/** What keeps a cron expression from ever being due, as a sentence; undefined if nothing does. */
export function cronFault(text: string): string | undefined {
  const parts = partsOf(text);
  if (parts.length !== 5 && parts.length !== 6)
    return `It has ${countInWords(parts.length, 'field')}: write "0 3 * * *" for every night at three.`;
  const fields = parts.length === 6 ? [SECOND, ...FIELDS] : FIELDS;
  const wrong = fields.findIndex((field, index) => !isField(parts[index] as string, field));
  const { is, from, to, names } = fields[wrong] ?? {};
  if (is !== undefined)
    return `"${parts[wrong]}" is no ${is}: write * for any, or ${from} to ${to}${names ? `, or ${names[0]} to ${names.at(-1)}` : ''}.`;
  return everComes(parts.at(-3) as string, parts.at(-2) as string)
    ? undefined
    : 'No such day ever comes: the months it names are shorter.';
}

function isField(part: string, field: Field): boolean {
  return part.split(',').every((item) => {
    const [range = '', step, ...more] = item.split('/');
    if (more.length > 0 || (step !== undefined && !(/^\d+$/.test(step) && Number(step) > 0))) return false;
    if (range === '*') return true;
    const bounds = range.split('-').map((bound) => numberOf(bound, field));
    return (
      bounds.length <= 2 &&
      bounds.every((bound) => bound >= field.from && bound <= field.to) &&
      (bounds[0] as number) <= (bounds[1] ?? Infinity)
    );
  });
}

function numberOf(bound: string, { from, names }: Field): number {
  if (/^\d+$/.test(bound)) return Number(bound);
  const index = names?.indexOf(bound) ?? -1;
  return index < 0 ? Number.NaN : index + from;
}

// "30 February" is well formed, but would never run.
function everComes(days: string, months: string): boolean {
  if (days.includes('*') || months.includes('*')) return true;
  const longest = Math.max(
    ...months.split(',').flatMap((item) => {
      const [low = 1, high = low] = (item.split('/')[0] as string)
        .split('-')
        .map((bound) => numberOf(bound, FIELDS[3] as Field));
      return DAYS_IN_MONTH.slice(low - 1, high);
    }),
  );
  return days.split(',').some((item) => Number.parseInt(item, 10) <= longest);
}
