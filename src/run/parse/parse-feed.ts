import { binaryFile } from './binary-file.ts';
import { goneColumns, type GoneColumns } from '../../csv/gone-columns.ts';
import { parseRows } from '../../csv/parse-rows.ts';
import { decodeText } from '../../ical/read/decode.ts';
import { notACalendar } from '../../ical/read/not-a-calendar.ts';
import type { Profile } from '../../ical/read/profile.ts';
import { profileOf } from '../../ical/read/profiles.ts';
import { pageInWords } from '../../ical/read/web-page.ts';
import { parseCalendar } from '../../ical/read/parse-calendar.ts';
import { draftsFromCalendar } from '../../sync/drafts/from-calendar.ts';
import { draftsFromRows } from '../../sync/drafts/from-rows.ts';
import type { DraftSettings, FeedReading } from '../../sync/model/draft.ts';
import type { Problem } from '../../problem.ts';

export interface ParseInput {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The addresses that were asked for and that answered. */
  readonly addresses?: readonly string[];
  /** Found out from the bytes where it is undefined. */
  readonly format: 'ical' | 'csv' | undefined;
  readonly settings: DraftSettings;
  /** The beginning of the last good body, where the mapping has not changed since: columns that are gone are said. */
  readonly before?: Uint8Array;
}

/** The publisher's profile as it is told: what a thread can be sent. */
export type PublisherNote = Pick<Profile, 'name' | 'quirks'>;

export type ParseOutput =
  | {
      readonly kind: 'reading';
      readonly reading: FeedReading;
      /** REFRESH-INTERVAL or X-PUBLISHED-TTL. */ readonly refreshMs: number | null;
      readonly profile?: PublisherNote;
    }
  /** The body is no whole feed: to be treated as a failed fetch. */
  | { readonly kind: 'notAFeed'; readonly problem: Problem };

/** Bytes → all that the feed says, or why they are no feed. Pure, and slow for large feeds: it runs in a worker thread. */
export function parseFeed(input: ParseInput): ParseOutput {
  const binary = binaryFile(input.bytes);
  if (binary !== null) return { kind: 'notAFeed', problem: { code: 'feed-binary', message: binary, where: {} } };
  const lines = linesIn(input.bytes);
  if (lines > LINES_MAX)
    return {
      kind: 'notAFeed',
      problem: {
        code: 'feed-too-many-lines',
        message: `The feed has ${lines} lines, more than the ${LINES_MAX} that are read; its last good state is kept. Ask the publisher for a smaller feed.`,
        where: {},
      },
    };
  const format = input.format ?? formatOf(input);
  return format === 'csv' ? parseCsv(input) : parseIcal(input);
}

/** A hundred thousand events need half of them. */
const LINES_MAX = 2_000_000;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

const LINE_FEED = 10;

function parseIcal({ bytes, contentType, addresses = [], settings }: ParseInput): ParseOutput {
  const { text, problems } = decodeText(bytes, contentType);
  const reason = notACalendar(text, addresses);
  if (reason !== null) return { kind: 'notAFeed', problem: { code: 'not-a-calendar', message: reason, where: {} } };
  const parsed = parseCalendar(text);
  const { refreshSeconds, productId } = parsed.value;
  const profile = profileOf(productId, addresses);
  const reading = draftsFromCalendar(parsed.value, settings, profile);
  return {
    kind: 'reading',
    reading: { ...reading, problems: [...problems, ...parsed.problems, ...reading.problems] },
    refreshMs: refreshSeconds === null ? null : refreshSeconds * 1000,
    ...(profile ? { profile: { name: profile.name, quirks: profile.quirks } } : {}),
  };
}

function parseCsv({ bytes, contentType, addresses = [], settings, before }: ParseInput): ParseOutput {
  const rows = parseRows(bytes, contentType, settings.columns);
  if (rows.kind === 'notRows')
    return {
      kind: 'notAFeed',
      problem:
        rows.problem.code === 'not-csv-page'
          ? {
              ...rows.problem,
              message: pageInWords(decodeText(bytes, contentType).text, addresses).replace(
                ', not a calendar',
                ', not CSV',
              ),
            }
          : rows.problem,
    };
  const gone = goneSince(before, contentType, rows.value.header, settings);
  if (gone?.isDeciding)
    return {
      kind: 'notAFeed',
      problem: {
        ...gone.problems[0]!,
        message: `${gone.problems.map(({ message }) => message).join(' ')} Nothing is changed until the column is back, or the configuration of the source names another, or none: columns: { ${gone.problems[0]!.where.field ?? ''}: none }.`,
      },
    };
  const reading = draftsFromRows(rows, settings);
  const profile = profileOf(null, addresses);
  return {
    kind: 'reading',
    reading: { ...reading, problems: [...(gone?.problems ?? []), ...reading.problems] },
    refreshMs: null,
    ...(profile ? { profile: { name: profile.name, quirks: profile.quirks } } : {}),
  };
}

function goneSince(
  before: Uint8Array | undefined,
  contentType: string | null,
  header: readonly string[],
  { columns, only, skip, set = [] }: DraftSettings,
): GoneColumns | undefined {
  const last = before && parseRows(before, contentType, columns);
  return last?.kind === 'rows'
    ? goneColumns(
        last.value.header,
        header,
        columns,
        new Set([...only, ...skip, ...set.flatMap(({ when }) => when)].map(({ field }) => field)),
      )
    : undefined;
}

/** A calendar says so in its first lines; a web page is told apart later; what else is served as CSV, or configured with columns, is rows. */
function formatOf({ bytes, contentType, settings }: ParseInput): 'ical' | 'csv' {
  const start = decodeText(bytes.subarray(0, 4096), contentType).text;
  if (/BEGIN:VCALENDAR/i.test(start)) return 'ical';
  return /\bcsv\b/i.test(contentType ?? '') || Object.keys(settings.columns).length > 0
    ? 'csv'
    : looksLikeRows(start)
      ? 'csv'
      : 'ical';
}

const looksLikeRows = (start: string): boolean =>
  !/^\s*[<{[]/.test(start) && /^[^\r\n]*[,;\t][^\r\n]*[\r\n]/.test(start);
