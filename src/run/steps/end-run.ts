import type { Problem } from '../../problem.ts';
import { summarize, type Tally } from '../../sync/plan/report.ts';
import type { Report } from '../../sync/model/plan.ts';
import { loadBatches, loadTally } from '../state/batches.ts';
import { saveWithoutOutcome } from '../state/lost-answers.ts';
import { isAskedFor } from '../state/causes.ts';
import { noteChange } from '../watch/changes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { saveFeedState, setDue } from '../state/feed-state.ts';
import { newReport } from './keep-plan.ts';
import { endLines, logAndKeep } from '../log/run-log.ts';
import { releaseLease, type Lease } from '../state/lease.ts';
import { analyzeIfGrown } from '../state/ledger.ts';
import { stoppedReport } from './stopped.ts';
import { finishRun, loadPlanned, loadRefs, loadRun } from '../state/records.ts';

/**
 * Ends a run whose stages are finished: reports, marks the feed as handled if everything was, and releases the lease.
 */
export async function endRun(context: RunContext, setup: SourceSetup, run: string): Promise<Report | undefined> {
  const query = context.database.query();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || record?.state !== 'writing') return record?.report ?? undefined;
  const tally = await loadTally(query, run);
  const summary = summarize({ run, source: setup.name, plan: planned.plan, tally });
  const report = record.stopAskedBy === null ? summary : stoppedReport(summary, tally, record.stopAskedBy);
  // After failed writes the feed's validators stay as they were, and the next run plans again even if the feed is
  // unchanged.
  if (report !== summary)
    await saveWithoutOutcome(query, setup, await loadBatches(query, run), await loadRefs(query, run));
  if (summary.state === 'failed') await setDue(query, setup.site.key, setup.name);
  else {
    const feedState = { ...planned.feedState, due: planned.feedState.due || isToCompare(tally) };
    await saveFeedState(query, setup.site.key, setup.name, feedState, !isAskedFor(record.cause));
  }
  const ended = await finishRun(query, report, logAndKeep(context, report, endLines(report)));
  if (ended && !isAskedFor(record.cause)) await noteChange(query, setup.site.key, ended);
  context.planned.forget(run);
  context.listed.forget(run);
  await releaseLease(context.database, run);
  await analyzeIfGrown(query, report.created);
  return ended;
}

/**
 * Ends a run that nobody can continue as failed, with everything it has done and the reason, and releases the lease.
 */
export async function endShort(
  context: Pick<RunContext, 'database' | 'log' | 'now'>,
  { run, source }: Lease,
  why: Problem,
): Promise<void> {
  const soFar = await reportSoFar(context, source, run);
  const report = { ...soFar, problems: [why, ...soFar.problems] };
  await finishRun(context.database.query(), report, logAndKeep(context, report, endLines(report)));
  await releaseLease(context.database, run);
}

/** What a run has done so far. Nothing is stored, because the run goes on. */
export async function reportSoFar(
  { database }: Pick<RunContext, 'database'>,
  source: string,
  run: string,
): Promise<Report> {
  const query = database.query();
  const planned = await loadPlanned(query, run);
  const record = await loadRun(query, run);
  if (!planned || !record) return { ...newReport(run, source), state: 'failed' };
  const { requests, writes } = record;
  const soFar = summarize({ run, source, plan: planned.plan, tally: await loadTally(query, run) });
  return { ...soFar, state: 'failed', requests, writes };
}

/** The next run compares writes that were looked up or not made. */
const isToCompare = ({ writes, done, lookedUp }: Tally): boolean => lookedUp > 0 || done < writes;
