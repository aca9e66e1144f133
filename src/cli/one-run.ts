import type { RunContext, SourceSetup } from '../run/context.ts';
import { readAndPlan, type Started } from '../run/start-run.ts';
import { carryOn, type OnProgress } from '../run/sync-source.ts';
import { takeOverRuns } from '../run/take-over.ts';
import type { Report } from '../sync/plan.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';

const BUSY_WAIT_MS = 1_000;

/** One run from its beginning, which `begin` makes, to its end in this process. Waits for another process that is at the source right now. */
export async function whenFree(context: RunContext, setup: SourceSetup, io: Io, full: boolean, begin: () => Promise<Started>): Promise<Report> {
  for (let waits = 0; ; waits += 1) {
    const report = await carryOn(context, setup, await begin(), progressLine(io, setup.name));
    if (report) return report;
    if (waits === 0) io.err(`${setup.name} is being synced by another process; waiting for it.\n`);
    await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS));
    // It may have died meanwhile.
    await carryOnRuns(context, full, io);
  }
}

/** Ends what dead processes left behind. */
export async function carryOnRuns(context: RunContext, full: boolean, io: Io): Promise<void> {
  for (const { run, setup } of await takeOverRuns(context)) {
    const started = run.state === 'writing' ? { kind: 'writing' as const, run: run.run } : await readAndPlan(context, setup, run.run, full);
    await carryOn(context, setup, started, progressLine(io, setup.name));
  }
}

/** A line that is written over while batches go out, for whoever watches. */
function progressLine(io: Io, source: string): OnProgress {
  if (!io.isTerminal) return () => undefined;
  return ({ stage, done, of }) => io.err(`\r  ${source}: ${stage}, batch ${done} of ${of} ${done === of ? '\r\u001b[K' : ''}`);
}

/** The exit code for runs that have ended. */
export const exitFor = (reports: readonly Report[]): ExitCode =>
  (reports.some(({ state }) => state === 'failed') ? EXIT.failed : reports.some(({ state }) => state === 'held') ? EXIT.needsPerson : EXIT.done);
