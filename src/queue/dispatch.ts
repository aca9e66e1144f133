import { openBatches } from '../run/state/batches.ts';
import type { SyncCause } from '../run/state/causes.ts';
import type { RunContext, SourceSetup } from '../run/state/context.ts';
import { endRun } from '../run/steps/end-run.ts';
import { abandonLease, keepLease, type Lease } from '../run/state/lease.ts';
import { advanceStage } from '../run/state/records.ts';
import { tooEarlyUntil } from '../run/state/fetch-times.ts';
import { isPaused } from '../run/watch/pauses.ts';
import { resumeRun } from '../run/steps/resume-run.ts';
import { endNow, newReport, type Started } from '../run/steps/keep-plan.ts';
import { startRun } from '../run/steps/start-run.ts';
import { stoppedEarlyProblem } from '../run/steps/stopped.ts';
import type { Abandoned } from '../run/steps/take-over.ts';
import type { Report, Stage } from '../sync/model/plan.ts';
import { FIRST_STAGE, STAGES } from '../sync/model/to-batches.ts';
import type { Backend } from './backend.ts';
import { stageFlow } from './jobs.ts';
import { batchesAtOnce } from '../run/write/write-batch.ts';

/** Runs as jobs: each function does one step of a run and hands the next one to the queue. */
export interface Dispatch {
  /** `busy`: another run of the source is under way. */
  readonly start: (setup: SourceSetup, cause: SyncCause) => Promise<'busy' | 'done'>;
  /**
   * Begins a run that a person asked for and gives its batches to the queue. Gives what has begun; throws what `begin`
   * throws.
   */
  readonly carryOut: (setup: SourceSetup, begin: () => Promise<Started>) => Promise<Started>;
  /** Continues when the batches of a stage are finished. */
  readonly stageDone: (setup: SourceSetup, run: string, stage: Stage) => Promise<void>;
  readonly resume: (abandoned: Abandoned) => Promise<void>;
  /**
   * Whether this process is working on a run of the source right now: reading, planning, or handing a stage to the
   * queue.
   */
  readonly isAtHand: (lease: Pick<Lease, 'site' | 'source'>) => boolean;
}

export function makeDispatch(
  context: RunContext,
  backend: Pick<Backend, 'addFlow'>,
  onReport: (report: Report) => void,
): Dispatch {
  const atHand = new Set<{ readonly setup: SourceSetup }>();
  const holding = async <T>(setup: SourceSetup, work: () => Promise<T>): Promise<T> => {
    // An object for each use: a source may be in use twice, and the first to finish must not remove the other.
    const hold = { setup };
    atHand.add(hold);
    try {
      return await work();
    } finally {
      atHand.delete(hold);
    }
  };
  /** Adds the first stage from `stage` on that has batches; ends the run when none is left. */
  const enter = async (setup: SourceSetup, run: string, stage: Stage): Promise<void> => {
    const open = await openBatches(context.database.query(), run, stage);
    if (open.length === 0) return leave(setup, run, stage);
    try {
      await backend.addFlow(
        stageFlow({ run, source: setup.name, stage }, setup.site.name, open, batchesAtOnce(setup.site)),
      );
    } catch (error) {
      // No job works on the run's stage, so the next check for abandoned runs must find it.
      await abandonLease(context.database, run);
      throw error;
    }
  };
  const leave = async (setup: SourceSetup, run: string, stage: Stage): Promise<void> => {
    const next = STAGES[STAGES.indexOf(stage) + 1];
    if (next) {
      if (await advanceStage(context.database.query(), run, stage, next)) await enter(setup, run, next);
      return;
    }
    const report = await endRun(context, setup, run);
    if (report) onReport(report);
  };
  const follow = async (setup: SourceSetup, started: Started, stage: Stage = FIRST_STAGE): Promise<void> => {
    if (started.kind === 'ended') onReport(started.report);
    if (started.kind === 'writing') await enter(setup, started.run, stage);
  };
  const isResting = async ({ isPaused: byFile, site, name }: SourceSetup): Promise<boolean> =>
    byFile === true || isPaused(context.database.query(), { site: site.key, source: name });
  const start: Dispatch['start'] = async (setup, cause) => {
    if (cause !== 'command' && (await isResting(setup))) return 'done';
    const until = await tooEarlyUntil(context.database.query(), setup, cause, context.now());
    if (until !== null) {
      context.log.debug(
        { source: setup.name, until: new Date(until).toISOString() },
        'the feed is not fetched again before its time',
      );
      return 'done';
    }
    const started = await startRun(context, setup, cause, false);
    await follow(setup, started);
    return started.kind === 'busy' ? 'busy' : 'done';
  };
  const stageDone = async (setup: SourceSetup, run: string, stage: Stage): Promise<void> => {
    if (await keepLease(context.database, run, context.member.id())) await leave(setup, run, stage);
  };
  const resume = async (abandoned: Abandoned): Promise<void> => {
    const { run, setup } = abandoned;
    // What is half written is finished; what was only being read has to wait, too.
    const started =
      run.state === 'reading' && run.cause.kind !== 'command' && (await isResting(setup))
        ? await endNow(context, {
            ...newReport(run.run, setup.name),
            state: 'failed',
            problems: [stoppedEarlyProblem(setup.name)],
          })
        : await resumeRun(context, abandoned, false);
    return follow(setup, started, run.stage ?? FIRST_STAGE);
  };
  return {
    start: (setup, cause) => holding(setup, () => start(setup, cause)),
    carryOut: (setup, begin) =>
      holding(setup, async () => {
        const started = await begin();
        await follow(setup, started);
        return started;
      }),
    stageDone: (setup, run, stage) => holding(setup, () => stageDone(setup, run, stage)),
    resume: (abandoned) => holding(abandoned.setup, () => resume(abandoned)),
    isAtHand: ({ site, source }) => [...atHand].some(({ setup }) => setup.name === source && setup.site.key === site),
  };
}
