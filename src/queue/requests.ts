import type { JobsOptions, Queue } from 'bullmq';
import type { SyncCause } from '../run/state/causes.ts';
import type { RunContext } from '../run/state/context.ts';
import type { Report } from '../sync/model/plan.ts';
import type { Backend } from './backend.ts';
import { makeDispatch, type Dispatch } from './dispatch.ts';
import { settingsOptions, startOptions, SYNC_QUEUE, syncOptions, type SyncData } from './jobs.ts';

/** What can be requested from the workers, whichever process they are in. */
export interface Requests extends Pick<Dispatch, 'carryOut'> {
  /**
   * Requests a sync of each source as soon as possible; at a start, after those that are due. `version` is that of the
   * changed settings.
   */
  readonly request: (sources: readonly string[], cause: SyncCause, version?: string) => Promise<void>;
}

/** Each job is locked until its whole statement is done, and a server has a limited number of locks. */
const ADDED_AT_ONCE = 500;

const OPTIONS: Readonly<Partial<Record<SyncCause, (source: string, version: string) => JobsOptions>>> = {
  start: startOptions,
  settings: settingsOptions,
};

export async function requestSyncs(
  queue: Queue,
  sources: readonly string[],
  cause: SyncCause,
  version = '',
): Promise<void> {
  const optionsOf = OPTIONS[cause] ?? syncOptions;
  const jobs = sources.map((source) => ({
    name: 'sync',
    data: { source, cause } satisfies SyncData,
    opts: optionsOf(source, version),
  }));
  for (let from = 0; from < jobs.length; from += ADDED_AT_ONCE)
    await queue.addBulk(jobs.slice(from, from + ADDED_AT_ONCE));
}

/** Opens the requests of a process without workers. */
export async function openRequests(
  context: RunContext,
  backend: Backend,
  onReport: (report: Report) => void,
): Promise<Requests> {
  const queue = await backend.queue(SYNC_QUEUE);
  const { carryOut } = makeDispatch(context, backend, onReport);
  return { request: (sources, cause, version) => requestSyncs(queue, sources, cause, version), carryOut };
}
