import type { SourceSetup } from '../../run/state/context.ts';
import { notHeldError } from '../../run/state/held.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import type { Started } from '../../run/steps/keep-plan.ts';
import type { Report } from '../../sync/model/plan.ts';
import type { Call } from '../terminal/command.ts';
import { printJson, type ExitCode } from '../terminal/io.ts';
import { exitFor, withRunner } from './one-run.ts';
import type { App } from './open-context.ts';
import { reportInWords } from '../terminal/words.ts';

/** The run that a command names. Throws AppError if there is none. */
export async function runNamed({ state }: App, name: string): Promise<RunRecord> {
  const record = await findRun(state.database.query(), name);
  if (!record) throw notHeldError(name, undefined);
  return record;
}

/**
 * Carries out a run that a person asked for and reports its result, as `sync` does; adds the command's own line if it
 * went well.
 */
export async function runToEnd(
  app: App,
  setup: SourceSetup,
  { io, options }: Call,
  begin: () => Promise<Started>,
  told?: (report: Report) => string,
): Promise<ExitCode> {
  const report: Report = await withRunner(app, io, (runner) => runner.run(setup, false, begin));
  if (options.json) printJson(io, { runs: [report] });
  else
    io.out(
      `${reportInWords(report)}${told && report.state !== 'failed' && report.state !== 'held' ? `${told(report)}\n` : ''}`,
    );
  return exitFor([report]);
}
