import type { JobType } from 'bullmq';
import type { Logger } from '../log.ts';
import { openBackend, type Backend, type BackendAddress } from './backend.ts';
import { STAGE_QUEUE, SYNC_QUEUE, writeQueue } from './jobs.ts';

/** The number of jobs of a queue in one state. */
export interface JobCount {
  readonly queue: string;
  readonly state: string;
  readonly jobs: number;
}

/** The queue of a process, opened on first use: a process that only serves may never need it. */
export interface OwnQueue {
  readonly backend: () => Promise<Backend>;
  readonly jobs: () => Promise<readonly JobCount[]>;
  readonly close: () => Promise<void>;
}

const STATES: readonly JobType[] = ['waiting', 'prioritized', 'active', 'delayed', 'waiting-children', 'failed'];

/** `sites` returns the names of all sites; it is called each time, because they may change. */
export function makeOwnQueue(address: BackendAddress, sites: () => readonly string[], log: Logger): OwnQueue {
  let opened: Promise<Backend> | undefined;
  // A queue that is unavailable may be back at the next use.
  const backend = (): Promise<Backend> =>
    (opened ??= openBackend(address, sites().length + 2, log).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  const countsOf = async (name: string): Promise<readonly JobCount[]> => {
    const counts = await (await (await backend()).queue(name)).getJobCounts(...STATES);
    return Object.entries(counts).map(([state, jobs]) => ({ queue: name, state, jobs }));
  };
  return {
    backend,
    jobs: async () => {
      const names = [SYNC_QUEUE, STAGE_QUEUE, ...sites().map(writeQueue)];
      return (await Promise.all(names.map(countsOf))).flat();
    },
    close: async () => {
      const open = await opened?.catch(() => undefined);
      await open?.close();
    },
  };
}
