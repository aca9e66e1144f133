const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}
const SECOND: Field = { from: 0, to: 59 };
const FIELDS: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: MONTHS },
  { from: 0, to: 7, names: DAYS },
];

/**
 * A cron expression of five fields, or of six with seconds first, separated by single spaces; undefined if it is
 * invalid or never due.
 */
export function readCron(text: string): string | undefined {
  const parts = text.trim().toLowerCase().split(/\s+/);
  const fields = parts.length === 6 ? [SECOND, ...FIELDS] : FIELDS;
  if (parts.length !== fields.length || !parts.every((part, index) => isField(part, fields[index] as Field)))
    return undefined;
  return everComes(parts.at(-3) as string, parts.at(-2) as string) ? parts.join(' ') : undefined;
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
