import type { Plan, Report } from '../../sync/model/plan.ts';
import { sourceRecordAsStored } from '../site/moved-site.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { decide } from './decide.ts';
import { newReport } from './keep-plan.ts';

/** What a run would do. Without a plan it would do nothing, and its report says why. */
export interface DryRun {
  readonly report: Report;
  readonly plan: Plan | undefined;
}

/** Reads a source and plans as a run does, but writes nothing. */
export async function dryRun(context: RunContext, setup: SourceSetup, full: boolean): Promise<DryRun> {
  const { setup: stored, record } = await sourceRecordAsStored(context, setup);
  const decision = await decide(context, stored, record, full);
  const nothing: Report = newReport('', setup.name);
  if (decision.kind === 'failed')
    return { report: { ...nothing, state: 'failed', problems: [decision.problem] }, plan: undefined };
  if (decision.kind === 'unchanged')
    return { report: { ...nothing, unchanged: decision.events, problems: decision.problems }, plan: undefined };
  return { report: nothing, plan: decision.plan };
}
