import { isHeader } from './columns.ts';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The header is searched for in this many rows; a table name, a date or a blank row may precede it. */
export const HEADER_ROWS_MAX = 20;

/**
 * The delimiter and the start of the table: after a `sep=;` line as understood by Excel, else the start of the text. If
 * one of the first lines is a header, it decides; `configured` are the columns named in the configuration.
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

/** The first line that is not blank, without its quoted parts. */
function firstRecord(text: string): string {
  const start = text.search(/\S/);
  const unquoted = text.slice(Math.max(0, start), start + SAMPLE).replace(/"[^"]*"/g, '');
  return unquoted.split(/\r\n|\n|\r/, 1)[0] ?? '';
}
