import { draftsFromRows } from '../sync/drafts-from-rows.ts';
import { draftsFromCalendar } from '../sync/drafts-from-calendar.ts';
import type { DraftSettings, FeedReading } from '../sync/draft.ts';
import type { Problem } from '../problem.ts';

export interface ParseInput {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Found out from the bytes where it is undefined. */
  readonly format: 'ical' | 'csv' | undefined;
  readonly settings: DraftSettings;
}

export type ParseOutput =
  | { readonly kind: 'reading'; readonly reading: FeedReading }
  /** The body is no whole feed: to be treated as a failed fetch. */
  | { readonly kind: 'notAFeed'; readonly problem: Problem };
