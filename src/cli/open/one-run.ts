import { setTimeout as sleep } from 'node:timers/promises';
import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import { newReport } from '../../run/steps/keep-plan.ts';
import { resumeRun } from '../../run/steps/resume-run.ts';
import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import { stoppedEarlyProblem, untilStopped, whileNotStopped } from '../../run/steps/stopped.ts';
import { carryOn } from '../../run/steps/carry-on.ts';
import { leftRunInWords, runsToLeave, takeOverRuns } from '../../run/steps/take-over.ts';
import { countRun } from '../../operator/metrics/count-run.ts';
import type { Report } from '../../sync/model/plan.ts';
import { EXIT, type ExitCode, type Io } from '../terminal/io.ts';
import type { App } from './open-context.ts';
import { wasStopped } from '../terminal/words.ts';
import { tellProgress, type ProgressTeller } from '../progress/runs.ts';

const BUSY_WAIT_MS = 1_000;

/** Carries out runs in this process and shows their progress. */
export interface Runner {
  /** Carries out one run, which `begin` starts. Waits if another process is working on the source. */
  readonly run: (setup: SourceSetup, full: boolean, begin: () => Promise<StartOutcome>) => Promise<Report>;
  /** Ends runs that dead processes have left. */
  readonly carryOnRuns: (full: boolean) => Promise<void>;
}

/** Lets a command carry out runs of `count` sources. A request to stop ends them after the batches in progress. */
export async function withRunner<T>(
  app: Pick<App, 'context' | 'onWait' | 'onRead'>,
  io: Io,
  work: (runner: Runner) => Promise<T>,
  count = 1,
): Promise<T> {
  const { context } = app;
  const progress = tellProgress(io, count);
  const tellStop = (): void =>
    progress.say('Stopping: finishing what is under way first. Press Ctrl-C again to stop at once.');
  context.stopping.addEventListener('abort', tellStop);
  const ends = [app.onWait(progress.waits), app.onRead(progress.reads)];
  try {
    return await work(makeRunner(context, progress));
  } finally {
    for (const end of ends) end();
    context.stopping.removeEventListener('abort', tellStop);
    progress.close();
  }
}

function makeRunner(context: RunContext, progress: ProgressTeller): Runner {
  const { pace, stopping } = context;
  const carryOnRuns = async (full: boolean): Promise<void> => {
    const abandoned = await takeOverRuns(context);
    for (const left of await runsToLeave(context)) progress.say(leftRunInWords(left));
    await Promise.all(abandoned.map((one) => end(one.setup, () => resumeRun(context, one, full))));
  };
  const end = async (setup: SourceSetup, begin: () => Promise<StartOutcome>): Promise<Report | undefined> => {
    const onProgress = progress.begin(setup.name);
    try {
      const started = await untilStopped(context, setup, () => pace.fetching(begin));
      if (started === 'stopped') return stoppedEarly(setup);
      const report = await carryOn(context, setup, started, onProgress);
      if (report) countRun(context.measures, report);
      return report;
    } finally {
      progress.end(setup.name);
    }
  };
  return {
    carryOnRuns,
    run: async (setup, full, begin) => {
      for (let waits = 0; ; waits += 1) {
        if (stopping.aborted) return stoppedEarly(setup);
        const report = await end(setup, begin);
        if (report) return report;
        if (waits === 0) progress.say(`${setup.name} is being synced by another process; waiting for it.`);
        await whileNotStopped(stopping, () => sleep(BUSY_WAIT_MS));
        // The other process may have died in the meantime.
        if (!stopping.aborted) await carryOnRuns(full);
      }
    },
  };
}

const stoppedEarly = ({ name }: SourceSetup): Report => ({
  ...newReport('', name),
  state: 'failed',
  problems: [stoppedEarlyProblem(name)],
});

/** The exit code for runs that have ended. */
export function exitFor(reports: readonly Report[]): ExitCode {
  if (reports.some((report) => report.state === 'failed' || wasStopped(report))) return EXIT.failed;
  return reports.some(({ state }) => state === 'held') ? EXIT.needsPerson : EXIT.done;
}
