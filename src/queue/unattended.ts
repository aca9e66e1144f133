import type { JobType, Queue } from 'bullmq';
import type { RunContext } from '../run/state/context.ts';
import { leasesOf, type Lease } from '../run/state/lease.ts';
import { runOfStageJob } from './jobs.ts';

/** In the order in which a job passes through them: one that moves on while they are listed is seen in a later one. */
const AT_WORK: readonly JobType[] = ['waiting-children', 'prioritized', 'waiting', 'active', 'delayed'];

/**
 * Compares the leases of this process with what works on them, which is the process itself (`isAtHand`) or a job of the
 * queue of stages.
 * Gives a function that tells the leases that nothing works on, now as at the call before: the queue has lost their
 * jobs, or a step
 * could not even say that it had failed. A single look would also find runs that are between two jobs.
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
