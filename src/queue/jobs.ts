import { randomBytes } from 'node:crypto';
import type { FlowJob, JobsOptions } from 'bullmq';
import { FIRST_WAIT_MS, WRITE_ATTEMPTS } from '../run/write/attempts.ts';
import type { SyncCause } from '../run/state/causes.ts';
import type { BatchName } from '../run/state/batches.ts';
import type { Stage } from '../sync/model/plan.ts';

/** The queue of syncs. Jobs carry only names and numbers; the state is in PostgreSQL. */
export const SYNC_QUEUE = 'sync';
export interface TickData {
  readonly source: string;
}
export interface SyncData {
  readonly source: string;
  readonly cause: SyncCause;
}
/**
 * The queue of jobs that take a run from one stage to the next. These must not wait behind feeds that have yet to be
 * read.
 */
export const STAGE_QUEUE = 'stage';
export interface StageData {
  readonly run: string;
  readonly source: string;
  readonly stage: Stage;
}
/** A batch that is still to be written. */
type OpenBatch = Pick<BatchName, 'stage' | 'number'>;

/** A job in a site's queue of writes; `stage` is the stage of its batches. */
export interface WriteData {
  readonly run: string;
  readonly source: string;
  readonly stage: Stage;
  readonly batch: number;
  /** Further batches to write in the same job, each time as many in one go as the site takes. */
  readonly more?: readonly number[];
  /**
   * How often the job had been started when one of its batches was last finished; attempts for the others are counted
   * from there.
   */
  readonly startedBefore?: number;
}

/** The queue of a site's writes. */
export const writeQueue = (site: string): string => `write-${site}`;

const DAY_S = 86_400;
/** Successful jobs are removed because runs record everything; failed ones are kept for a week for debugging. */
export const KEEP: JobsOptions = { removeOnComplete: true, removeOnFail: { age: 7 * DAY_S } };

/**
 * One stage as a flow: its batches in the site's queue, which takes `atOnce` of them in one go, and a parent job that
 * continues when they have ended, successfully or not.
 */
export function stageFlow(data: StageData, site: string, batches: readonly OpenBatch[], atOnce = 1): FlowJob {
  return {
    name: 'stage',
    queueName: STAGE_QUEUE,
    data,
    opts: { ...KEEP, jobId: stageJobId(data), attempts: 5, backoff: { type: 'exponential', delay: 1_000 } },
    children: inStretches(batches, atOnce).map(({ stage, batch, more, place }) => ({
      name: 'write',
      queueName: writeQueue(site),
      data: { ...data, stage, batch, ...(more.length > 0 ? { more } : {}) } satisfies WriteData,
      // The first batches of a small run go before the fortieth batch of a large one.
      opts: {
        ...KEEP,
        priority: place + 1,
        attempts: WRITE_ATTEMPTS,
        backoff: { type: 'exponential', delay: FIRST_WAIT_MS },
        ignoreDependencyOnFailure: true,
      },
    })),
  };
}

/**
 * This many batches at each end of a stage are written by one job each, as many again in pairs, and so on, up to the
 * longest stretches in the middle.
 */
const STRETCHES_GROW_EVERY = 8;
const STRETCH_MAX = 4;

/**
 * Divides batches into jobs. A job costs the queue about as much as a batch costs a site in this process. But while a
 * job is in progress, runs that have just begun wait for it, and at the end of a stage all others do.
 */
function inStretches(batches: readonly OpenBatch[], atOnce: number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const left = [...batches];
  for (let first = left.shift(); first; first = left.shift()) {
    const { stage, number } = first;
    const place = batches.length - left.length - 1;
    const fromEnd = Math.min(place + 1, left.length + 1);
    const longest = Math.max(Math.min(Math.ceil(fromEnd / STRETCHES_GROW_EVERY), STRETCH_MAX), atOnce);
    const more = left.slice(0, longest - 1).filter((other) => other.stage === stage);
    left.splice(0, more.length);
    stretches.push({ stage, batch: number, more: more.map((other) => other.number), place });
  }
  return stretches;
}

/** Batches of one kind that one job writes. The first of them is at position `place` of all open batches. */
interface Stretch extends Required<Pick<WriteData, 'stage' | 'batch' | 'more'>> {
  readonly place: number;
}

/**
 * An id that contains the run and is unique, because BullMQ does not add a job while it still keeps a failed one with
 * the same id.
 */
const stageJobId = ({ run, stage }: StageData): string => `${run}/${stage}/${randomBytes(4).toString('hex')}`;

/** The run of a stage's job, by the job's id. */
export const runOfStageJob = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));

/** Allows at most one waiting sync of a source in addition to the active one. */
export const syncOptions = (source: string): JobsOptions => ({
  ...KEEP,
  deduplication: { id: source, keepLastIfActive: true },
});

/** Processes that start within this time of each other share one request for their first run. */
export const STARTS_TOGETHER_MS = 1_000;

/**
 * A sync at the start of the program does not wait for one that a killed process was working on. Processes that start
 * together request it once. Sources that are due go first.
 */
export const startOptions = (source: string): JobsOptions => ({
  ...KEEP,
  priority: 1,
  deduplication: { id: startId(source), ttl: STARTS_TOGETHER_MS },
});

/** Processes notice a change of the configuration within this time of each other. */
const NOTICED_TOGETHER_MS = 10_000;

/**
 * A sync of a source whose settings have changed. All processes that notice it request it once. `version` is that of
 * the configuration.
 */
export const settingsOptions = (source: string, version: string): JobsOptions => ({
  ...KEEP,
  priority: 1,
  deduplication: { id: `${source} as in ${version}`, ttl: NOTICED_TOGETHER_MS },
});

/** The deduplication id for a starting program's request to sync a source. */
export const startId = (source: string): string => `start of ${source}`;
