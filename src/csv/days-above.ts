import { isBlank } from '../ascii.ts';
import { grouped } from '../count-in-words.ts';
import type { Problem } from '../problem.ts';
import type { Columns } from './columns.ts';
import type { Row } from './parse-rows.ts';
import { timeFromCell, timesFromCell } from './read-time.ts';

/** A single row without a date merely lacks one; tables with merged cells have more of them. */
const ROWS_MIN = 2;

/**
 * Fills in the dates of rows that lack one, if the table gives the date only in the first row of each day (as
 * spreadsheets export merged cells), or in a row of its own above them. Such a table names no day twice, and within a
 * day the times never fall and mostly rise. In other tables, nothing is changed, as a row without a date has none.
 */
export function withDaysAbove(
  rows: readonly Row[],
  columns: Columns,
): { readonly rows: readonly Row[]; readonly problems: readonly Problem[] } {
  const days = columns.get('start_date') ?? [];
  const below = rows.some((row) => dayOf(row, columns) === '') ? rowsBelow(rows, columns) : NONE;
  if (!areMerged(rows, below, columns)) return { rows, problems: [] };
  const heads = new Set([...below.values()].map(({ head }) => head));
  const [first] = below.keys();
  return {
    rows: rows
      .filter((row) => !(heads.has(row) && isHeading(row, columns)))
      .map((row) => {
        const head = below.get(row)?.head.cells;
        return head
          ? { ...row, cells: row.cells.map((cell, at) => (days.includes(at) ? (head[at] ?? '') : cell)) }
          : row;
      }),
    problems: [
      {
        code: 'row-date-above',
        message:
          `Only the first row of a day has its date, as where cells are merged: ${grouped(below.size)} rows ` +
          'without one are read as on the day above them.',
        where: first ? { row: first.row, line: first.line } : {},
      },
    ],
  };
}

const NONE: ReadonlyMap<Row, Above> = new Map();

interface Above {
  /** The row with the date. */ readonly head: Row;
  /** The previous time on the same day; null if there is none. */ readonly before: string | null;
}

/** The rows without a date that have a title and a time, and are below a row with a date. */
function rowsBelow(rows: readonly Row[], columns: Columns): ReadonlyMap<Row, Above> {
  const below = new Map<Row, Above>();
  let head: Row | undefined;
  let before: string | null = null;
  for (const row of rows) {
    const time = timeOf(row, columns);
    if (dayOf(row, columns) !== '') head = row;
    else if (head && time !== null && titleOf(row, columns) !== '') below.set(row, { head, before });
    else continue;
    before = time;
  }
  return below;
}

function areMerged(rows: readonly Row[], below: ReadonlyMap<Row, Above>, columns: Columns): boolean {
  const days = rows.map((row) => dayOf(row, columns)).filter((day) => day !== '');
  if (below.size < ROWS_MIN || new Set(days).size < days.length) return false;
  const steps = [...below].map(([row, { before }]) => ({ before: before ?? '', time: timeOf(row, columns) ?? '' }));
  const rising = steps.filter(({ before, time }) => time > before);
  return steps.every(({ before, time }) => time >= before) && rising.length * 2 > steps.length;
}

/** Whether a row gives nothing but a day. */
const isHeading = (row: Row, columns: Columns): boolean =>
  titleOf(row, columns) === '' && timeOf(row, columns) === null;

const cellsOf = (row: Row, indexes: readonly number[] = []): string =>
  indexes
    .map((index) => row.cells[index] ?? '')
    .filter((cell) => !isBlank(cell))
    .join(' ');
const dayOf = (row: Row, columns: Columns): string => cellsOf(row, columns.get('start_date'));
const titleOf = (row: Row, columns: Columns): string => cellsOf(row, columns.get('title'));

function timeOf(row: Row, columns: Columns): string | null {
  const cell = cellsOf(row, columns.get('start_time'));
  return timeFromCell(cell) ?? timesFromCell(cell)?.[0] ?? null;
}
