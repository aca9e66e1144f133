import { AppError } from '../../error.ts';
import { sql, type Queryable } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Action, Plan } from '../../sync/model/plan.ts';
import { planDifference, planDifferenceInWords, type PlanDifference } from '../../sync/review/plan-difference.ts';
import { loadBatches } from './batches.ts';
import { closesHeld, isSyncSql, type Cause } from './causes.ts';
import type { SourceSetup } from './context.ts';
import type { FeedState } from './feed-state.ts';
import { HAS_HELD_PLAN, HELD_PLAN, heldPlanFrom, loadHeldPlan, type HeldPlanRow } from './held-plans.ts';
import { findRun, type RunRecord } from './records.ts';

type Query = Queryable;

/** A plan that waits for a person's decision, as it was shown. */
export interface HeldRun {
  readonly run: string;
  readonly site: string;
  readonly source: string;
  readonly plan: Plan;
  readonly feedState: FeedState;
  readonly heldAt: Date;
}

export async function loadHeld(query: Query, run: string): Promise<HeldRun | undefined> {
  const { rows } = await sql<
    HeldPlanRow & Omit<HeldRun, 'plan'>
  >`select run, site, source, ${HELD_PLAN}, feed_state as "feedState", finished_at as "heldAt"
    from calsync.runs where run = ${run} and state = 'held'`.execute(query);
  const [held] = rows;
  if (!held) return undefined;
  const { site, source, feedState, heldAt } = held;
  return { run, site, source, feedState, heldAt, plan: await heldPlanFrom(held) };
}

/**
 * Closes held plans of a source that a later run has outdated (`closesHeld`), or `all` of them because the later run is
 * itself held. Remaining plans are checked event by event when they are approved.
 */
export async function supersedeHeld(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  by: string,
  which: 'all' | 'outdated' = 'outdated',
): Promise<void> {
  const { rows } = await sql<{ run: string; cause: Cause; later: Cause }>`
    select held.run, held.cause, later.cause as later from calsync.runs as held, calsync.runs as later
    where held.site = ${site.key} and held.source = ${name} and held.state = 'held' and held.run <> ${by} and later.run = ${by}`.execute(
    query,
  );
  const closed = rows.flatMap(({ run, cause, later }) => (which === 'all' || closesHeld(later, cause) ? [run] : []));
  if (closed.length === 0) return;
  await sql`update calsync.runs set state = 'superseded', superseded_by = ${by}, body_key = null where state = 'held' and run = any(${closed}::text[])`.execute(
    query,
  );
}

/** What a held plan would do to one event of its source. */
export interface Waiting {
  readonly run: string;
  readonly action: string;
  readonly fields: readonly string[];
  readonly because: string;
}

/** The held plan that concerns an event, if any. */
export async function waitingFor(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  slug: string,
): Promise<Waiting | undefined> {
  const { rows } = await sql<PlannedRow>`select run, ${HELD_PLAN} from calsync.runs
    where site = ${site.key} and source = ${name} and state = 'held' and coalesce(doing ? ${slug}, true)`.execute(
    query,
  );
  for (const row of rows) {
    const [waiting] = changesIn(await plannedBy(row), slug);
    if (waiting) return waiting;
  }
  return undefined;
}

/** What a rejected plan would have done to an event, while the rejection still applies; null otherwise. */
export async function rejectedFor(
  query: Query,
  setup: Pick<SourceSetup, 'site' | 'name'>,
  slug: string,
): Promise<Waiting | null> {
  const rejected = await rejectedLast(query, setup);
  return (rejected && changesIn(rejected, slug).at(0)) ?? null;
}

const changesIn = ({ run, plan }: Pick<HeldRun, 'run' | 'plan'>, slug: string): readonly Waiting[] =>
  plan.actions.flatMap((action): Waiting[] =>
    'slug' in action && action.slug === slug
      ? [
          {
            run,
            action: action.kind,
            fields: action.kind === 'update' ? Object.keys(action.changes) : [],
            because: action.because,
          },
        ]
      : [],
  );

/** The plan that was rejected last, if `run` is an automatic run; a person who asks for a run sees the plan again. */
export async function rejectedBefore(
  query: Query,
  setup: Pick<SourceSetup, 'site' | 'name'>,
  run: string,
): Promise<Pick<HeldRun, 'run' | 'plan'> | undefined> {
  const { rows } =
    await sql`select from calsync.runs where run = ${run} and cause->>'kind' in ('schedule', 'start')`.execute(query);
  return rows.length > 0 ? rejectedLast(query, setup) : undefined;
}

