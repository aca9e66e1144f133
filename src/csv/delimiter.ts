import { isHeader } from './columns.ts';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The header is among this many rows; above it there may be the name of the table, a date, a blank row. */
export const HEADER_ROWS_MAX = 20;

/**
 * What separates the cells, and where the table begins: behind the line `sep=;` that Excel understands, else at the
 * start. The
 * header decides, where one of the first lines is one; `configured` are the columns that the configuration names.
 */
export function delimiterOf(
  text: string,
  configured: Readonly<Record<string, string>>,
): { readonly delimiter: string; readonly from: number } {
  const declared = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text);
  if (declared?.[1] !== undefined) return { delimiter: declared[1], from: declared[0].length };
  const lines = text
    .slice(0, SAMPLE)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, HEADER_ROWS_MAX);
  const named = lines.flatMap((line) =>
    CANDIDATES.filter((delimiter) => line.includes(delimiter) && isHeader(line.split(delimiter), configured)),
  )[0];
  if (named !== undefined) return { delimiter: named, from: 0 };
  const header = firstRecord(text);
  const counts = CANDIDATES.map((delimiter) => header.split(delimiter).length - 1);
  return { delimiter: CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',', from: 0 };
}

const SAMPLE = 40_000;

/** The first line that is not blank, without what is quoted in it. */
function firstRecord(text: string): string {
  const start = text.search(/\S/);
  const unquoted = text.slice(Math.max(0, start), start + SAMPLE).replace(/"[^"]*"/g, '');
  return unquoted.split(/\r\n|\n|\r/, 1)[0] ?? '';
}
