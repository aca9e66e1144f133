import type { Problem } from '../../problem.ts';
import type { Report } from '../../sync/model/plan.ts';
import type { Tally } from '../../sync/plan/report.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { leaveReading } from '../state/lease.ts';

/** The code of the problem of a run that was stopped on request. */
const STOPPED = 'stopped';

/**
 * The problem of a run that was stopped on request while writing: what was written, and how to continue with the rest.
 * `source` is the run's source, if it is configured.
 */
export const stoppedProblem = (source: string | undefined, { created, updated, removed }: Report): Problem => ({
  code: STOPPED,
  where: {},
  message:
    `Stopped on request, with ${created + updated + removed} events written. ` +
    `"npm run -s calsyncd -- sync${source === undefined ? '' : ` ${source}`}" continues with the rest; ` +
    'a running daemon does so within a minute.',
});

/** The report of a run that a person asked to end; what it left unwritten is not a failure. */
export function stoppedReport(report: Report, { writes, open, differing }: Tally, by: string): Report {
  if (open === 0 || differing > 0) return report;
  const message = `Stopped by ${by}, with ${writes - open} of ${writes} writes made. The next run plans the rest again.`;
  return { ...report, state: 'done', problems: [{ code: STOPPED, where: {}, message }, ...report.problems] };
}

/** The problem of a run that was stopped on request before it had a plan. */
export const stoppedEarlyProblem = (source: string): Problem => ({
  code: STOPPED,
  where: {},
  message: `Stopped on request while ${source} was being read: nothing was written.`,
});

/**
 * The result of `read`, the part of a run before its plan is stored, or `stopped` if the program is asked to stop
 * before. In that case `read` is not waited for, and its run is left to the next program: nothing was written, and any
 * further error (such as a connection that closes because the program ends) says nothing about the feed.
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

/** The result of `work`, or `stopped` once `stopping` is aborted; if it already is, `work` does not begin. */
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
