import type { Stage } from '../../sync/model/plan.ts';

/** How the reading half of a run went; how long things took in milliseconds. */
export interface ReadingSteps {
  readonly fetch: {
    readonly ms: number;
    /** Of the answer over HTTP; null for a file, and where there was none. */
    readonly status: number | null;
    /** Null where no body came. */
    readonly bytes: number | null;
    /** The address that answered, without what is secret in it. Like the validators, absent in runs of older versions. */
    readonly from?: string;
    readonly etag?: string | null;
    readonly lastModified?: string | null;
  };
  /** Absent while, or because, it was not read. */
  readonly read?: {
    readonly ms: number;
    readonly events: number;
    /** Those that have not ended. */
    readonly coming: number;
    readonly problems: number;
    /** The program that has made a calendar, as it says; null where nothing does. */
    readonly software?: string | null;
  };
  readonly compare?: { readonly ms: number };
}

/** How many of a total are done. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

/** Progress of a run, for whoever is watching. */
export type Progress =
  /** `events` are written in the last two stages; `others` are the terms, venues and organizers before them. */
  | { readonly kind: 'writing'; readonly stage: Stage; readonly events: Share; readonly others: Share }
  /** Nothing happens for this many milliseconds, and why. */
  | { readonly kind: 'waiting'; readonly ms: number; readonly because: string };

export type OnProgress = (progress: Progress) => void;
