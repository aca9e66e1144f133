import type { Stage } from '../../sync/model/plan.ts';

/** The steps of the reading half of a run; times are in milliseconds. */
export interface ReadingSteps {
  readonly fetch: {
    readonly ms: number;
    /** The HTTP status of the answer; null for a file, and if there was no answer. */
    readonly status: number | null;
    /** Null if there was no body. */
    readonly bytes: number | null;
    /** The address that answered, without secrets. Like the validators, absent in runs of older versions. */
    readonly from?: string;
    readonly etag?: string | null;
    readonly lastModified?: string | null;
  };
  /** Absent if the feed was not read (yet). */
  readonly read?: {
    readonly ms: number;
    readonly events: number;
    /** The number of events that have not ended. */
    readonly coming: number;
    readonly problems: number;
    /** The program that made a calendar, according to the calendar; null if it names none. */
    readonly software?: string | null;
  };
  /** Present if this run did not read the feed, but an earlier run did that its row stands for, too. */
  readonly readBefore?: true;
  readonly compare?: { readonly ms: number };
}

/** How many of a total are done. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

/** The progress of a run. */
export type Progress =
  /** `events` are written in the last two stages; `others` are the terms, venues and organizers before them. */
  | { readonly kind: 'writing'; readonly stage: Stage; readonly events: Share; readonly others: Share }
  /** The run is waiting for this many milliseconds, and why. */
  | { readonly kind: 'waiting'; readonly ms: number; readonly because: string };

export type OnProgress = (progress: Progress) => void;
