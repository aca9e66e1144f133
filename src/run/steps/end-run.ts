import type { Problem } from '../../problem.ts';
import { summarize } from '../../sync/plan/report.ts';
import type { Kysely } from '../../db/database.ts';
import type { Action, Outcome, Plan, Report } from '../../sync/model/plan.ts';
import { loadBatches } from '../state/batches.ts';
import { CHANGED_SINCE, EVENT_REMOVED } from '../write/writes-of.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { saveFeedState, setDue } from '../state/feed-state.ts';
import { newReport } from './keep-plan.ts';
import { releaseLease, type Lease } from '../state/lease.ts';
import { finishRun, loadPlanned, loadRun } from '../state/records.ts';

/**
 * Ends a run whose stages are finished: reports, remembers the feed as handled if everything was, and releases the
 * lease.
 */
export async function endRun(context: RunContext, setup: SourceSetup, run: string): Promise<Report | undefined> {
  const query = context.database.query<unknown>();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || record?.state !== 'writing') return record?.report ?? undefined;
  const outcomes = await outcomesOf(query, run);
  const report = summaryOf(setup.name, run, planned.plan, outcomes);
  // After failed writes the feed's validators stay as they were, and the next run plans again even if the feed is
  // unchanged by then.
  if (report.state === 'failed') await setDue(query, setup.site.key, setup.name);
  else
    await saveFeedState(query, setup.site.key, setup.name, {
      ...planned.feedState,
      due: planned.feedState.due || outcomes.some(({ outcome }) => isToCompare(outcome)),
    });
  const ended = await finishRun(query, report);
  await releaseLease(context.database, run);
  return ended;
}

/** Ends a run that nobody can continue as failed, with all that it has done and the reason, and releases the lease. */
export async function endShort(
  context: Pick<RunContext, 'database'>,
  { run, source }: Lease,
  why: Problem,
): Promise<void> {
  const soFar = await reportSoFar(context, source, run);
  await finishRun(context.database.query(), { ...soFar, problems: [why, ...soFar.problems] });
  await releaseLease(context.database, run);
}

/** What a run has done so far. Nothing is stored, because the run goes on. */
export async function reportSoFar(
  { database }: Pick<RunContext, 'database'>,
  source: string,
  run: string,
): Promise<Report> {
  const query = database.query<unknown>();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || !record) return { ...newReport(run, source), state: 'failed' };
  const { requests, writes } = record;
  return { ...summaryOf(source, run, planned.plan, await outcomesOf(query, run)), state: 'failed', requests, writes };
}

type Outcomes = readonly { readonly action: Action; readonly outcome: Outcome | null }[];

const outcomesOf = async (query: Kysely<unknown>, run: string): Promise<Outcomes> =>
  (await loadBatches(query, run)).flatMap(({ items, outcomes }) =>
    items.map(({ action }, index) => ({ action, outcome: outcomes[index] ?? null })),
  );

function summaryOf(source: string, run: string, planned: Omit<Plan, 'ledger' | 'actions'>, outcomes: Outcomes): Report {
  const plan = { ...planned, actions: outcomes.map(({ action }) => action), ledger: {} };
  return summarize({ run, source, plan, outcomes });
}

/** The next run compares what was looked up instead of written, or was not where it had been. */
const isToCompare = (outcome: Outcome | null): boolean =>
  (outcome?.kind === 'done' && outcome.lookedUp === true) ||
  (outcome?.kind === 'refused' && (outcome.problem.code === EVENT_REMOVED || outcome.problem.code === CHANGED_SINCE));
