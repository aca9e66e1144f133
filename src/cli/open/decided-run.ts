import type { SourceSetup } from '../../run/state/context.ts';
import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import type { Report } from '../../sync/model/plan.ts';
import type { Call } from '../terminal/command.ts';
import { printJson, type ExitCode } from '../terminal/io.ts';
import { printLines } from '../terminal/screen.ts';
import { exitFor, withRunner } from './one-run.ts';
import type { App } from './open-context.ts';
import { reportInWords } from '../terminal/words.ts';

/**
 * Carries out a run that a person asked for and reports its result as `sync` does, followed by the command's own line
 * if it succeeded.
 */
export async function runToEnd(
  app: App,
  setup: SourceSetup,
  { io, options }: Call,
  begin: () => Promise<StartOutcome>,
  told?: (report: Report) => string | Promise<string>,
): Promise<ExitCode> {
  const report: Report = await withRunner(app, io, (runner) => runner.run(setup, false, begin));
  if (options.json) printJson(io, { runs: [report] });
  else {
    const own = told && report.state !== 'failed' && report.state !== 'held' ? [await told(report)] : [];
    const [counts, ...more] = reportInWords(report);
    // A lock exists only in the ledger, so there is nothing to count.
    const isCounted = own.length === 0 || report.created + report.updated + report.removed + report.unchanged > 0;
    printLines(io, [...(isCounted && counts !== undefined ? [counts] : []), ...more, ...own]);
  }
  return exitFor([report]);
}
