import type { FeedCode } from '../../feed-codes.ts';
import { headerDelimiter } from '../../csv/delimiter.ts';
import { goneColumns, type GoneColumns } from '../../csv/gone-columns.ts';
import { parseRows } from '../../csv/parse-rows.ts';
import { decodeText } from '../../ical/read/decode.ts';
import { profileOf } from '../../ical/read/profiles.ts';
import { pageInWords } from '../../ical/read/web-page.ts';
import type { Problem } from '../../problem.ts';
import { draftsFromRows } from '../drafts/from-rows.ts';
import type { DraftSettings } from '../model/draft.ts';
import { shownLine } from './excerpt.ts';
import type { Excerpts, FeedBytes, FeedRead, Format } from './format.ts';

/** CSV (RFC 4180, and spreadsheets' variants of it): declared as CSV, configured with columns, or looking like rows. */
export const CSV: Format = {
  recognises: (start, contentType, { columns }) =>
    /\bcsv\b/i.test(contentType ?? '') || Object.keys(columns).length > 0 || looksLikeRows(start),
  read: readRows,
  faults: () => [],
  excerpts: rowLines,
  isPraised: false,
};

// Anything that starts like a web page, XML or JSON is not CSV.
const looksLikeRows = (start: string): boolean =>
  !/^\s*[<{[]/.test(start) && (/^[^\r\n]*[,;\t][^\r\n]*[\r\n]/.test(start) || headerDelimiter(start, {}) !== undefined);

function readRows(body: FeedBytes, settings: DraftSettings): FeedRead {
  const { bytes, contentType, addresses = [] } = body;
  const rows = parseRows(bytes, contentType, settings.columns);
  if (rows.kind === 'notRows') return { kind: 'notAFeed', problem: whatItIs(rows.problem, body) };
  const gone = columnsGone(body, rows.value.header, settings);
  if (gone?.isDeciding) return { kind: 'notAFeed', problem: columnMissing(gone) };
  const reading = draftsFromRows(rows, settings);
  const profile = profileOf(null, addresses);
  return {
    kind: 'reading',
    reading: { ...reading, problems: [...(gone?.problems ?? []), ...reading.problems] },
    refreshMs: null,
    ...(profile ? { profile: { name: profile.name, quirks: profile.quirks } } : {}),
    program: null,
    name: null,
    timezone: null,
  };
}

/** If the body is a web page, the message also says what is known about that page. */
const whatItIs = (problem: Problem<FeedCode>, { bytes, contentType, addresses = [] }: FeedBytes): Problem<FeedCode> =>
  problem.code === 'not-csv-page'
    ? {
        ...problem,
        message: pageInWords(decodeText(bytes, contentType).text, addresses).replace(', not a calendar', ', not CSV'),
      }
    : problem;

/** The columns that the last good body had and this one lacks. */
function columnsGone(
  { before, contentType }: FeedBytes,
  header: readonly string[],
  { columns, only, skip, set = [] }: DraftSettings,
): GoneColumns | undefined {
  const last = before && parseRows(before, contentType, columns);
  if (last?.kind !== 'rows') return undefined;
  const ruled = [...only, ...skip, ...set.flatMap(({ when }) => when)].map(({ field }) => field);
  return goneColumns(last.value.header, header, columns, new Set(ruled));
}

function columnMissing({ problems }: GoneColumns): Problem<FeedCode> {
  const { field = '' } = problems[0]?.where ?? {};
  return {
    code: 'column-gone',
    message:
      `${problems.map(({ message }) => message).join(' ')} Nothing is changed until the column is back, or the ` +
      `configuration of the source names another, or none: columns: { ${field}: none }.`,
    where: { field },
  };
}

function rowLines(text: string): Excerpts {
  const rows = text.split(/\r\n|\r|\n/);
  return (line) => shownLine(rows[line - 1] ?? '');
}
