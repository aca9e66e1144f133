import { openBatches, type BatchName } from '../run/state/batches.ts';
import type { SyncCause } from '../run/state/causes.ts';
import type { RunContext, SourceSetup } from '../run/state/context.ts';
import { endRun } from '../run/steps/end-run.ts';
import { abandonLease, keepLease, type Lease } from '../run/state/lease.ts';
import { advanceStage } from '../run/state/records.ts';
import { tooEarlyUntil } from '../run/state/fetch-times.ts';
import { isPaused } from '../run/watch/pauses.ts';
import { resumeRun } from '../run/steps/resume-run.ts';
import { endNow, newReport, type StartOutcome } from '../run/steps/keep-plan.ts';
import { startRun } from '../run/steps/start-run.ts';
import { stoppedEarlyProblem, untilStopped } from '../run/steps/stopped.ts';
import type { Abandoned } from '../run/steps/take-over.ts';
import type { Report, Stage } from '../sync/model/plan.ts';
import { FIRST_STAGE, STAGES } from '../sync/model/to-batches.ts';
import type { Backend } from './backend.ts';
import { stageFlow } from './jobs.ts';
import { batchesAtOnce, writeBatchesIfFree } from '../run/write/write-batch.ts';

/** Performs runs as jobs: each function does one step of a run and hands the next one to the queue. */
export interface Dispatch {
  /** Starts a run of the source. `busy`: another run of the source is in progress. */
  readonly start: (setup: SourceSetup, cause: SyncCause) => Promise<'busy' | 'done'>;
  /**
   * Starts a run that a person asked for, and hands its batches to the queue. Returns what was started; throws what
   * `begin` throws.
   */
  readonly carryOut: (setup: SourceSetup, begin: () => Promise<StartOutcome>) => Promise<StartOutcome>;
  /** Continues a run when the batches of a stage are finished. */
  readonly stageDone: (setup: SourceSetup, run: string, stage: Stage) => Promise<void>;
  readonly resume: (abandoned: Abandoned) => Promise<void>;
  /**
   * Whether this process is currently working on a run of the source: reading, planning, or handing a stage to the
   * queue.
   */
  readonly isAtHand: (lease: Pick<Lease, 'site' | 'source'>) => boolean;
}

/** Who writes: this process, which works on runs, or any process that takes jobs from the queue. */
type Writer = 'worker' | 'queue';

export function makeDispatch(
  context: RunContext,
  backend: Pick<Backend, 'addFlow'>,
  onReport: (report: Report) => void,
): Dispatch {
  const atHand = new Set<{ readonly setup: SourceSetup }>();
  const holding = async <T>(setup: SourceSetup, work: () => Promise<T>): Promise<T> => {
    // One object per use: a source may be in use twice, and the first to finish must not remove the other.
    const hold = { setup };
    atHand.add(hold);
    try {
      return await work();
    } finally {
      atHand.delete(hold);
    }
  };
  /** Enters the first stage, from `stage` on, that has batches; ends the run if there is none. */
  const enter = async (setup: SourceSetup, run: string, stage: Stage, by: Writer): Promise<void> => {
    const open = await openBatches(context.database.query(), run, stage);
    if (open.length === 0) return leave(setup, run, stage, by);
    if (by === 'worker' && (await isWrittenAtOnce(context, setup, run, open))) return stageDone(setup, run, stage);
    try {
      await backend.addFlow(
        stageFlow({ run, source: setup.name, stage }, setup.site.name, open, batchesAtOnce(setup.site)),
      );
    } catch (error) {
      // No job works on this stage of the run, so the next check for abandoned runs must find it.
      await abandonLease(context.database, run);
      throw error;
    }
  };
  const leave = async (setup: SourceSetup, run: string, stage: Stage, by: Writer): Promise<void> => {
    const next = STAGES[STAGES.indexOf(stage) + 1];
    if (next) {
      if (await advanceStage(context.database.query(), run, stage, next)) await enter(setup, run, next, by);
      return;
    }
    const report = await endRun(context, setup, run);
    if (report) onReport(report);
  };
  const follow = async (setup: SourceSetup, started: StartOutcome, by: Writer, stage = FIRST_STAGE): Promise<void> => {
    if (started.kind === 'ended') onReport(started.report);
    if (started.kind === 'writing') await enter(setup, started.run, stage, by);
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
    const started = await untilStopped(context, setup, () => startRun(context, setup, cause, false));
    if (started === 'stopped') return 'done';
    await follow(setup, started, 'worker');
    return started.kind === 'busy' ? 'busy' : 'done';
  };
  const stageDone = async (setup: SourceSetup, run: string, stage: Stage): Promise<void> => {
    if (await keepLease(context.database, run, context.member.id())) await leave(setup, run, stage, 'worker');
  };
  const resume = async (abandoned: Abandoned): Promise<void> => {
    const { run, setup } = abandoned;
    // A run that is half written is finished; one that was only being read waits, too.
    const started =
      run.state === 'reading' && run.cause.kind !== 'command' && (await isResting(setup))
        ? await endNow(context, {
            ...newReport(run.run, setup.name),
            state: 'failed',
            problems: [stoppedEarlyProblem(setup.name)],
          })
        : await untilStopped(context, setup, () => resumeRun(context, abandoned, false));
    if (started !== 'stopped') await follow(setup, started, 'worker', run.stage ?? FIRST_STAGE);
  };
  return {
    start: (setup, cause) => holding(setup, () => start(setup, cause)),
    carryOut: (setup, begin) =>
      holding(setup, async () => {
        const started = await begin();
        await follow(setup, started, 'queue');
        return started;
      }),
    stageDone: (setup, run, stage) => holding(setup, () => stageDone(setup, run, stage)),
    resume: (abandoned) => holding(abandoned.setup, () => resume(abandoned)),
    isAtHand: ({ site, source }) => [...atHand].some(({ setup }) => setup.name === source && setup.site.key === site),
  };
}

/**
 * Writes what a site in this process takes in one go, and returns whether nothing is left. A job would take longer than
 * the write itself; the queue gets whatever is more, has to wait, or has to be retried.
 */
async function isWrittenAtOnce(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  open: readonly Pick<BatchName, 'stage' | 'number'>[],
): Promise<boolean> {
  const atOnce = batchesAtOnce(setup.site);
  const gos = [...Map.groupBy(open, ({ stage }) => stage)].map(([stage, batches]) => ({
    run,
    stage,
    numbers: batches.map(({ number }) => number),
  }));
  if (atOnce === 1 || gos.some(({ numbers }) => numbers.length > atOnce)) return false;
  try {
    for (const go of gos) {
      if (context.stopping.aborted || context.pace.restOf(setup.site)) return false;
      const progress = await writeBatchesIfFree(context, setup, go);
      if (!progress || [...progress.values()].some((batch) => batch.open > 0)) return false;
    }
    return true;
  } catch (error) {
    context.log.warn({ run, error: (error as Error).message }, 'a batch could not be written at once; a job tries it');
    return false;
  }
}
