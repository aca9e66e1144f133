import { grouped } from '../count-in-words.ts';
import type { FeedCode } from '../feed-codes.ts';
import { CsvError, parse } from 'csv-parse/sync';
import { charsetFromContentType, decodeBytes, encodingProblems } from '../charset.ts';
import type { Problem } from '../problem.ts';
import { isHeader } from './columns.ts';
import { delimiterOf, HEADER_ROWS_MAX } from './delimiter.ts';

/** One record; `row` and `line` count from 1, including the header, as spreadsheets and editors show them. */
export interface Row {
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
}
export interface Table {
  readonly header: readonly string[];
  /** The position of the header. */ readonly headerRow: number;
  readonly delimiter: string;
  readonly rows: readonly Row[];
}

/** Bytes read as CSV; `notRows` if they are not a table at all, in which case nothing may be concluded from them. */
export type ParsedRows =
  | {
      readonly kind: 'rows';
      readonly value: Table;
      /** Records that could not be read. */ readonly unread: readonly Row[];
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'notRows'; readonly problem: Problem<FeedCode> };

const RECORD_CHARACTERS_MAX = 1_000_000;
const BROKEN_RECORDS_MAX = 20;
const OPTIONS = {
  relax_column_count: true,
  // By hand and in code, many write a blank between a delimiter and a quotation mark.
  ltrim: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: RECORD_CHARACTERS_MAX,
};
const LINE_END = /\r\n|\n|\r/g;

/**
 * Parses bytes as rows in any common encoding, delimiter and line ending (RFC 4180, and spreadsheets' variants of it).
 * A broken record affects only itself. Anything above the header is left out; `configured` are the columns named in the
 * configuration.
 */
export function parseRows(
  bytes: Uint8Array,
  contentType: string | null,
  configured: Readonly<Record<string, string>> = {},
): ParsedRows {
  const decoded = decodeBytes(bytes, charsetFromContentType(contentType));
  const raw = decoded.text;
  const text = raw.replace(/^\uFEFF/, '').replace(/\0/g, '');
  const refusal = refusalOf(text);
  if (refusal) return { kind: 'notRows', problem: refusal };
  const nulBytes: readonly Problem[] = raw.includes('\0')
    ? [{ code: 'nul-bytes', message: 'NUL bytes were removed from the file.', where: {} }]
    : [];
  const { records, broken, stoppedAt, delimiter } = recordsOf(text, configured);
  const filled = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const headerAt = headerIn(
    filled.slice(0, HEADER_ROWS_MAX).map(({ cells }) => cells),
    configured,
  );
  const header = filled[headerAt];
  if (!header)
    return {
      kind: 'notRows',
      problem: { code: 'csv-empty', message: 'The file has no rows, not even a header.', where: {} },
    };
  const value = {
    header: header.cells.map((cell) => cell.trim()),
    headerRow: header.row,
    delimiter,
    rows: filled.slice(headerAt + 1),
  };
  return {
    kind: 'rows',
    value,
    unread: broken,
    problems: [
      ...encodingProblems(decoded),
      ...nulBytes,
      ...broken.map(brokenProblem),
      ...(stoppedAt === null ? [] : [stoppedProblem(stoppedAt)]),
    ],
  };
}

/** The index of the first header among rows or, if none is known, of the first row with several cells. */
function headerIn(rows: readonly (readonly string[])[], configured: Readonly<Record<string, string>>): number {
  const found = rows.findIndex((cells) => isHeader(cells, configured));
  if (found >= 0) return found;
  return Math.max(
    0,
    rows.findIndex((cells) => cells.filter((cell) => cell.trim() !== '').length > 1),
  );
}

function refusalOf(text: string): Problem<FeedCode> | undefined {
  if (text.trim() === '') return { code: 'csv-empty', message: 'The file is empty.', where: {} };
  if (/^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text))
    return {
      code: 'not-csv-page',
      message: 'The address answers with a web page instead of CSV; does it ask for a login?',
      where: { line: 1 },
    };
  if (/^\s*(?:\{\s*"|\[\s*[[{"])/.test(text))
    return { code: 'not-csv', message: 'This is JSON, not CSV. Look for an export as CSV.', where: { line: 1 } };
  return /^\s*BEGIN:VCALENDAR/i.test(text)
    ? {
        code: 'not-csv',
        message: 'This is an iCalendar file; set the format of the source to ical.',
        where: { line: 1 },
      }
    : undefined;
}

