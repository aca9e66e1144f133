import type { Stage } from '../../sync/model/plan.ts';

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
