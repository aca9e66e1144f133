import { summarize } from '../sync/report.ts';
import type { Kysely } from '../db/database.ts';
import type { Action, Outcome, Plan, Report } from '../sync/plan.ts';
import { loadBatches } from './batches.ts';
import { CHANGED_SINCE, EVENT_REMOVED } from './complete-update.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { saveFeedState, setDue } from './feed-state.ts';
import { newReport } from './keep-plan.ts';
import { releaseLease } from './lease.ts';
import { finishRun, loadPlanned, loadRun } from './records.ts';

/** Ends a run whose stages are through: reports, remembers the feed as handled when everything was, gives the lease back. */
export async function endRun(context: RunContext, setup: SourceSetup, run: string): Promise<Report | undefined> {
  const query = context.database.query<unknown>();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || record?.state !== 'writing') return record?.report ?? undefined;
  const outcomes = await outcomesOf(query, run);
  const report = summaryOf(setup, run, planned.plan, outcomes);
  // A run with failed writes leaves the feed's validators as they were, and the next one plans again, also when the feed is by then what it was before.
  if (report.state === 'failed') await setDue(query, setup.site.key, setup.name);
  else await saveFeedState(query, setup.site.key, setup.name, { ...planned.feedState, due: planned.feedState.due || outcomes.some(({ outcome }) => isToCompare(outcome)) });
  const ended = await finishRun(query, report);
  await releaseLease(context.database, run);
  return ended;
}

/** What a run that is being written has done so far. It is recorded nowhere: the run goes on. */
export async function reportSoFar(context: RunContext, setup: SourceSetup, run: string): Promise<Report> {
  const query = context.database.query<unknown>();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || !record) return { ...newReport(run, setup.name), state: 'failed' };
  const { requests, writes } = record;
  return { ...summaryOf(setup, run, planned.plan, await outcomesOf(query, run)), state: 'failed', requests, writes };
}

type Outcomes = readonly { readonly action: Action; readonly outcome: Outcome | null }[];

const outcomesOf = async (query: Kysely<unknown>, run: string): Promise<Outcomes> =>
  (await loadBatches(query, run)).flatMap(({ items, outcomes }) => items.map(({ action }, index) => ({ action, outcome: outcomes[index] ?? null })));

function summaryOf({ name }: SourceSetup, run: string, planned: Omit<Plan, 'ledger' | 'actions'>, outcomes: Outcomes): Report {
  const plan = { ...planned, actions: outcomes.map(({ action }) => action), ledger: {} };
  return summarize({ run, source: name, plan, outcomes });
}

/** What was found instead of written, or not found where it had been, is compared by the next run. */
const isToCompare = (outcome: Outcome | null): boolean =>
  (outcome?.kind === 'done' && outcome.found === true) || (outcome?.kind === 'refused' && (outcome.problem.code === EVENT_REMOVED || outcome.problem.code === CHANGED_SINCE));
