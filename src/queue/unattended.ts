import type { JobType, Queue } from 'bullmq';
import type { RunContext } from '../run/state/context.ts';
import { leasesOf, type Lease } from '../run/state/lease.ts';
import { runOfStageJob } from './jobs.ts';

/**
 * In the order in which a job goes through them, so that a job that moves on during the listing appears in a later
 * state.
 */
const AT_WORK: readonly JobType[] = ['waiting-children', 'prioritized', 'waiting', 'active', 'delayed'];

/**
 * Compares this process's leases with what works on them: the process itself (`isAtHand`) or a job in the queue of
 * stages. Returns a function that lists the leases that nothing works on, both now and at the previous call: the queue
 * has lost their jobs, or a step could not even report its failure. A single check would also find runs between two
 * jobs.
 */
export function findUnattended(
  context: RunContext,
  stages: Pick<Queue, 'getRanges'>,
  isAtHand: (lease: Lease) => boolean,
): () => Promise<readonly Lease[]> {
  let suspected: ReadonlySet<string> = new Set();
  return async () => {
    const own = await leasesOf(context.database, context.member.id());
    const worked = new Set(own.length === 0 ? [] : (await stages.getRanges([...AT_WORK], 0, -1)).map(runOfStageJob));
    const idle = own.filter((lease) => !worked.has(lease.run) && !isAtHand(lease));
    const unattended = idle.filter(({ run }) => suspected.has(run));
    suspected = new Set(idle.map(({ run }) => run));
    return unattended;
  };
}
