import type { Problem } from '../problem.ts';
import { forgetShown } from './batches.ts';
import { isAskedFor } from './causes.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { newReport } from './keep-plan.ts';
import { holdsLease, releaseLease, takeOverDeadLeases, type Lease } from './lease.ts';
import { finishRun, loadRun, type RunRecord } from './records.ts';

export interface Abandoned { readonly run: RunRecord; readonly setup: SourceSetup }

/**
 * The runs that a dead process left behind, now ours to carry on. Ended as failed: runs of sources that are no longer configured, and what a
 * person asked for that had not been planned yet, for it cannot be planned by its cause alone.
 */
export const takeOverRuns = async (context: RunContext): Promise<readonly Abandoned[]> =>
  toCarryOn(context, await takeOverDeadLeases(context.database, context.member.id()));

/** The same for runs of this process that nothing works on any more. */
export async function takeUpRuns(context: RunContext, unattended: readonly Lease[]): Promise<readonly Abandoned[]> {
  const still: Lease[] = [];
  // Each may have ended meanwhile, or be another process's by now.
  for (const lease of unattended) if (await holdsLease(context.database, lease.run, context.member.id())) still.push(lease);
  return toCarryOn(context, still);
}

async function toCarryOn(context: RunContext, leases: readonly Lease[]): Promise<readonly Abandoned[]> {
  const abandoned: Abandoned[] = [];
  for (const lease of leases) {
    const run = await loadRun(context.database.query(), lease.run);
    const setup = context.sources.get(lease.source);
    if (run?.state === 'reading' && isAskedFor(run.cause)) await giveUp(context, lease, cutOff(run.cause));
    else if (run && setup?.site.key === lease.site && (run.state === 'reading' || run.state === 'writing')) {
      await forgetShown(context.database.query(), run.run);
      abandoned.push({ run, setup });
    } else await giveUp(context, lease, sourceGone(lease.source));
  }
  return abandoned;
}

const cutOff = (cause: string): Problem =>
  ({ code: 'cut-off', message: `The run (${cause}) was cut off before it had planned: nothing was written. Give the command again.`, where: {} });

const sourceGone = (source: string): Problem =>
  ({ code: 'source-gone', message: `The run was cut off, and the configuration no longer has the source "${source}": nothing more was written.`, where: {} });

async function giveUp(context: RunContext, { run, source }: Lease, problem: Problem): Promise<void> {
  await finishRun(context.database.query(), { ...newReport(run, source), state: 'failed', problems: [problem] });
  await releaseLease(context.database, run);
}
