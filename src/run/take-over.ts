import { forgetShown } from './batches.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { releaseLease, takeOverDeadLeases } from './lease.ts';
import { finishRun, loadRun, type RunRecord } from './records.ts';

export interface Abandoned { readonly run: RunRecord; readonly setup: SourceSetup }

/** The runs that a dead process left behind, now ours to carry on; runs of sources that are no longer configured are ended as failed. */
export async function takeOverRuns(context: RunContext): Promise<readonly Abandoned[]> {
  const abandoned: Abandoned[] = [];
  for (const lease of await takeOverDeadLeases(context.database, context.member.id())) {
    const run = await loadRun(context.database.query(), lease.run);
    const setup = context.sources.get(lease.source);
    if (run && setup?.site.key === lease.site && (run.state === 'reading' || run.state === 'writing')) {
      await forgetShown(context.database.query(), run.run);
      abandoned.push({ run, setup });
    } else await giveUp(context, lease.run, lease.source);
  }
  return abandoned;
}

async function giveUp(context: RunContext, run: string, source: string): Promise<void> {
  const problem = { code: 'source-gone', message: `The run was cut off, and the configuration no longer has the source "${source}": nothing more was written.`, where: {} };
  await finishRun(context.database.query(), {
    run, source, state: 'failed', created: 0, updated: 0, removed: 0, unchanged: 0, skipped: 0, conflicts: 0, requests: 0, writes: 0, problems: [problem],
  });
  await releaseLease(context.database, run);
}