interface Records {
  readonly records: readonly Row[];
  readonly broken: readonly Row[];
  /** The row at which reading stopped. */ readonly stoppedAt: number | null;
  readonly delimiter: string;
}

/** Reads all readable records; after a broken one, reading continues on the line after its start. */
function recordsOf(text: string, configured: Readonly<Record<string, string>>): Records {
  const { delimiter, from } = delimiterOf(text, configured);
  // Kept in parts, because there may be more records than a call can take arguments.
  const parts: (readonly Row[])[] = [];
  const broken: Row[] = [];
  let position = { offset: from, line: from === 0 ? 1 : 2, row: from === 0 ? 1 : 2 };
  while (position.offset < text.length) {
    const read = readUntilBroken(text.slice(position.offset), delimiter, position);
    parts.push(read.records);
    if (read.broken === null) break;
    broken.push(read.broken);
    const next = offsetOfLine(text, position.offset, read.broken.line + 1 - position.line);
    if (next === null) break;
    if (broken.length >= BROKEN_RECORDS_MAX)
      return { records: parts.flat(), broken, stoppedAt: read.broken.row, delimiter };
    position = { offset: next, line: read.broken.line + 1, row: read.broken.row + 1 };
  }
  return { records: parts.flat(), broken, stoppedAt: null, delimiter };
}

function readUntilBroken(
  text: string,
  delimiter: string,
  start: { readonly line: number; readonly row: number },
): { readonly records: readonly Row[]; readonly broken: Row | null } {
  const records: Row[] = [];
  let line = start.line;
  // With `raw`, a record includes the text that it was read from.
  const onRecord = (found: unknown, { lines }: { readonly lines: number }): null => {
    const { record: cells, raw } = found as { readonly record: string[]; readonly raw: string };
    if (isMisquoted(raw, delimiter))
      throw new CsvError('CSV_QUOTE_NOT_CLOSED', 'a quotation mark that is closed in another row');
    records.push({ row: start.row + records.length, line, cells });
    // The parser counts completed lines.
    line = start.line + lines;
    return null;
  };
  try {
    parse(text, { ...OPTIONS, delimiter, on_record: onRecord, raw: true, relax_quotes: true });
    return { records, broken: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records, broken: { row: start.row + records.length, line, cells: [error.code] } };
  }
}

/**
 * Whether a quotation mark is closed in another row. Stray quotation marks are kept as text, but only within a line,
 * because an unclosed one would swallow all rows up to the next.
 */
function isMisquoted(raw: string, delimiter: string): boolean {
  if (!/[\r\n]/.test(raw.trimEnd())) return false;
  try {
    return parse(raw, { ...OPTIONS, delimiter }).length !== 1;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return true;
  }
}

/** The start of the line that is `lines` after the one at `from`; null if it is past the end. */
function offsetOfLine(text: string, from: number, lines: number): number | null {
  LINE_END.lastIndex = from;
  for (let left = lines; left > 0; left -= 1) if (!LINE_END.exec(text)) return null;
  return LINE_END.lastIndex;
}

const brokenProblem = ({ row, line, cells }: Row): Problem => ({
  code: cells[0] === 'CSV_QUOTE_NOT_CLOSED' ? 'csv-quote' : 'csv-record',
  message:
    cells[0] === 'CSV_QUOTE_NOT_CLOSED'
      ? 'A quotation mark is opened in this row and never closed; the row is left out.'
      : 'This row is too long or damaged and is left out.',
  where: { row, line },
});

const stoppedProblem = (row: number): Problem => ({
  code: 'csv-stopped',
  message:
    `After ${grouped(BROKEN_RECORDS_MAX)} damaged rows the rest of the file was not read; ` +
    'no event counts as gone. Check that the file is complete and really CSV.',
  where: { row },
});
