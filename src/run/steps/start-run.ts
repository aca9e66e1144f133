import { randomBytes } from 'node:crypto';
import type { SyncCause } from '../state/causes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { decide, type Decision } from './decide.ts';
import { saveBody } from '../state/feed-state.ts';
import { noteFailure, noteFetched } from '../state/fetch-times.ts';
import { supersedeHeld } from '../state/held.ts';
import { endNow, keepPlan, newReport, failureProblem, type StartOutcome } from './keep-plan.ts';
import { abandonLease, beginRun, holdsLease } from '../state/lease.ts';
import { sourceRecordOf } from '../site/moved-site.ts';
import { endLines, fetchedLine, readLines, logAndKeep } from '../log/run-log.ts';
import { countTraffic, finishUnchanged, noteSteps } from '../state/records.ts';
import { noteReading } from '../state/readings.ts';
import { newEventsProblem } from '../write/refuse-new-events.ts';
import { recordAct, type ActRequest } from '../watch/acts.ts';

/** Starts a run of a source: takes the lease, reads, plans, and stores the plan. Nothing is written to the site yet. */
export async function startRun(
  context: RunContext,
  setup: SourceSetup,
  cause: SyncCause,
  full: boolean,
  asked?: ActRequest,
): Promise<StartOutcome> {
  const run = runId(setup.name, context.now());
  const lease = { site: setup.site.key, source: setup.name, run };
  if (!(await beginRun(context.database, lease, { kind: cause }, context.member.id()))) return { kind: 'busy' };
  try {
    if (asked) await recordAct(context.database.query(), asked.by, { kind: 'sync', ...lease, reason: asked.reason });
    return await readAndPlan(context, setup, run, full);
  } catch (error) {
    // Our own state could not be written. If this fails too, the lease ends with the connection.
    await abandonLease(context.database, run).catch(() => undefined);
    throw error;
  }
}

/** The reading half of a run; also for a run that a dead process had not planned yet. */
export async function readAndPlan(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  full: boolean,
): Promise<StartOutcome> {
  const decision = await sourceRecordOf(context, setup)
    .then((record) =>
      context.measures.within({ run, source: setup.name }, () =>
        context.measures.time('calsyncd_step_seconds', { step: 'plan' }, () =>
          decide(context, setup, record, full, (steps) =>
            noteSteps(
              context.database.query(),
              run,
              steps,
              logAndKeep(context, { run, source: setup.name }, [fetchedLine(steps.fetch)]),
            ),
          ),
        ),
      ),
    )
    .catch((error: unknown): Decision => ({ kind: 'failed', problem: failureProblem(error) }));
  if (decision.kind === 'unchanged') return endUnchanged(context, setup, run, decision);
  await countTraffic(context.database.query(), run, setup.takeTraffic());
  // Another process took the run over while this one was silent.
  if (!(await holdsLease(context.database, run, context.member.id()))) return { kind: 'busy' };
  await noteTimes(context, setup, run, decision);
  if (decision.kind === 'failed')
    return endNow(context, { ...newReport(run, setup.name), state: 'failed', problems: [decision.problem] });
  const problem = full || decision.plan.held !== null ? null : await newEventsProblem(context, setup, decision.plan);
  if (problem) return endNow(context, { ...newReport(run, setup.name), state: 'failed', problems: [problem] });
  return keepPlan(context, setup, run, decision);
}

async function endUnchanged(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  { events, problems, validators, notBefore, hasHeld, toStore, steps }: Extract<Decision, { kind: 'unchanged' }>,
): Promise<StartOutcome> {
  const { database, member } = context;
  const query = database.query();
  const traffic = setup.takeTraffic();
  if ((toStore || hasHeld) && !(await holdsLease(database, run, member.id()))) return { kind: 'busy' };
  if (toStore) await saveBody(query, setup.site.key, setup.name, toStore);
  // The feed is back to what it was before a plan was held.
  if (hasHeld) await supersedeHeld(query, setup, run);
  const report = { ...newReport(run, setup.name), unchanged: events, problems };
  const lines = logAndKeep(context, report, [fetchedLine(steps.fetch), ...endLines(report)]);
  const feed = { ...validators, site: setup.site.key, notBefore, traffic, steps, lines };
  const ended = await finishUnchanged(query, member.id(), report, feed);
  return ended === 'busy' ? { kind: 'busy' } : { kind: 'ended', report: ended };
}

/** Stores how the reading went, and when the next fetch may take place. */
async function noteTimes(
  context: RunContext,
  { site, name }: SourceSetup,
  run: string,
  decision: Exclude<Decision, { kind: 'unchanged' }>,
): Promise<void> {
  const { database, now } = context;
  const query = database.query();
  const { steps } = decision;
  if (steps) await noteSteps(query, run, steps, logAndKeep(context, { run, source: name }, readLines(steps)));
  if (decision.kind === 'planned') {
    await noteReading(query, { site: site.key, source: name, run }, decision.steps);
    return noteFetched(query, site.key, name);
  }
  if (decision.ofFeed) await noteFailure(query, site.key, name, decision.retryAfterMs, now(), Math.random());
}

/** The id of a new run. Ids are unique and sort by time. */
export const runId = (source: string, now: number): string =>
  `${source}-${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`;
