import { foreignCode } from '../../codes.ts';
import type { Event } from '../../contract/representation.ts';
import type { Problem } from '../../problem.ts';
import type { Action, Plan, Report } from '../../sync/model/plan.ts';
import { heldAbsences, leavesMissing } from '../../sync/event/held-absences.ts';
import { isSamePlan } from '../../sync/review/plan-difference.ts';
import { plannedCounts } from '../../sync/plan/report.ts';
import { FIRST_STAGE, toBatches } from '../../sync/model/to-batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { holdBody, leaveFrame, saveBody, type FeedState, type StoredBody } from '../state/feed-state.ts';
import { REJECTED_BEFORE, rejectedBefore, supersedeHeld } from '../state/held.ts';
import { releaseLease } from '../state/lease.ts';
import type { ReadingSteps } from '../state/progress.ts';
import { endLines, plannedLine, logAndKeep } from '../log/run-log.ts';
import { loadLedger, saveBeforeWrites, saveEntries } from '../state/ledger.ts';
import { heldPlanRow, holdPlan } from '../state/held-plans.ts';
import { countTraffic, finishRun, PlannedByAnother, savePlan } from '../state/records.ts';
import type { Item, PlannedBatch } from '../state/batches.ts';
import { publishingProblem } from '../write/refuse-unpublished.ts';
import { reviewHeld } from './review-held.ts';
import { storeLostAnswers, type LostAnswers } from '../state/lost-answers.ts';

/** How a run has begun. `busy` means that another living process is syncing this source. */
export type StartOutcome =
  | { readonly kind: 'busy' }
  | { readonly kind: 'ended'; readonly report: Report }
  | { readonly kind: 'writing'; readonly run: string };

/** A run's decision, to be stored. */
export interface RunDecision {
  readonly plan: Plan;
  readonly feedState: FeedState;
  /** Present if the plan was made from a feed. */
  readonly body?: StoredBody;
  /** What the site said about lost answers of earlier runs; absent if it was not asked. */
  readonly lostAnswers?: LostAnswers;
  /** Events as the site showed them during planning, by slug. */
  readonly seen?: ReadonlyMap<string, Event>;
  /** How the feed was read, if the plan was made from one. */
  readonly steps?: ReadingSteps;
}

/**
 * Stores a run's plan, to be written from now on or held for a person. If the plan cannot be stored, the run ends and
 * its source is free again. `busy` means that another attempt at the run was faster.
 */
export async function keepPlan(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  kept: RunDecision,
): Promise<StartOutcome> {
  const { held } = kept.plan;
  const keep = held === null ? begin(context, setup, run, kept) : hold(context, setup, run, kept, held);
  return keep.catch((error: unknown) =>
    error instanceof PlannedByAnother
      ? { kind: 'busy' }
      : endNow(context, { ...newReport(run, setup.name), state: 'failed', problems: [failureProblem(error)] }),
  );
}

async function begin(context: RunContext, setup: SourceSetup, run: string, kept: RunDecision): Promise<StartOutcome> {
  const problem = await publishingProblem(setup.site, kept.plan);
  await countTraffic(context.database.query(), run, setup.takeTraffic());
  return problem
    ? endNow(context, { ...newReport(run, setup.name), state: 'failed', problems: [problem] })
    : store(context, setup, run, kept);
}

async function store(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  { plan, feedState, body, lostAnswers, seen }: RunDecision,
): Promise<StartOutcome> {
  const written = new Set(plan.actions.flatMap((action) => (action.resource === 'events' ? [action.slug] : [])));
  const batches = batchesOf(plan, await writesAtOnce(setup, plan), seen && { events: seen, at: context.now() });
  const lines = logAndKeep(context, { run, source: setup.name }, [plannedLine(plan, batches.length)]);
  const stored = await context.database.query().transaction(async (query) => {
    if (body) await saveBody(query, setup.site.key, setup.name, body, leavesMissing(plan));
    await leaveFrame(query, setup.site.key, setup.name, feedState.frame, [...written]);
    if (lostAnswers) await storeLostAnswers(query, setup, lostAnswers);
    await saveBeforeWrites(query, setup.site.key, setup.name, plan);
    await supersedeHeld(query, setup, run);
    return savePlan(query, run, plan, feedState, batches, FIRST_STAGE, lines);
  });
  context.planned.keep(run, stored);
  return { kind: 'writing', run };
}

