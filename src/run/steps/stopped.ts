import type { Problem } from '../../problem.ts';
import type { Report } from '../../sync/model/plan.ts';
import type { Tally } from '../../sync/plan/report.ts';

/** The code of the problem that says that the program was asked to stop. */
const STOPPED = 'stopped';

/** A run was stopped on request while writing: what is written, and how the rest continues. */
export const stoppedProblem = (source: string, { created, updated, removed }: Report): Problem => ({
  code: STOPPED,
  where: {},
  message:
    `Stopped on request, with ${created + updated + removed} events written. ` +
    `"npm run -s calsyncd -- sync ${source}" goes on with the rest; ` +
    'a running daemon does so within a minute.',
});

/** The report of a run that somebody has asked to end: what it left is nobody's failure. */
export function stoppedReport(report: Report, { writes, open, differing }: Tally, by: string): Report {
  if (open === 0 || differing > 0) return report;
  const message = `Stopped by ${by}, with ${writes - open} of ${writes} writes made. The next run plans the rest anew.`;
  return { ...report, state: 'done', problems: [{ code: STOPPED, where: {}, message }, ...report.problems] };
}

/** A run was stopped on request before it had a plan. */
export const stoppedEarlyProblem = (source: string): Problem => ({
  code: STOPPED,
  where: {},
  message: `Stopped on request while ${source} was being read: nothing was written.`,
});
