import { DAY_NAMES, isNameOf, type ColumnField, type Columns } from './columns.ts';
import { foldedWords } from '../ascii.ts';
import type { Table } from './parse-rows.ts';
import { timeFromText } from './read-time.ts';

/**
 * Reassigns columns according to their cells (trimmed): if "Start" or "End" contains only times of day, it is the time,
 * and the day is in another column ("Date"). Configured columns are left as they are.
 */
export function settledColumns(
  columns: Columns,
  { header, rows }: Table,
  configured: Readonly<Record<string, string>>,
): Columns {
  const settled = new Map(columns);
  const holdsTimes = (index: number): boolean =>
    rows.map(({ cells }) => cells[index] ?? '').every((cell) => cell === '' || timeFromText(cell) !== null);
  const unclaimed = (isWanted: (name: string) => boolean): number => {
    const claimed = new Set([...settled.values()].flat());
    return header.findIndex((name, index) => !claimed.has(index) && isWanted(name));
  };
  for (const [date, time] of PAIRS.filter(([, name]) => !columns.has(name) && !Object.hasOwn(configured, name))) {
    const [index] = settled.get(date) ?? [];
    if (index === undefined) continue;
    const day = date === 'start_date' ? unclaimed((name) => DAY_NAMES.includes(foldedWords(name))) : -1;
    const hour = unclaimed((name) => isNameOf(date, name) && !DAY_NAMES.includes(foldedWords(name)));
    if (!Object.hasOwn(configured, date) && (date === 'end_date' || day >= 0) && holdsTimes(index)) {
      settled.delete(date);
      settled.set(time, [index]);
      if (day >= 0) settled.set(date, [day]);
    } else if (hour >= 0 && holdsTimes(hour)) settled.set(time, [hour]);
  }
  return settled;
}

const PAIRS = [
  ['start_date', 'start_time'],
  ['end_date', 'end_time'],
] as const satisfies readonly (readonly [ColumnField, ColumnField])[];
