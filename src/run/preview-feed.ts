import { decodeText } from '../ical/decode.ts';
import type { Quirk } from '../ical/profile.ts';
import type { Problem } from '../problem.ts';
import type { DraftSettings, FeedReading } from '../sync/draft.ts';
import type { FetchResult } from './fetch-feed.ts';
import type { FeedParser } from './parse-pool.ts';

/** What a feed would become; no site and no state of ours is asked. */
export type FeedPreview =
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'read'; readonly reading: FeedReading; readonly format: 'ical' | 'csv'; /** Who made the feed: the name of its publisher's profile, else its PRODID. */ readonly profile: string | null; readonly quirks: readonly Quirk[]; /** The zone that the feed names for itself. */ readonly timezone: string | null };

export async function previewFeed(address: string, fetched: FetchResult, parser: FeedParser, format: 'ical' | 'csv' | undefined, settings: DraftSettings): Promise<FeedPreview> {
  if (fetched.kind === 'failed') return { kind: 'failed', problem: fetched.problem };
  if (fetched.kind === 'notModified') return { kind: 'failed', problem: { code: 'feed-odd-answer', message: 'The server says that nothing has changed, without having been asked.', where: {} } };
  const { bytes, contentType, finalUrl } = fetched;
  const parsed = await parser.parse({ bytes, contentType, addresses: [address, finalUrl], format, settings });
  if (parsed.kind === 'notAFeed') return { kind: 'failed', problem: parsed.problem };
  const head = decodeText(bytes.subarray(0, HEAD_BYTES), contentType).text;
  const isCalendar = format === 'ical' || (format === undefined && /BEGIN:VCALENDAR/i.test(head));
  return { kind: 'read', reading: parsed.reading, format: isCalendar ? 'ical' : 'csv', profile: parsed.profile?.name ?? propertyIn(head, 'PRODID'), quirks: parsed.profile?.quirks ?? [], timezone: propertyIn(head, 'X-WR-TIMEZONE') };
}

const HEAD_BYTES = 8192;

const propertyIn = (head: string, name: string): string | null => new RegExp(String.raw`^${name}(?:;[^:\r\n]*)?:([^\r\n]+(?:\r?\n[ \t][^\r\n]+)*)`, 'im').exec(head)?.[1]?.replace(/\r?\n[ \t]/g, '').trim() ?? null;
