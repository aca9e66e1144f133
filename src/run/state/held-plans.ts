import { sql, type Queryable } from '../../db/database.ts';
import { jsonb, jsonText } from '../../db/jsonb.ts';
import { packed, unpacked } from '../../db/packed.ts';
import { mapWithPauses, pauses } from '../../pauses.ts';
import type { Action, LedgerChange, Plan } from '../../sync/model/plan.ts';
import type { Review } from '../../sync/review/review.ts';
import type { FeedState } from './feed-state.ts';
import { PlannedByAnother } from './records.ts';

type Query = Queryable;

/** A plan without its actions and ledger changes. */
type PlanSummary = Omit<Plan, 'ledger' | 'actions'>;

/** A held plan as it is stored, in parts: with 100,000 events, it would be too large for a single value. */
export interface HeldPlanRow {
  readonly plan: PlanSummary;
  readonly actions: readonly Buffer[];
  readonly changes: readonly Buffer[];
}

/** A held plan as stored by a process of an earlier version, which may still be running. */
interface WholePlanRow {
  readonly plan: Plan;
  readonly actions: null;
}

/** The columns of a held plan, and the condition that a run has one, which a run whose plan was written does not. */
export const HELD_PLAN = sql.raw('plan, actions, changes');
export const HAS_HELD_PLAN = sql<boolean>`(actions is not null or plan ? 'actions')`;

/** Texts are packed together up to this length; a longer one is packed alone. */
const PART_CHARACTERS = 1_000_000;

async function partsOf(list: readonly unknown[]): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  let texts: string[] = [];
  let characters = 0;
  const pack = (): void => {
    if (texts.length > 0) parts.push(packed(`[${texts.join()}]`));
    texts = [];
    characters = 0;
  };
  const pauseIfDue = pauses();
  for (const each of list) {
    const text = jsonText(each);
    if (characters + text.length > PART_CHARACTERS) pack();
    texts.push(text);
    characters += text.length;
    await pauseIfDue();
  }
  pack();
  return parts;
}

/** Converts a plan to the form in which it is held, pausing for other work. */
export async function heldPlanRow({ actions, ledger, ...plan }: Plan): Promise<HeldPlanRow> {
  return { plan, actions: await partsOf(actions), changes: await partsOf(Object.values(ledger)) };
}

/** Converts a held plan back. */
export async function heldPlanFrom(row: HeldPlanRow | WholePlanRow): Promise<Plan> {
  if (row.actions === null) return row.plan;
  const { plan, actions, changes } = row;
  const all = (await mapWithPauses(changes, unpacked<LedgerChange>)).flat();
  return {
    ...plan,
    actions: (await mapWithPauses(actions, unpacked<Action>)).flat(),
    ledger: Object.fromEntries(all.map((change) => [change.entry.slug, change])),
  };
}

/** Stores a plan that must not run yet, with its review. Throws PlannedByAnother as savePlan does. */
export async function holdPlan(
  query: Query,
  run: string,
  { plan, actions, changes }: HeldPlanRow,
  doing: readonly Action[],
  feedState: FeedState,
  review: Review,
): Promise<void> {
  const bySlug = doing.flatMap((action) => (action.resource === 'events' ? [[action.slug, action.kind] as const] : []));
  const { rowCount } = await sql`update calsync.runs set state = 'held', finished_at = now(), plan = ${jsonb(plan)},
    actions = ${actions}::bytea[], changes = ${changes}::bytea[], doing = ${jsonb(Object.fromEntries(bySlug))},
    feed_state = ${jsonb(feedState)}, review = ${jsonb(review)} where run = ${run} and state = 'reading'`.execute(
    query,
  );
  if (rowCount === 0) throw new PlannedByAnother(run);
}

/**
 * The plan of a run that was never written because it is or was held. Undefined if the run has batches, or has no plan.
 */
export async function loadHeldPlan(query: Query, run: string): Promise<Plan | undefined> {
  const { rows } = await sql<HeldPlanRow | WholePlanRow>`select ${HELD_PLAN} from calsync.runs
    where run = ${run} and ${HAS_HELD_PLAN}`.execute(query);
  return rows[0] && heldPlanFrom(rows[0]);
}

/** The review of a plan that is or was held. */
export async function loadReview(query: Query, run: string): Promise<Review | null> {
  const { rows } = await sql<{ review: Review | null }>`select review from calsync.runs where run = ${run}`.execute(
    query,
  );
  return rows[0]?.review ?? null;
}
