import type { Stage } from '../../sync/model/plan.ts';

/** So many of a number of things are through. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

/** What a run tells of its way, for whoever watches. */
export type Progress =
  /** `events` are written in the last two stages; `others` are the terms, venues and organizers before them. */
  | { readonly kind: 'writing'; readonly stage: Stage; readonly events: Share; readonly others: Share }
  /** Nothing goes on for so many milliseconds, and why. */
  | { readonly kind: 'waiting'; readonly ms: number; readonly because: string };

export type OnProgress = (progress: Progress) => void;
