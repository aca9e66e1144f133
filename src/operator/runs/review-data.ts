import { wallFromInstant } from '../../time.ts';
import type { LedgerEntry, EventAction, Plan } from '../../sync/model/plan.ts';
import { factsOf, factsOfAction, type EventFacts, type PlanFacts } from '../../sync/review/event-facts.ts';
import { groupOf, GROUPS, reviewOf, type Group, type GroupCounts, type Review } from '../../sync/review/review.ts';
import { dayOf } from '../../sync/review/days.ts';
import { differenceFromLater } from '../../run/state/held.ts';
import { loadHeldPlan, loadReview } from '../../run/state/held-plans.ts';
import type { RunRecord } from '../../run/state/records.ts';
import { reviewEntries } from '../../run/watch/review-entries.ts';
import type { PlanDifference } from '../../sync/review/plan-difference.ts';
import type { Asked } from '../frame/operator.ts';

/** An event of a held plan, as listed on its review. */
export interface ListedAction {
  readonly action: EventAction;
  readonly group: Group;
  /** The event as the feed had it before; for a new one, as it will be. */
  readonly facts: EventFacts;
  /** The event after the action. */
  readonly after: EventFacts | undefined;
  readonly entry: LedgerEntry | undefined;
}

/** What the page of a held run is built from. */
export interface ReviewData {
  readonly run: RunRecord;
  readonly review: Review;
  readonly facts: PlanFacts;
  readonly listed: readonly ListedAction[];
  readonly zone: string;
  /** Today's date in the site's zone. */
  readonly today: string;
  /** If another run has superseded it: how that plan differs. */
  readonly difference: PlanDifference | undefined;
}

/** Loads the plan of a run that is or was held; undefined if it has none. */
export async function loadReviewData(asked: Asked, run: RunRecord): Promise<ReviewData | undefined> {
  const query = asked.operator.context.database.query();
  const plan = await loadHeldPlan(query, run.run);
  if (!plan) return undefined;
  const { now } = asked;
  const zone = asked.zoneOf(run.site);
  const slugs = plan.actions.flatMap((action) => ('slug' in action ? [action.slug] : []));
  const ledger = await reviewEntries(query, run, slugs, now);
  const facts = factsOf(plan, ledger, now);
  // Older versions did not store one.
  const review = (await loadReview(query, run.run)) ?? reviewOf({ plan, ledger, now });
  return {
    run,
    review,
    facts,
    listed: listedOf(plan, ledger),
    zone,
    today: dayOf(wallFromInstant(now, zone)),
    difference: await differenceFromLater(query, run, plan),
  };
}

function listedOf({ actions }: Plan, ledger: ReadonlyMap<string, LedgerEntry>): readonly ListedAction[] {
  const listed = actions.flatMap((action): readonly ListedAction[] => {
    const group = groupOf(action);
    if (group === null || action.resource !== 'events') return [];
    const entry = ledger.get(action.slug);
    const { facts, after } = factsOfAction(action, entry);
    return [{ action, group, facts, after, entry }];
  });
  return listed.toSorted((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group));
}

/** How many events there are in each group, not counting those in `except`. */
export function countsExcept(listed: readonly ListedAction[], except: ReadonlySet<string>): GroupCounts {
  const count = (group: Group): number =>
    listed.filter((each) => each.group === group && !except.has(each.action.slug)).length;
  return { remove: count('remove'), move: count('move'), change: count('change'), new: count('new') };
}
