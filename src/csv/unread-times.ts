import type { Problem } from '../problem.ts';
import type { Columns } from './columns.ts';
import type { Table } from './parse-rows.ts';
import { quoted } from './quoted.ts';
import { timeFromText, timesFromText } from './read-time.ts';

/** Reports a column of times whose name does not say that events begin at them, in a table that has no other times. */
export function unreadTimes({ header, headerRow, rows }: Table, columns: Columns): readonly Problem[] {
  const claimed = new Set([...columns.values()].flat());
  const found = header.findIndex((_, index) => {
    const cells = rows.map((row) => row.cells[index] ?? '').filter((cell) => cell !== '');
    return !claimed.has(index) && cells.length > 0 && cells.every(isClock);
  });
  if (found < 0) return [];
  const name = header[found] ?? '';
  const [column, advice] =
    name === ''
      ? [`column ${found + 1}, which has no heading,`, 'give the column a heading such as "Time".']
      : [quoted(name), `write columns: { start_time: ${quoted(name)} } for this source.`];
  return [
    {
      code: 'times-unread',
      message:
        'All events take whole days, because no column was recognized as start_time, ' +
        `but ${column} holds times of day. If events begin at these, ${advice}`,
      where: { row: headerRow, column: found + 1 },
    },
  ];
}

/** Whether a cell can hardly be anything but a time of day, unlike 12.50 and 1930. */
const isClock = (cell: string): boolean =>
  /[:\p{L}]/u.test(cell) && (timeFromText(cell) !== null || timesFromText(cell) !== null);
