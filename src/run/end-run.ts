import { summarize } from '../sync/report.ts';
import type { Outcome, Report } from '../sync/plan.ts';
import { loadBatches } from './batches.ts';
import { CHANGED_SINCE, EVENT_REMOVED } from './complete-update.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { saveFeedState, setDue } from './feed-state.ts';
import { releaseLease } from './lease.ts';
import { finishRun, loadPlanned, loadRun } from './records.ts';

/** Ends a run whose stages are through: reports, remembers the feed as handled when everything was, gives the lease back. */
export async function endRun(context: RunContext, setup: SourceSetup, run: string): Promise<Report | undefined> {
  const query = context.database.query<unknown>();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || record?.state !== 'writing') return record?.report ?? undefined;
  const outcomes = (await loadBatches(query, run)).flatMap(({ items, outcomes: of }) => items.map(({ action }, index) => ({ action, outcome: of[index] ?? null })));
  const plan = { ...planned.plan, actions: outcomes.map(({ action }) => action), ledger: {} };
  const report = summarize({ run, source: setup.name, plan, outcomes });
  // A run with failed writes leaves the feed's validators as they were, and the next one plans again, also when the feed is by then what it was before.
  if (report.state === 'failed') await setDue(query, setup.site.key, setup.name);
  else await saveFeedState(query, setup.site.key, setup.name, { ...planned.feedState, due: planned.feedState.due || outcomes.some(({ outcome }) => isToCompare(outcome)) });
  const ended = await finishRun(query, report);
  await releaseLease(context.database, run);
  return ended;
}

/** What was found instead of written, or not found where it had been, is compared by the next run. */
const isToCompare = (outcome: Outcome | null): boolean =>
  (outcome?.kind === 'done' && outcome.found === true) || (outcome?.kind === 'refused' && (outcome.problem.code === EVENT_REMOVED || outcome.problem.code === CHANGED_SINCE));
