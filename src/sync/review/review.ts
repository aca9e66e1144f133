import type { Action, HoldReason, LedgerEntry, Plan, RemoveEvent } from '../model/plan.ts';
import { isRevival } from '../model/values-before.ts';
import { likelySameEvents } from '../plan/replacement.ts';
import { changePatterns, type ChangePattern } from './change-pattern.ts';
import { factsOf } from './event-facts.ts';
import type { FeedDifference } from './feed-difference.ts';
import { removalPattern, type RemovalPattern } from './removal-pattern.ts';

/** What a person needs to know to decide about a held plan. */
export interface Review {
  readonly reasons: readonly HoldReason[];
  /** The numbers of the plan's events. */
  readonly counts: GroupCounts;
  /** The number of the source's upcoming events on the site. */
  readonly coming: number;
  /** The number of upcoming events in the feed now, and when it last had most of what is gone. */
  readonly feed: FeedCounts | null;
  /** The events that are removed now or (`isLater`) once the feed has lacked them often enough. */
  readonly gone: {
    readonly count: number;
    readonly isLater: boolean;
    readonly pattern: RemovalPattern;
    /** The start of the first of them, in its own zone. */
    readonly first: string | null;
    readonly how: RemoveEvent['how'] | null;
  };
  /** How many of these are also new: at another place, or under another title. */
  readonly renewed: { readonly elsewhere: number; readonly renamed: number };
  readonly changes: readonly ChangePattern[];
  /** The difference in the feed itself; null if it is unknown. */
  readonly difference: FeedDifference | null;
  /**
   * When the feed that `difference` starts from was fetched, if it is not the last good one, which already lacked what
   * is gone. Epoch milliseconds.
   */
  readonly formerAt?: number;
}

export interface FeedCounts {
  readonly now: number;
  readonly before: { readonly count: number; readonly at: number } | null;
}

/** The groups in which a review shows events. */
export const GROUPS = ['remove', 'move', 'change', 'new'] as const;
export type Group = (typeof GROUPS)[number];
export type GroupCounts = Readonly<Record<Group, number>>;

const WHERE_AND_WHEN = ['start_date', 'end_date', 'timezone', 'all_day', 'venue'];

/** The group of an event action; null for anything else. */
export function groupOf(action: Action): Group | null {
  if (action.resource !== 'events') return null;
  if (action.kind === 'remove') return 'remove';
  if (action.kind === 'create' || isRevival(action)) return 'new';
  return WHERE_AND_WHEN.some((field) => field in action.changes) ? 'move' : 'change';
}

/** The number of events in each group. */
export function countsOf(actions: readonly Action[]): GroupCounts {
  const groups = actions.map(groupOf);
  const count = (group: Group): number => groups.filter((each) => each === group).length;
  return { remove: count('remove'), move: count('move'), change: count('change'), new: count('new') };
}

/** The input of a review: the plan, the source's whole ledger, the time (epoch milliseconds), and its feed. */
export interface ReviewInput {
  readonly plan: Pick<Plan, 'actions' | 'ledger' | 'reasons'>;
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly now: number;
  readonly feed?: FeedCounts | null;
  readonly difference?: FeedDifference | null;
}

/** Builds the review of a plan. */
export function reviewOf({ plan, ledger, now, feed = null, difference = null }: ReviewInput): Review {
  const facts = factsOf(plan, ledger, now);
  const { changed, stays } = facts;
  const gone = facts.gone.length > 0 ? facts.gone : facts.leaving;
  const kept = [...stays, ...changed.map(({ before }) => before), ...(gone === facts.leaving ? [] : facts.leaving)];
  const removal = plan.actions.find((action) => action.kind === 'remove');
  const entries = gone.flatMap(({ slug }) => ledger.get(slug) ?? []);
  const { elsewhere, renamed } = likelySameEvents(entries, plan.actions);
  return {
    reasons: plan.reasons ?? [],
    counts: countsOf(plan.actions),
    coming: facts.coming,
    feed,
    gone: {
      count: gone.length,
      isLater: gone === facts.leaving && gone.length > 0,
      pattern: removalPattern(gone, kept),
      first: gone[0]?.start ?? null,
      how: removal?.how ?? null,
    },
    renewed: { elsewhere: elsewhere.length, renamed: renamed.length },
    changes: changePatterns(changed),
    difference,
  };
}

/** When a source was read, and how many upcoming events its feed had. */
export interface CountedReading {
  readonly at: number;
  readonly coming: number;
}

/**
 * The number of upcoming events when a feed last had most of what is now gone from it, or at the last reading if
 * nothing is gone; null if there was no such reading. Fewer events may also be upcoming because some took place.
 * `readings` starts with the latest.
 */
export function feedBefore(readings: readonly CountedReading[], now: number, gone: number): FeedCounts['before'] {
  const full = gone === 0 ? readings[0] : readings.find(({ coming }) => coming - now > gone / 2);
  return full === undefined ? null : { count: full.coming, at: full.at };
}
