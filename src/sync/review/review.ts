import type { Action, HoldReason, LedgerEntry, Plan, RemoveEvent } from '../model/plan.ts';
import { isRevival } from '../model/values-before.ts';
import { namedAnew } from '../plan/replacement.ts';
import { changePatterns, type ChangePattern } from './change-pattern.ts';
import { factsOf } from './event-facts.ts';
import type { FeedDifference } from './feed-difference.ts';
import { removalPattern, type RemovalPattern } from './removal-pattern.ts';

/** What a person has to know who decides about a held plan. */
export interface Review {
  readonly reasons: readonly HoldReason[];
  /** Events of the plan. */
  readonly counts: GroupCounts;
  /** How many upcoming events of the source are on the site. */
  readonly coming: number;
  /** How many upcoming events the feed has now, and had when it last had most of what is gone. */
  readonly feed: FeedCounts | null;
  /** What is gone from the feed: `count` events, now or (`isLater`) once the feed has lacked them often enough. */
  readonly gone: {
    readonly count: number;
    readonly isLater: boolean;
    readonly pattern: RemovalPattern;
    /** The start of the first of them, on its own clock. */
    readonly first: string | null;
    readonly how: RemoveEvent['how'] | null;
  };
  /** Of what is gone, how many are there again at another place, or under another title. */
  readonly renewed: { readonly elsewhere: number; readonly renamed: number };
  readonly changes: readonly ChangePattern[];
  /** What differs in the feed itself; null if that is not known. */
  readonly difference: FeedDifference | null;
  /**
   * When the feed was fetched that `difference` starts from, if that is not the last good one: what is gone was missing
   * from that already. Epoch milliseconds.
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

/** How many events of each group there are. */
export function countsOf(actions: readonly Action[]): GroupCounts {
  const groups = actions.map(groupOf);
  const count = (group: Group): number => groups.filter((each) => each === group).length;
  return { remove: count('remove'), move: count('move'), change: count('change'), new: count('new') };
}

/** What is known besides the plan: the whole ledger of the source, the clock (epoch milliseconds), and its feed. */
export interface ReviewInput {
  readonly plan: Pick<Plan, 'actions' | 'ledger' | 'reasons'>;
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly now: number;
  readonly feed?: FeedCounts | null;
  readonly difference?: FeedDifference | null;
}

/** What a person has to know of a plan. */
export function reviewOf({ plan, ledger, now, feed = null, difference = null }: ReviewInput): Review {
  const facts = factsOf(plan, ledger, now);
  const { changed, stays } = facts;
  const gone = facts.gone.length > 0 ? facts.gone : facts.leaving;
  const kept = [...stays, ...changed.map(({ before }) => before), ...(gone === facts.leaving ? [] : facts.leaving)];
  const removal = plan.actions.find((action) => action.kind === 'remove');
  const entries = gone.flatMap(({ slug }) => ledger.get(slug) ?? []);
  const { elsewhere, renamed } = namedAnew(entries, plan.actions);
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

/** A source's reading: how many upcoming events its feed had. */
export interface CountedReading {
  readonly at: number;
  readonly coming: number;
}

/**
 * How many upcoming events a feed had when it last had most of what is gone from it now; at the last reading, if nothing
 * is gone. Events also leave a feed by taking place. `readings` the latest first.
 */
export function feedBefore(readings: readonly CountedReading[], now: number, gone: number): FeedCounts['before'] {
  const full = gone === 0 ? readings[0] : readings.find(({ coming }) => coming - now > gone / 2);
  return full === undefined ? null : { count: full.coming, at: full.at };
}
