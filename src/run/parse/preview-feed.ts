import type { ErrorCode } from '../../codes.ts';
import type { FeedCode } from '../../feed-codes.ts';
import { decodeText } from '../../ical/read/decode.ts';
import { AppError } from '../../error.ts';
import type { Quirk } from '../../ical/read/profile-table.ts';
import type { Problem } from '../../problem.ts';
import type { FormatName } from '../../sync/formats/format-kinds.ts';
import type { DraftSettings, FeedReading } from '../../sync/model/draft.ts';
import type { FetchResult } from '../fetch/fetch-feed.ts';
import type { ParseOutput } from './parse-feed.ts';
import type { FeedParser } from './parse-pool.ts';

/** What a feed would become, without asking a site or our database. */
export type FeedPreview =
  | { readonly kind: 'failed'; readonly problem: Problem; readonly body?: FeedBody }
  | {
      readonly kind: 'read';
      readonly reading: FeedReading;
      readonly format: FormatName;
      /** What made the feed: the name of its publisher's profile, else its PRODID. */
      readonly profile: string | null;
      readonly quirks: readonly Quirk[];
      /** The zone that the feed declares, and the feed's name. */
      readonly timezone: string | null;
      readonly name: string | null;
      /** How long the feed asks to be left alone. */
      readonly refreshMs: number | null;
      readonly body: FeedBody;
    };

/** The fetched body, as text. */
export interface FeedBody {
  readonly text: string;
  readonly bytes: number;
}

export async function previewFeed(
  address: string,
  fetched: FetchResult,
  parser: Pick<FeedParser, 'parse'>,
  format: FormatName | undefined,
  settings: DraftSettings,
): Promise<FeedPreview> {
  if (fetched.kind === 'failed') return { kind: 'failed', problem: fetched.problem };
  if (fetched.kind === 'notModified')
    return {
      kind: 'failed',
      problem: {
        code: 'feed-odd-answer',
        message: 'The server says that nothing has changed, without having been asked.',
        where: {},
      },
    };
  const { bytes, contentType, finalUrl } = fetched;
  const body = { text: decodeText(bytes, contentType).text, bytes: bytes.length };
  const parsed = await parser
    .parse({ bytes, contentType, addresses: [address, finalUrl], format, settings })
    .catch(notReadable);
  if (parsed.kind === 'notAFeed') return { kind: 'failed', problem: parsed.problem, body };
  return {
    kind: 'read',
    reading: parsed.reading,
    format: parsed.format,
    profile: parsed.profile?.name ?? parsed.program,
    quirks: parsed.profile?.quirks ?? [],
    timezone: parsed.timezone,
    name: parsed.name,
    refreshMs: parsed.refreshMs,
    body,
  };
}

const LIMITS: Readonly<Partial<Record<ErrorCode, FeedCode>>> = {
  'feed-too-slow': 'feed-too-slow',
  'rules-too-slow': 'feed-too-slow',
  'feed-too-complex': 'feed-too-complex',
};

/** A feed that exceeds the limits counts as a failed feed; any other error is not the feed's fault and is thrown. */
function notReadable(error: unknown): Extract<ParseOutput, { kind: 'notAFeed' }> {
  const code = error instanceof AppError ? LIMITS[error.code] : undefined;
  if (error instanceof AppError && code)
    return { kind: 'notAFeed', problem: { code, message: error.message, where: {} } };
  throw error;
}
