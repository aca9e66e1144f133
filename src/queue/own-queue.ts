import type { JobType } from 'bullmq';
import type { Logger } from '../log.ts';
import { openBackend, type Backend, type BackendAddress } from './backend.ts';
import { STAGE_QUEUE, SYNC_QUEUE, writeQueue } from './jobs.ts';

/** How many jobs of a queue are in a state. */
export interface JobCount {
  readonly queue: string;
  readonly state: string;
  readonly jobs: number;
}

/** The queue of a process, opened when it is first used: one that only serves may never need it. */
export interface OwnQueue {
  readonly backend: () => Promise<Backend>;
  readonly jobs: () => Promise<readonly JobCount[]>;
  readonly close: () => Promise<void>;
}

const STATES: readonly JobType[] = ['waiting', 'prioritized', 'active', 'delayed', 'waiting-children', 'failed'];

/** `sites`: the names of all sites, asked again each time, as they may change. */
export function makeOwnQueue(address: BackendAddress, sites: () => readonly string[], log: Logger): OwnQueue {
  let opened: Promise<Backend> | undefined;
  // A queue that is away may be back at the next use.
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
