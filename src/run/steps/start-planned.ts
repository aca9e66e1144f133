import { AppError } from '../../error.ts';
import { expressible } from '../../sync/event/expressible.ts';
import { unsettledPlan } from '../../sync/model/settled.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { isPartial } from '../../client/abilities.ts';
import { recordAct, type ActAbout, type ActRequest } from '../watch/acts.ts';
import type { DecidedCause } from '../state/causes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadFeedState } from '../state/feed-state.ts';
import { endNow, keepPlan, newReport, failureProblem, type RunDecision, type StartOutcome } from './keep-plan.ts';
import { abandonLease, beginRun, holdsLease } from '../state/lease.ts';
import { countTraffic } from '../state/records.ts';
import { runId } from './start-run.ts';

type Decided = Plan & Pick<RunDecision, 'lostAnswers'>;

/**
 * Starts a run whose plan a person asked for: takes the lease, plans, and stores the plan like that of any other run,
 * with the answers found for earlier runs. If `plan` throws an AppError, the run ends. The next sync of the source
 * compares everything.
 */
export async function startPlanned(
  context: RunContext,
  setup: SourceSetup,
  cause: DecidedCause,
  plan: () => Promise<Decided>,
  asked?: ActRequest,
): Promise<StartOutcome> {
  const run = runId(setup.name, context.now());
  const lease = { site: setup.site.key, source: setup.name, run };
  if (!(await beginRun(context.database, lease, cause, context.member.id()))) return { kind: 'busy' };
  try {
    if (asked) await recordAct(context.database.query(), asked.by, { ...actOf(cause), ...lease, reason: asked.reason });
    return await keepDecided(context, setup, run, plan);
  } catch (error) {
    await abandonLease(context.database, run).catch(() => undefined);
    throw error;
  }
}

/** The planning half of such a run; also for a run that a dead process had not planned yet. */
export async function keepDecided(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  plan: () => Promise<Decided>,
): Promise<StartOutcome> {
  const query = context.database.query();
  const decided = await plan().catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  await countTraffic(query, run, setup.takeTraffic());
  // Another process ended the run while this one was silent.
  if (!(await holdsLease(context.database, run, context.member.id()))) return { kind: 'busy' };
  if (decided instanceof AppError)
    return endNow(context, { ...newReport(run, setup.name), state: 'failed', problems: [failureProblem(decided)] });
  const { lostAnswers, ...own } = decided;
  const feedState = await loadFeedState(query, setup.site.key, setup.name);
  return keepPlan(context, setup, run, {
    plan: unsettledPlan(isPartial(await setup.site.client.abilities()) ? own : expressible(own)),
    feedState: { ...feedState, fullAt: null },
    ...(lostAnswers ? { lostAnswers } : {}),
  });
}

/** The entry in the history for a run that a person asked for. */
function actOf(cause: DecidedCause): ActAbout {
  const { kind, ...details } = cause;
  return { kind, details, ...('of' in cause && kind !== 'undo' ? { event: cause.of } : {}) };
}
