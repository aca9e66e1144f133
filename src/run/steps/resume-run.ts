import { AppError } from '../../error.ts';
import type { Problem } from '../../problem.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { isBrokenOff, loadBatches, type Batch } from '../state/batches.ts';
import type { RunContext } from '../state/context.ts';
import { reportSoFar } from './end-run.ts';
import { setDue } from '../state/feed-state.ts';
import { endNow, failureProblem, type StartOutcome } from './keep-plan.ts';
import { noteLines, RESUMED, logAndKeep } from '../log/run-log.ts';
import { loadRefs } from '../state/records.ts';
import { publishingProblem } from '../write/refuse-unpublished.ts';
import { planTrash } from '../site/plan-trash.ts';
import { keepDecided } from './start-planned.ts';
import { readAndPlan } from './start-run.ts';
import type { Abandoned } from './take-over.ts';
import { saveWithoutOutcome } from '../state/lost-answers.ts';

/**
 * Continues a run that was cut off: plans it from the beginning if it had no plan, else writes the rest. If its user
 * may no longer publish, or the site cannot be asked, the run ends as failed with everything it has done, and the next
 * run asks about what was sent without an answer.
 */
export async function resumeRun(context: RunContext, { run, setup }: Abandoned, full: boolean): Promise<StartOutcome> {
  const query = context.database.query();
  await noteLines(query, run.run, logAndKeep(context, { run: run.run, source: setup.name }, [RESUMED]));
  if (run.state !== 'writing')
    return run.cause.kind === 'forget'
      ? keepDecided(context, setup, run.run, () => planTrash(context, setup))
      : readAndPlan(context, setup, run.run, full);
  const batches = await loadBatches(query, run.run);
  const problem = (await isBrokenOff(query, run.run))
    ? null
    : await publishingProblem(setup.site, openPartOf(batches), 'resumed').catch(asProblem);
  if (!problem) return { kind: 'writing', run: run.run };
  await saveWithoutOutcome(query, setup, batches, await loadRefs(query, run.run));
  await setDue(query, setup.site.key, setup.name);
  const soFar = await reportSoFar(context, setup.name, run.run);
  return endNow(context, { ...soFar, problems: [problem, ...soFar.problems] });
}

// As at the start of a run, a site that cannot be asked ends the run.
function asProblem(error: unknown): Problem {
  if (error instanceof AppError) return failureProblem(error);
  throw error;
}

/** The part of a run that is still to be written. */
function openPartOf(batches: readonly Batch[]): Pick<Plan, 'actions' | 'ledger'> {
  const open = batches.flatMap(({ items, outcomes }) =>
    items.filter((_, index) => [undefined, 'failed'].includes(outcomes[index]?.kind)),
  );
  return {
    actions: open.map(({ action }) => action),
    ledger: Object.fromEntries(open.flatMap(({ change }) => (change ? [[change.entry.slug, change]] : []))),
  };
}
