import { isHeader } from './columns.ts';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The number of rows among which the header is searched for; a table name, a date or a blank row may precede it. */
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
  const named = headerDelimiter(text, configured);
  if (named !== undefined) return { delimiter: named, from: 0 };
  const header = firstRecord(text);
  const counts = CANDIDATES.map((delimiter) => header.split(delimiter).length - 1);
  return { delimiter: CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',', from: 0 };
}

/** The delimiter of the first line that is a header; undefined if none is. */
export function headerDelimiter(text: string, configured: Readonly<Record<string, string>>): string | undefined {
  const lines = text
    .slice(0, SAMPLE)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, HEADER_ROWS_MAX);
  return lines.flatMap((line) =>
    CANDIDATES.filter((delimiter) => line.includes(delimiter) && isHeader(line.split(delimiter), configured)),
  )[0];
}

const SAMPLE = 40_000;

/** The first line with several cells, without its quoted parts, as the name of a table may precede it. */
function firstRecord(text: string): string {
  const unquoted = text.slice(0, SAMPLE).replace(/"[^"]*"/g, '');
  const lines = unquoted.split(/\r\n|\n|\r/, HEADER_ROWS_MAX);
  return lines.find((line) => CANDIDATES.some((delimiter) => line.includes(delimiter))) ?? '';
}
