import type { FeedCode } from '../../feed-codes.ts';
import type { Profile } from '../../ical/read/profile-table.ts';
import type { Problem } from '../../problem.ts';
import type { DraftSettings, EventDraft, FeedReading } from '../model/draft.ts';

/** A body as it was received. */
export interface FeedBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The addresses that were requested and that answered. */
  readonly addresses?: readonly string[];
  /**
   * The beginning of the last good body, if the mapping has not changed since: used to report columns that disappeared.
   */
  readonly before?: Uint8Array;
  /** How many events are read at a time; some thousands by default. */
  readonly eventsAtOnce?: number;
  /**
   * Takes the drafts of each part of a large feed as soon as it is read, and how many of its events are; the reading then
   * lacks them (`isHandedOut`).
   */
  readonly handOut?: (drafts: readonly EventDraft[], read: EventsRead) => void;
  /** Events that need not be read if they are as they were. */
  readonly settled?: SettledEvents;
}

/** How many of a feed's events are read. */
export interface EventsRead {
  readonly done: number;
  readonly of: number;
}

/** What the ledger says of single events that it has handled, and of the feed around them. */
export interface SettledEvents {
  readonly frame: string;
  /** The drafts' digests, by UID. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The publisher's profile, reduced to what can be sent to a worker thread. */
export type PublisherNote = Pick<Profile, 'name' | 'quirks'>;

/** The result of reading a body. */
export type FeedRead =
  | {
      readonly kind: 'reading';
      readonly reading: FeedReading;
      /** How long the feed asks to be left alone (REFRESH-INTERVAL, X-PUBLISHED-TTL), in milliseconds. */
      readonly refreshMs: number | null;
      readonly profile?: PublisherNote;
      /** The program that made the feed, its own name and the zone it names, according to the feed. */
      readonly program: string | null;
      readonly name: string | null;
      readonly timezone: string | null;
      /** What all drafts depend on besides their own events; absent if they depend on each other. */
      readonly frame?: string;
      /** The drafts of the reading are those that were handed out; else these count for nothing. */
      readonly isHandedOut?: true;
      /** Only a part was read: of the settled events those that are not as they were. The others are not in `reading`. */
      readonly unsettled?: readonly string[];
    }
  /** The body is not a complete feed: treat it as a failed fetch. */
  | { readonly kind: 'notAFeed'; readonly problem: Problem<FeedCode> };

/** The text at a line of a feed for people to read; for events, the properties named in `shows`. */
export type Excerpts = (line: number, shows: readonly string[]) => string;

/** A feed format: everything that differs between kinds of sources. */
export interface Format {
  /** Whether the beginning of a body looks like this format, when nothing declares one. */
  readonly recognises: (start: string, contentType: string | null, settings: Pick<DraftSettings, 'columns'>) => boolean;
  readonly read: (body: FeedBytes, settings: DraftSettings) => FeedRead;
  /** What a publisher should fix although it could be read; takes the text and its length in bytes. */
  readonly faults: (text: string, bytes: number) => readonly Problem[];
  readonly excerpts: (text: string) => Excerpts;
  /** Whether a publisher is also told what is good about the feed. */
  readonly isPraised: boolean;
}
