import type { ColumnField } from './column-names.ts';
import { DAY_NAMES, headerWords, isNameOf, rankAmongNames, type Columns } from './columns.ts';
import { foldedWords } from '../ascii.ts';
import type { Row, Table } from './parse-rows.ts';
import { clockFromText, dateFromText } from './read-date.ts';
import { isNoTime, timeFromCell, timesFromCell } from './read-time.ts';

/**
 * Reassigns columns according to their (trimmed) cells. If "Start" or "End" contains only times of day, it is the time,
 * and the day is in another column ("Date", "Start date", "Until"). If "Start time" contains days, it is the start.
 * "To" is an end only if some cell is a date or a time. Configured columns are left as they are.
 */
export function settledColumns(named: Columns, table: Table, configured: Readonly<Record<string, string>>): Columns {
  const { header, rows } = table;
  const ends = withSecondPair(withoutGoals(named, table, configured), configured);
  const columns = withDaysOfTimes(withTwins(ends, rows, configured), rows, configured);
  const settled = new Map(columns);
  const holdsTimes = (index: number): boolean =>
    rows
      .map(({ cells }) => cells[index] ?? '')
      .every((cell) => isNoTime(cell) || timeFromCell(cell) !== null || clockFromText(cell) !== null);
  const unclaimed = (isWanted: (name: string) => boolean): number => {
    const claimed = new Set([...settled.values()].flat());
    return header.findIndex((name, index) => !claimed.has(index) && isWanted(name));
  };
  const dayOf = (field: (typeof PAIRS)[number][0]): number => {
    const claimed = new Set([...settled.values()].flat());
    const [day] = header
      .map((name, index) => ({ index, rank: rankAmongNames(field, name) }))
      .filter(({ index, rank }) => rank >= 0 && !claimed.has(index) && holdsDays(rows, index))
      .toSorted((one, other) => one.rank - other.rank);
    return day?.index ?? (field === 'start_date' ? unclaimed((name) => DAY_NAMES.includes(headerWords(name))) : -1);
  };
  for (const [date, time] of PAIRS.filter(([, name]) => !columns.has(name) && !Object.hasOwn(configured, name))) {
    const [index] = settled.get(date) ?? [];
    if (index === undefined) continue;
    const isHours = !Object.hasOwn(configured, date) && holdsTimes(index);
    const day = isHours ? dayOf(date) : -1;
    const hour = unclaimed((name) => isNameOf(date, name) && !DAY_NAMES.includes(headerWords(name)));
    if (isHours && (date === 'end_date' || day >= 0)) {
      settled.delete(date);
      settled.set(time, [index]);
      if (day >= 0) settled.set(date, [day]);
    } else if (hour >= 0 && holdsTimes(hour)) settled.set(time, [hour]);
  }
  return settled;
}

const holdsDays = (rows: readonly Row[], index: number): boolean =>
  rows.some(({ cells }) => dateFromText(cells[index] ?? '', 'day first') !== null);

/** If day and time occur twice (`Datum;Uhrzeit;Datum;Uhrzeit`), the second pair is the end. */
function withSecondPair(columns: Columns, configured: Readonly<Record<string, string>>): Columns {
  const days = columns.get('start_date') ?? [];
  const times = columns.get('start_time') ?? [];
  const pairs = days.flatMap((day, index) => [day, times[index] ?? -1]);
  const arePairs = pairs.length === 4 && times.length === 2 && isRising(pairs);
  const isSaid = PAIRS.flat().some((field) => Object.hasOwn(configured, field));
  if (!arePairs || isSaid || columns.has('end_date') || columns.has('end_time')) return columns;
  return new Map([...columns, ...PAIRS.flat().map((field, index) => [field, pairs.slice(index, index + 1)] as const)]);
}

const isRising = (indexes: readonly number[]): boolean =>
  indexes.every((each, at) => at === 0 || each > (indexes[at - 1] ?? each));

/** Of two columns with the same name, as in Outlook in French, the one with only hours is the time. */
function withTwins(columns: Columns, rows: readonly Row[], configured: Readonly<Record<string, string>>): Columns {
  const apart = new Map(columns);
  for (const [date, time] of PAIRS) {
    const twins = columns.get(date) ?? [];
    if (twins.length < 2 || columns.has(time) || Object.hasOwn(configured, date)) continue;
    const [days, hours] = [
      twins.filter((index) => holdsDays(rows, index)),
      twins.filter((index) => holdsHours(rows, index)),
    ];
    if (days.length === 0 || hours.length === 0) continue;
    apart.set(date, days);
    apart.set(time, hours);
  }
  return apart;
}

