import { randomBytes } from 'node:crypto';
import type { Problem } from '../problem.ts';
import { STAGES, toBatches } from '../sync/to-batches.ts';
import type { Plan, Report } from '../sync/plan.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { decide, type Decision } from './decide.ts';
import { saveBody } from './feed-state.ts';
import { abandonLease, acquireLease, holdsLease, releaseLease } from './lease.ts';
import { saveEntries } from './ledger.ts';
import { countTraffic, createRun, finishRun, holdPlan, savePlan, type Item } from './records.ts';

/** How a run has begun. `busy`: another living process syncs this source right now. */
export type Started =
  | { readonly kind: 'busy' }
  | { readonly kind: 'ended'; readonly report: Report }
  | { readonly kind: 'writing'; readonly run: string };

type Planned = Extract<Decision, { kind: 'planned' }>;

/** A new run of a source: takes the lease, reads, plans, and stores the plan. Nothing is written to the site yet. */
export async function startRun(context: RunContext, setup: SourceSetup, cause: string, full: boolean): Promise<Started> {
  const run = runId(setup.name, context.now());
  const query = context.database.query<unknown>();
  if (!await acquireLease(context.database, { site: setup.site.key, source: setup.name, run }, context.member.id())) return { kind: 'busy' };
  try {
    await createRun(query, { run, site: setup.site.key, source: setup.name, cause });
    return await readAndPlan(context, setup, run, full);
  } catch (error) {
    // Our own state could not be written. Where this does not come through either, the lease dies with the connection.
    await abandonLease(context.database, run).catch(() => undefined);
    throw error;
  }
}

/** The reading half of a run, also of one that a process left behind before it had planned. */
export async function readAndPlan(context: RunContext, setup: SourceSetup, run: string, full: boolean): Promise<Started> {
  const decision = await decide(context, setup, full).catch((error: unknown): Decision => ({ kind: 'failed', problem: problemOf(error) }));
  await countTraffic(context.database.query(), run, setup.takeRequests(), 0);
  // Another process has taken the run over while this one was silent.
  if (!await holdsLease(context.database, run, context.member.id())) return { kind: 'busy' };
  if (decision.kind === 'failed') return end(context, { ...reportOf(run, setup), state: 'failed', problems: [decision.problem] });
  if (decision.kind === 'unchanged') return end(context, { ...reportOf(run, setup), unchanged: decision.kept, problems: decision.problems });
  // A plan that cannot be stored must not keep its source for ever.
  return keep(context, setup, run, decision).catch((error: unknown) => end(context, { ...reportOf(run, setup), state: 'failed', problems: [problemOf(error)] }));
}

const keep = (context: RunContext, setup: SourceSetup, run: string, decision: Planned): Promise<Started> =>
  (decision.plan.held === null ? store(context, setup, run, decision) : hold(context, setup, run, decision.plan));

async function store(context: RunContext, setup: SourceSetup, run: string, decision: Planned): Promise<Started> {
  const { plan, feedState } = decision;
  const written = new Set(plan.actions.flatMap((action) => (action.resource === 'events' ? [action.slug] : [])));
  const entries = Object.values(plan.ledger).map(({ entry }) => entry).filter(({ slug }) => !written.has(slug));
  const batches = toBatches(plan.actions).map(({ stage, number, actions }) => ({ stage, number, items: actions.map((action): Item =>
    ({ action, change: action.resource === 'events' ? plan.ledger[action.slug] ?? null : null })) }));
  await context.database.query<unknown>().transaction().execute(async (query) => {
    await saveBody(query, setup.site.key, setup.name, decision.body, decision.contentType);
    await saveEntries(query, setup.site.key, setup.name, entries);
    await savePlan(query, run, plan, feedState, batches, STAGES[0]!);
  });
  return { kind: 'writing', run };
}

async function hold(context: RunContext, setup: SourceSetup, run: string, plan: Plan): Promise<Started> {
  await holdPlan(context.database.query(), run, plan);
  const { unchanged, skipped, conflicts, problems } = plan;
  const why: Problem = { code: 'held', message: plan.held!, where: {} };
  return end(context, { ...reportOf(run, setup), state: 'held', unchanged, skipped, conflicts: conflicts.length, problems: [why, ...problems] });
}

async function end(context: RunContext, report: Report): Promise<Started> {
  const ended = await finishRun(context.database.query(), report);
  await releaseLease(context.database, report.run);
  return { kind: 'ended', report: ended ?? report };
}

const reportOf = (run: string, setup: SourceSetup): Report => ({
  run, source: setup.name, state: 'unchanged', created: 0, updated: 0, removed: 0, unchanged: 0, skipped: 0, conflicts: 0, requests: 0, writes: 0, problems: [],
});

/** An unexpected error as a problem of the run: the code of an AppError, else its message as it is. */
export function problemOf(error: unknown): Problem {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected';
  return { code, message: error instanceof Error ? error.message : String(error), where: {} };
}

const runId = (source: string, now: number): string =>
  `${source}-${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`;

