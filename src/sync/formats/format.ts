import type { FeedCode } from '../../codes.ts';
import type { Profile } from '../../ical/read/profile.ts';
import type { Problem } from '../../problem.ts';
import type { DraftSettings, FeedReading } from '../model/draft.ts';

/** A body as it came. */
export interface FeedBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The addresses that were asked for and that answered. */
  readonly addresses?: readonly string[];
  /** The beginning of the last good body, where the mapping has not changed since: columns that are gone are said. */
  readonly before?: Uint8Array;
}

/** The publisher's profile as it is told: what a thread can be sent. */
export type PublisherNote = Pick<Profile, 'name' | 'quirks'>;

/** What a body says. */
export type FeedRead =
  | {
      readonly kind: 'reading';
      readonly reading: FeedReading;
      /** How long the feed itself wants to be left alone (REFRESH-INTERVAL, X-PUBLISHED-TTL), in milliseconds. */
      readonly refreshMs: number | null;
      readonly profile?: PublisherNote;
      /** The program that the feed says it was made with, and the zone that it names for itself. */
      readonly program: string | null;
      readonly timezone: string | null;
    }
  /** The body is no whole feed: to be treated as a failed fetch. */
  | { readonly kind: 'notAFeed'; readonly problem: Problem<FeedCode> };

/** What stands at a line of a feed, as text for a person; of an event the properties that `shows` names. */
export type Excerpts = (line: number, shows: readonly string[]) => string;

/** A kind of source: all that differs between one format of feeds and another. */
export interface Format {
  /** As publishers know it. */
  readonly title: string;
  readonly mediaType: string;
  /** Whether a body is of this format, by its beginning, where nobody says so. */
  readonly recognises: (start: string, contentType: string | null, settings: Pick<DraftSettings, 'columns'>) => boolean;
  readonly read: (body: FeedBytes, settings: DraftSettings) => FeedRead;
  /** What a publisher should fix though it was read all the same; of the text, and its length in bytes. */
  readonly faults: (text: string, bytes: number) => readonly Problem[];
  readonly excerpts: (text: string) => Excerpts;
  /** Whether a publisher is also told what is good about the feed. */
  readonly isPraised: boolean;
}
