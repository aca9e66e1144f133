import type { RunContext } from '../../run/state/context.ts';
import { endedSince } from '../../run/state/records.ts';
import type { Report } from '../../sync/model/plan.ts';

const LOOK_EVERY_MS = 2_000;
/** A run's end time is set before it becomes visible, so a run that ended a little earlier may appear later. */
const SHOWS_WITHIN_MS = 5_000;

/**
 * Reports first runs that another process has ended, including a process that ran just before this one and requested
 * them. Returns a function that stops it; stops by itself once each source has had one since `since`.
 */
export function watchFirstRuns(
  { database, sources, log }: RunContext,
  tell: (report: Report) => void,
  since: number,
): () => void {
  const awaited = new Set([...sources.values()].flatMap(({ name, isPaused }) => (isPaused ? [] : [name])));
  let from = new Date(since);
  const look = async (): Promise<void> => {
    const { reports, until } = await endedSince(database.query(), from);
    from = new Date(Math.max(from.getTime(), until.getTime() - SHOWS_WITHIN_MS));
    for (const report of reports) if (awaited.delete(report.source)) tell(report);
    if (awaited.size === 0) clearInterval(timer);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.error({ error }, 'the first runs could not be watched'));
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