/** The number of batches over which writes may be spread; a site that takes batches gains nothing from more. */
const writesAtOnce = async ({ site }: SourceSetup, { actions }: Plan): Promise<number> =>
  actions.length === 0 || (await site.client.abilities()).batch ? 1 : site.requestsInFlight;

interface Seen {
  readonly events: ReadonlyMap<string, Event>;
  readonly at: number;
}

/**
 * A plan's batches, with the ledger changes of their actions and what the site has just shown of the events they
 * change.
 */
export const batchesOf = (plan: Plan, atOnce: number, seen?: Seen): readonly PlannedBatch[] =>
  toBatches(plan.actions, atOnce).map(({ stage, number, actions }) => ({
    stage,
    number,
    items: actions.map((action): Item => ({
      action,
      change: action.resource === 'events' ? (plan.ledger[action.slug] ?? null) : null,
      ...shownOf(action, seen),
    })),
  }));

function shownOf(action: Action, seen: Seen | undefined): Pick<Item, 'shown'> {
  const event = action.resource === 'events' && action.kind !== 'create' ? seen?.events.get(action.slug) : undefined;
  return event && seen ? { shown: { event, at: seen.at } } : {};
}

async function hold(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  { plan, feedState, body, steps }: RunDecision,
  because: string,
): Promise<StartOutcome> {
  const { site, name } = setup;
  const ledger = await loadLedger(context.database.query(), site.key, name);
  const review = await reviewHeld(context, setup, run, { plan, body, steps }, ledger);
  const rejected = await rejectedBefore(context.database.query(), setup, run);
  const isKnown = rejected !== undefined && isSamePlan(rejected.plan, plan);
  const row = isKnown ? undefined : await heldPlanRow(plan);
  await context.database.query().transaction(async (query) => {
    if (row) {
      // A body is locked before others are released, so that no transaction waits for a body while holding another.
      if (body) await holdBody(query, run, body);
      await supersedeHeld(query, setup, run, 'all');
      await holdPlan(query, run, row, plan.actions, feedState, review);
    }
    if (body) await saveEntries(query, site.key, name, heldAbsences(plan, await loadLedger(query, site.key, name)));
  });
  const { unchanged, skipped, conflicts, problems } = plan;
  if (isKnown)
    return endNow(context, {
      ...newReport(run, name),
      unchanged,
      skipped,
      conflicts: conflicts.length,
      problems: [rejectedProblem(name, rejected.run), ...problems],
    });
  const why: Problem = { code: 'held', message: because, where: {} };
  return endNow(context, {
    ...newReport(run, setup.name),
    state: 'held',
    planned: true,
    ...plannedCounts(plan),
    unchanged,
    skipped,
    conflicts: conflicts.length,
    problems: [why, ...problems],
  });
}

/** A person has rejected this very plan, so nobody is asked again. */
const rejectedProblem = (source: string, run: string): Problem => ({
  code: REJECTED_BEFORE,
  message:
    `The feed still asks for what was rejected with the run ${run}: ` +
    `nothing is written until it changes. "npm run -s calsyncd -- sync ${source}" makes the plan again.`,
  where: {},
});

/** Ends a run with a report and releases its source. */
export async function endNow(context: RunContext, report: Report): Promise<StartOutcome> {
  const ended = await finishRun(context.database.query(), report, logAndKeep(context, report, endLines(report)));
  await releaseLease(context.database, report.run);
  return { kind: 'ended', report: ended ?? report };
}

/** The report of a run in which nothing has happened. */
export const newReport = (run: string, source: string): Report => ({
  run,
  source,
  state: 'unchanged',
  created: 0,
  updated: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  conflicts: 0,
  requests: 0,
  writes: 0,
  problems: [],
});

/** Turns an error into a problem of the run, with its own code if it has one, else `unexpected`. */
export function failureProblem(error: unknown): Problem {
  if (!(error instanceof Error)) return { code: 'unexpected', message: String(error), where: {} };
  const isCoded = 'code' in error && typeof error.code === 'string';
  return { code: isCoded ? foreignCode(String(error.code)) : 'unexpected', message: error.message, where: {} };
}
