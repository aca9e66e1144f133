import type { Problem } from '../../problem.ts';
import type { Report } from '../../sync/model/plan.ts';
import type { Tally } from '../../sync/plan/report.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { leaveReading } from '../state/lease.ts';

/** The code of the problem that says that the program was asked to stop. */
const STOPPED = 'stopped';

/**
 * A run was stopped on request while writing: what is written, and how the rest continues. `source`: that of the run,
 * if it is configured.
 */
export const stoppedProblem = (source: string | undefined, { created, updated, removed }: Report): Problem => ({
  code: STOPPED,
  where: {},
  message:
    `Stopped on request, with ${created + updated + removed} events written. ` +
    `"npm run -s calsyncd -- sync${source === undefined ? '' : ` ${source}`}" goes on with the rest; ` +
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

/**
 * The result of `read`, the part of a run before its plan is stored; `stopped` if the program is asked to stop before its
 * end. It is not waited for then, and its run is left for the next program: nothing was written, and what still comes of
 * the reading, a connection that is closed because the program ends, too, says nothing about the feed.
 */
export async function untilStopped<T>(
  { stopping, database, member }: RunContext,
  { name, site }: SourceSetup,
  read: () => Promise<T>,
): Promise<T | 'stopped'> {
  const result = await whileNotStopped(stopping, read);
  if (result === 'stopped') await leaveReading(database, site.key, name, member.id());
  return result;
}

/** The result of `work`, or `stopped` once `stopping` is aborted; `work` does not begin then. */
export async function whileNotStopped<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T | 'stopped'> {
  if (stopping.aborted) return 'stopped';
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve('stopped');
    stopping.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => stopping.removeEventListener('abort', stop));
  });
}
