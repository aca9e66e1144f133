import type { FeedCode } from '../../feed-codes.ts';
import type { Profile } from '../../ical/read/profile-table.ts';
import type { Problem } from '../../problem.ts';
import type { DraftSettings, EventDraft, FeedReading } from '../model/draft.ts';

/** A body as it was received. */
export interface FeedBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The addresses that were requested and those that answered. */
  readonly addresses?: readonly string[];
  /**
   * The beginning of the last good body, if the mapping has not changed since; used to report columns that disappeared.
   */
  readonly before?: Uint8Array;
  /** The number of events to read at a time; some thousands by default. */
  readonly eventsAtOnce?: number;
  /**
   * Receives the drafts of each part of a large feed as soon as it is read, with the number of events read so far. The
   * reading then lacks these drafts (`isHandedOut`).
   */
  readonly handOut?: (drafts: readonly EventDraft[], read: EventsRead) => void;
  /** Events that need not be read if they have not changed. */
  readonly settled?: SettledEvents;
}

/** How many of a feed's events have been read. */
export interface EventsRead {
  readonly done: number;
  readonly of: number;
}

/** What the ledger knows about single events that it has handled, and about the feed around them. */
export interface SettledEvents {
  readonly frame: string;
  /** The drafts' digests, by UID. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The part of a publisher's profile that can be sent to a worker thread. */
export type PublisherNote = Pick<Profile, 'name' | 'quirks'>;

/** The result of reading a body. */
export type FeedRead =
  | {
      readonly kind: 'reading';
      readonly reading: FeedReading;
      /** How long the feed asks to be left alone (REFRESH-INTERVAL, X-PUBLISHED-TTL), in milliseconds. */
      readonly refreshMs: number | null;
      readonly profile?: PublisherNote;
      /** The program that made the feed, the feed's name and its zone, as given in the feed. */
      readonly program: string | null;
      readonly name: string | null;
      readonly timezone: string | null;
      /** A digest of what all drafts depend on apart from their own events; absent if they depend on each other. */
      readonly frame?: string;
      /** The drafts were handed out and belong to this reading. If absent, any that were handed out are void. */
      readonly isHandedOut?: true;
      /** Only a part was read. Lists the settled events that have changed; `reading` lacks the others. */
      readonly unsettled?: readonly string[];
    }
  /** The body is not a complete feed and counts as a failed fetch. */
  | { readonly kind: 'notAFeed'; readonly problem: Problem<FeedCode> };

/** The text at a line of a feed, for people; for an event, the properties named in `shows`. */
export type Excerpts = (line: number, shows: readonly string[]) => string;

/** A feed format: everything in which the kinds of sources differ. */
export interface Format {
  /** Whether the beginning of a body looks like this format; used if nothing declares one. */
  readonly recognises: (start: string, contentType: string | null, settings: Pick<DraftSettings, 'columns'>) => boolean;
  readonly read: (body: FeedBytes, settings: DraftSettings) => FeedRead;
  /** Readable faults that the publisher should fix; takes the text and its length in bytes. */
  readonly faults: (text: string, bytes: number) => readonly Problem[];
  readonly excerpts: (text: string) => Excerpts;
  /** Whether a publisher is also told what is good about the feed. */
  readonly isPraised: boolean;
}