/** The last rejected plan of a source, provided that its feed has led to the same plan ever since. */
async function rejectedLast(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
): Promise<Pick<HeldRun, 'run' | 'plan'> | undefined> {
  const ofSource = sql`site = ${site.key} and source = ${name} and ${isSyncSql}`;
  const { rows } = await sql<PlannedRow>`
    select run, ${HELD_PLAN} from
      (select * from calsync.runs where ${ofSource} and state = 'rejected' order by started_at desc limit 1) as rejected
    where ${HAS_HELD_PLAN}
      and not exists (select from calsync.runs where ${ofSource} and started_at > rejected.started_at
        and state in ('done', 'unchanged', 'held', 'superseded') and not coalesce(report->'problems' @> ${jsonb([{ code: REJECTED_BEFORE }])}, false))`.execute(
    query,
  );
  return rows[0] && plannedBy(rows[0]);
}

type PlannedRow = HeldPlanRow & { readonly run: string };
const plannedBy = async (row: PlannedRow): Promise<Pick<HeldRun, 'run' | 'plan'>> => ({
  run: row.run,
  plan: await heldPlanFrom(row),
});

/** The problem of a run whose plan equals a rejected one. */
export const REJECTED_BEFORE = 'rejected-before';

/** Rejects a held plan and returns its site and source; undefined if it is not held (any more). */
export async function rejectHeld(
  query: Query,
  run: string,
): Promise<{ readonly site: string; readonly source: string } | undefined> {
  const { rows } = await sql<{ site: string; source: string }>`
    update calsync.runs set state = 'rejected', body_key = null where run = ${run} and state = 'held'
    returning site, source`.execute(query);
  return rows[0];
}

/** How the plan of the run that superseded a held one differs from it; undefined if none did. */
export const differenceFromLater = async (
  query: Query,
  { supersededBy }: Pick<RunRecord, 'supersededBy'>,
  held: Pick<Plan, 'actions'>,
): Promise<PlanDifference | undefined> =>
  supersededBy === null ? undefined : planDifference(held.actions, await actionsOf(query, supersededBy));

/** The planned actions of a run, whether it was held or written. */
export async function actionsOf(query: Query, run: string): Promise<readonly Action[]> {
  const held = await loadHeldPlan(query, run);
  return held
    ? held.actions
    : (await loadBatches(query, run)).flatMap(({ items }) => items.map(({ action }) => action));
}

/** Why a run can no longer be approved or rejected. If it was superseded, says by which run, and what is different. */
export async function notHeldNow(query: Query, run: string): Promise<AppError> {
  const record = await findRun(query, run);
  if (!record?.supersededBy) return notHeldError(run, record);
  const held = await loadHeldPlan(query, record.run);
  const difference = held && (await differenceFromLater(query, record, held));
  const told = difference ? ` ${planDifferenceInWords(difference)}` : '';
  return new AppError(
    'run-not-held',
    `The run ${run} is out of date: the run ${record.supersededBy} has made a new plan.${told} There is nothing ` +
      `to decide here: "npm run -s calsyncd -- show ${record.supersededBy}" shows the new plan.`,
  );
}

/** The error for a run that cannot be approved or rejected. */
export const notHeldError = (run: string, record: RunRecord | undefined): AppError =>
  new AppError(record ? 'run-not-held' : 'run-unknown', notHeld(run, record));

/** Why a run cannot be approved or rejected, in words. */
function notHeld(run: string, record: RunRecord | undefined): string {
  if (!record) return `There is no run "${run}". "npm run -s calsyncd -- runs" lists them.`;
  const why: Readonly<Record<string, string>> = {
    rejected: 'has been rejected',
    superseded: 'was replaced by a later run, which made a new plan',
    reading: 'is still under way',
    writing: 'is being written',
    done: 'has been written',
    unchanged: 'found nothing to do',
    failed: 'has failed',
  };
  return `The run ${run} ${why[record.state] ?? record.state}: there is nothing to decide. "npm run -s calsyncd -- runs ${record.source}" lists later runs.`;
}

/** Closes all held plans of a source that is no longer configured. */
export async function supersedeHeldOf(query: Query, site: string, source: string): Promise<void> {
  await sql`update calsync.runs set state = 'superseded', body_key = null where site = ${site} and source = ${source} and state = 'held'`.execute(
    query,
  );
}

/** Makes the first plan of a source wait for a person, whatever it contains. */
export async function holdFirstRun(query: Query, site: string, source: string): Promise<void> {
  await sql`insert into calsync.first_runs (site, source) values (${site}, ${source}) on conflict do nothing`.execute(
    query,
  );
}

/** Sources whose first plan waits for a person, or has yet to be made and will. */
export async function awaitingFirstPlan(
  query: Query,
): Promise<readonly { readonly site: string; readonly source: string }[]> {
  const { rows } = await sql<{ site: string; source: string }>`select site, source from calsync.first_runs`.execute(
    query,
  );
  return rows;
}

/** From now on, plans of a source are only held because of their contents. */
export async function endFirstRun(query: Query, site: string, source: string): Promise<void> {
  await sql`delete from calsync.first_runs where site = ${site} and source = ${source}`.execute(query);
}