const holdsHours = (rows: readonly Row[], index: number): boolean => {
  const cells = rows.map((row) => row.cells[index] ?? '').filter((cell) => !isNoTime(cell));
  return cells.length > 0 && cells.every((cell) => timeFromCell(cell) !== null);
};

/** "Start time" and "End time" are start and end if they also hold the days and no other column does. */
function withDaysOfTimes(
  columns: Columns,
  rows: readonly Row[],
  configured: Readonly<Record<string, string>>,
): Columns {
  if (columns.has('start_date') || Object.hasOwn(configured, 'start_date')) return columns;
  const whole = new Map(columns);
  for (const [date, time] of PAIRS) {
    const [index] = columns.get(time) ?? [];
    if (index === undefined || columns.has(date) || Object.hasOwn(configured, time)) continue;
    if (!holdsDays(rows, index)) continue;
    whole.set(date, [index]);
    whole.delete(time);
  }
  return whole;
}

/** If `AM` and `PM` are in a column of their own, appends them to the time in the column before. */
export function withHalvesOfDay(rows: readonly Row[], columns: number): readonly Row[] {
  const halves = new Set(
    Array.from({ length: columns }, (_, index) => index).filter((index) => isOfHalves(rows, index)),
  );
  if (halves.size === 0) return rows;
  return rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) => (halves.has(index + 1) ? withHalf(cell, row.cells[index + 1] ?? '') : cell)),
  }));
}

const HALF = /^[ap]\.?\s?m\.?$/i;
const isOfHalves = (rows: readonly Row[], index: number): boolean =>
  rows.every(({ cells }) => (cells[index] ?? '') === '' || HALF.test(cells[index] ?? '')) &&
  rows.some(({ cells }) => HALF.test(cells[index] ?? ''));

/** A cell that is not a time, or has its half of the day already, is left unchanged. */
function withHalf(cell: string, half: string): string {
  const whole = `${cell} ${half}`;
  return half !== '' && isWhen(whole) ? whole : cell;
}

/**
 * Writes whole hours as times if a column of starts or ends mixes them with other times. At least one hour must be
 * after noon, which shows that the others are not evening hours.
 */
export function withWholeHours(rows: readonly Row[], header: readonly string[], columns: Columns): readonly Row[] {
  const named = new Set(PAIRS.flat().flatMap((field) => columns.get(field) ?? []));
  const isTimes = (name: string): boolean => PAIRS.flat().some((field) => isNameOf(field, name));
  const hours = new Set(
    header.flatMap((name, index) => ((named.has(index) || isTimes(name)) && isOfHours(rows, index) ? [index] : [])),
  );
  if (hours.size === 0) return rows;
  return rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) => (hours.has(index) ? spelledHours(cell) : cell)),
  }));
}

const WHOLE_HOURS = /^\d{1,2}(?:\s*[-–—]\s*\d{1,2})?$/;
const spelledHours = (cell: string): string => (WHOLE_HOURS.test(cell) ? cell.replace(/\d+/g, '$&:00') : cell);

function isOfHours(rows: readonly Row[], index: number): boolean {
  const cells = rows.map((row) => row.cells[index] ?? '').filter((cell) => !isNoTime(cell));
  if (!cells.some((cell) => WHOLE_HOURS.test(cell))) return false;
  const times = cells.map((cell) => startOf(spelledHours(cell)));
  return times.every((time) => time !== null) && times.some((time) => time !== null && time >= '13');
}

const startOf = (cell: string): string | null => timeFromCell(cell) ?? timesFromCell(cell)?.[0] ?? null;

/** Drops an end column that says where a trip goes. */
function withoutGoals(
  columns: Columns,
  { header, rows }: Table,
  configured: Readonly<Record<string, string>>,
): Columns {
  const [end] = columns.get('end_date') ?? [];
  if (end === undefined || Object.hasOwn(configured, 'end_date') || !isMaybeEnd(header[end] ?? '')) return columns;
  if (rows.some(({ cells }) => isWhen(cells[end]))) return columns;
  return new Map([...columns].filter(([field]) => field !== 'end_date'));
}

/** Whether a header may mean the end, or else where a trip or a mail goes. */
const isMaybeEnd = (name: string): boolean => ['to', 'au'].includes(foldedWords(name));
const isWhen = (cell = ''): boolean => timeFromCell(cell) !== null || dateFromText(cell, 'day first') !== null;

const PAIRS = [
  ['start_date', 'start_time'],
  ['end_date', 'end_time'],
] as const satisfies readonly (readonly [ColumnField, ColumnField])[];
