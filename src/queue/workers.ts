import { DelayedError, type Job, type Processor, type Queue, type Worker } from 'bullmq';
import { allEnded } from '../all-ended.ts';
import { nextAfter } from '../run/write/attempts.ts';
import type { BatchNames } from '../run/state/batches.ts';
import type { RunContext, SourceSetup } from '../run/state/context.ts';
import { abandonLease, type Lease } from '../run/state/lease.ts';
import { FETCHES_AT_ONCE } from '../run/state/pace.ts';
import { loadRun } from '../run/state/records.ts';
import { noteWorkerAlive } from '../run/watch/beat.ts';
import { setupOfRun } from '../run/steps/setup-of-run.ts';
import { leftRunInWords, runsToLeave, takeOverRuns, takeUpRuns, type Abandoned } from '../run/steps/take-over.ts';
import { batchesAtOnce, groupsAtOnce, writeBatches } from '../run/write/write-batch.ts';
import type { Report } from '../sync/model/plan.ts';
import { endsWithin, type Backend } from './backend.ts';
import { makeDispatch, type Dispatch } from './dispatch.ts';
import {
  startId,
  STAGE_QUEUE,
  STARTS_TOGETHER_MS,
  SYNC_QUEUE,
  syncOptions,
  writeQueue,
  type StageData,
  type SyncData,
  type TickData,
  type WriteData,
} from './jobs.ts';
import { requestSyncs, type Requests } from './requests.ts';
import { findUnattended } from './unattended.ts';

/** Low, because ending a run loads all of its actions. */
const STAGES_AT_ONCE = 2;
const LOOK_EVERY_MS = 5_000;
/** A request for an unknown source is dropped after this time. */
const UNKNOWN_MS_MAX = 30_000;
/** How long before a job that this program cannot do is offered again. */
const LEFT_MS = 5_000;
const CLOSE_MS_MAX = 20_000;
const FORCED_CLOSE_MS_MAX = 2_000;
/** A job whose worker died is given to another one; a sync may survive several such deaths. */
const STALLED = { maxStalledCount: 5, lockDuration: 30_000, stalledInterval: 15_000 };

/** The number of batches of a site that a process works on at the same time. */
export interface WriteLimits {
  readonly site: string;
  readonly inFlight: number;
}

/** The workers of one process. */
export interface Workers extends Requests {
  /**
   * Applies other limits from now on. The queue of a site that no longer exists is still processed, because runs may be
   * in progress there.
   */
  readonly limit: (limits: readonly WriteLimits[]) => Promise<void>;
  /** Waits for the batches in progress (at most 20 seconds; the next start continues what is cut off) and stops. */
  readonly close: () => Promise<void>;
}

/** Starts the workers, which continue what dead processes left behind and take jobs. */
export async function startWorkers(
  context: RunContext,
  backend: Backend,
  limits: readonly WriteLimits[],
  onReport: (report: Report) => void,
): Promise<Workers> {
  const queue = await backend.queue(SYNC_QUEUE);
  const dispatch = makeDispatch(context, backend, onReport);
  const takenOver = Promise.withResolvers<void>();
  const look = lookAfterRuns(
    context,
    dispatch,
    findUnattended(context, await backend.queue(STAGE_QUEUE), dispatch.isAtHand),
    takenOver.resolve,
  );
  let looking = look();
  // A feed that has crashed the program too often while being read must be recognised before a job asks for it.
  await takenOver.promise;
  let requestedAt = Number.NEGATIVE_INFINITY;
  const ofRuns = (job: Job, token: string | undefined): Promise<void> =>
    processSync(context, dispatch, queue, job, token);
  const workers = new Map<string, Worker>();
  const work = async (name: string, process: Processor, concurrency: number): Promise<void> => {
    const known = workers.get(name);
    if (known) {
      known.concurrency = concurrency;
      return;
    }
    const worker = await backend.worker(name, process, { ...STALLED, concurrency, autorun: false });
    workers.set(name, worker);
    worker.on('failed', (job, error) => void giveUp(context, job, error));
    // The worker reports its own errors; only an error that ends it for good is logged here.
    worker.run().catch((error: unknown) => context.log.error({ queue: name, error }, 'a worker has ended'));
  };
  const limit = async (each: readonly WriteLimits[]): Promise<void> => {
    await allEnded(
      each.map(({ site, inFlight }) =>
        work(writeQueue(site), (job, token) => processWrite(context, job, token), inFlight),
      ),
    );
  };
  await allEnded([work(SYNC_QUEUE, ofRuns, FETCHES_AT_ONCE), work(STAGE_QUEUE, ofRuns, STAGES_AT_ONCE), limit(limits)]);
  const beat = (): Promise<void> =>
    noteWorkerAlive(context.database.query()).catch((error: Error) =>
      context.log.warn({ error: error.message }, 'this worker could not say that it is alive; it tries again'),
    );
  await beat();
  const timer = setInterval(() => {
    looking = look();
    void beat();
  }, LOOK_EVERY_MS);
  return {
    limit,
    request: async (sources, cause, version) => {
      requestedAt = Date.now();
      await requestSyncs(queue, sources, cause, version);
    },
    carryOut: dispatch.carryOut,
    close: async () => {
      clearInterval(timer);
      await Promise.all([
        ...[...workers.values()].map((worker) => closeWorker(worker)),
        endsWithin(CLOSE_MS_MAX, looking),
      ]);
      if (Date.now() - requestedAt < STARTS_TOGETHER_MS)
        await endsWithin(FORCED_CLOSE_MS_MAX, forgetStart(context, queue));
    },
  };
}

/** Lets a program that is restarted immediately make a new request. */
async function forgetStart({ sources, log }: RunContext, queue: Queue): Promise<void> {
  try {
    await Promise.all([...sources.keys()].map((source) => queue.removeDeduplicationKey(startId(source))));
  } catch (error) {
    log.warn(
      { error: (error as Error).message },
      'the queue could not be notified of the stop: a start within a second does not sync at once',
    );
  }
}

/**
 * Continues abandoned runs: those of dead processes, and our own that have lost their jobs. Only one check runs at a
 * time; calls during it wait for its end. `onTaken` is called once these runs are known.
 */
function lookAfterRuns(
  context: RunContext,
  dispatch: Dispatch,
  unattended: () => Promise<readonly Lease[]>,
  onTaken: () => void,
): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const told = new Set<string>();
  const tellLeft = async (): Promise<void> => {
    for (const left of await runsToLeave(context)) {
      if (!told.has(left.run)) context.log.warn({ ...left }, leftRunInWords(left));
      told.add(left.run);
    }
  };
  const taken = async (): Promise<readonly Abandoned[]> => [
    ...(await takeOverRuns(context)),
    ...(await takeUpRuns(context, await unattended())),
  ];
  const look = async (): Promise<void> => {
    try {
      const runs = await taken().finally(onTaken);
      await Promise.all(runs.map((one) => carryOn(context, dispatch, one)));
      await tellLeft();
    } catch (error) {
      context.log.error({ error: (error as Error).message }, 'taking over abandoned runs failed; it is tried again');
    } finally {
      looking = undefined;
    }
  };
  return () => (looking ??= look());
}

async function carryOn(context: RunContext, dispatch: Dispatch, { run, setup }: Abandoned): Promise<void> {
  const { run: name } = run;
  context.log.info({ run: name, source: setup.name }, 'continuing a run that was interrupted');
  try {
    await dispatch.resume({ run, setup });
  } catch (error) {
    context.log.error(
      { run: name, error: (error as Error).message },
      'a run could not be continued; it is tried again',
    );
    await abandonLease(context.database, name);
  }
}

/**
 * Handles a failed job. A run whose stage will not be retried is left to the next check for abandoned runs, because
 * nothing else would continue it.
 */
async function giveUp(context: RunContext, job: Job | undefined, error: Error): Promise<void> {
  const isLast = job === undefined || job.attemptsMade >= (job.opts.attempts ?? 1);
  context.log[isLast ? 'error' : 'warn'](
    { job: job?.name, data: job?.data as unknown, attempt: job?.attemptsMade, error: error.message },
    isLast ? 'a job failed for good' : 'a job failed and is tried again',
  );
  if (!isLast || job?.name !== 'stage') return;
  await abandonLease(context.database, (job.data as StageData).run).catch((cause: Error) =>
    context.log.error({ error: cause.message }, 'a run could not be given up'),
  );
}

async function processSync(
  context: RunContext,
  dispatch: Dispatch,
  queue: Queue,
  job: Job,
  token: string | undefined,
): Promise<void> {
  const { source } = job.data as TickData;
  if (job.name === 'tick')
    return void (await queue.add('sync', { source, cause: 'schedule' } satisfies SyncData, syncOptions(source)));
  if (job.name === 'sync') return startSync(context, dispatch, job, token);
  const { run, stage } = job.data as StageData;
  const setup = await setupFor(context, source, run);
  if (!setup) return leave(context, run, job, token);
  return dispatch.stageDone(setup, run, stage);
}

/** Starts a run of a source, unless the source no longer exists or is busy. */
async function startSync(context: RunContext, dispatch: Dispatch, job: Job, token: string | undefined): Promise<void> {
  const { source, cause } = job.data as SyncData;
  const setup = context.sources.get(source);
  if (!setup) {
    // Another process may have read a newer configuration.
    if (Date.now() - job.timestamp < UNKNOWN_MS_MAX) return postpone(job, token, Date.now() + LEFT_MS);
    context.log.info({ source }, 'a request for a source that the configuration does not have was dropped');
    return;
  }
  const isBusy = (await dispatch.start(setup, cause)) === 'busy';
  // The run in progress was planned with the former settings.
  if (isBusy && cause === 'settings') return postpone(job, token, Date.now() + LEFT_MS);
}

/** The settings for the jobs of a run: those of its source, for the site that it writes to. */
async function setupFor(context: RunContext, source: string, run: string): Promise<SourceSetup | undefined> {
  const record = await loadRun(context.database.query(), run);
  return record ? setupOfRun(context, record) : context.sources.get(source);
}

/**
 * Writes the batches of a job, one go after another. BullMQ retries what is still open afterwards. If a site asks us to
 * wait, its whole queue waits; if the program is to stop, the rest stays in the queue. Each job waits by itself,
 * because a rate limit on the worker does not stop a job that another of its loops has already fetched.
 */
async function processWrite(context: RunContext, job: Job, token: string | undefined): Promise<void> {
  const { run, source, stage, batch, more = [], startedBefore = 0 } = job.data as WriteData;
  const attempt = job.attemptsStarted - startedBefore;
  const setup = await setupFor(context, source, run);
  if (!setup) return leave(context, run, job, token);
  const open = new Set([batch, ...more]);
  const errors: Error[] = [];
  for (const numbers of groupsAtOnce([batch, ...more], batchesAtOnce(setup.site))) {
    if (!numbers.includes(batch) && context.stopping.aborted) return postponeRest(job, token, Date.now(), open);
    const tried = await tryBatches(context, setup, { run, stage, numbers }, attempt);
    for (const number of tried.through) open.delete(number);
    errors.push(...tried.errors);
    if (tried.until !== undefined) return postponeRest(job, token, tried.until, open);
  }
  if (errors[0]) throw errors[0];
}

/**
 * The result of writing batches: those that are finished, errors for those that are still open or failed, and until
 * when to wait if the site asks.
 */
interface Tried {
  readonly through: readonly number[];
  readonly errors: readonly Error[];
  readonly until?: number;
}

/**
 * Writes batches in one go, unless the site asks us to wait. What stays open or fails does not affect the job's other
 * batches.
 */
async function tryBatches(context: RunContext, setup: SourceSetup, names: BatchNames, attempt: number): Promise<Tried> {
  const rest = context.pace.restOf(setup.site);
  if (rest) return { through: [], errors: [], until: rest.until };
  try {
    const all = [...(await writeBatches(context, setup, names))].map(([number, progress]) => ({
      number,
      progress,
      next: nextAfter(progress, attempt),
    }));
    const through = all.flatMap(({ number, next }) => (next.kind === 'through' ? [number] : []));
    const waits = all.flatMap(({ next }) => (next.kind === 'again' && next.ofSite ? [next] : []));
    for (const { afterMs, because } of waits) context.pace.giveRest(setup.site, afterMs, because);
    const [wait] = waits;
    if (wait) return { through, errors: [], until: Date.now() + wait.afterMs };
    const errors = all.flatMap(({ next, progress: { open, because } }) =>
      next.kind === 'through' ? [] : [new Error(`${open} of the batch's writes are still open: ${because}`)],
    );
    return { through, errors };
  } catch (error) {
    return { through: [], errors: [error instanceof Error ? error : new Error(String(error))] };
  }
}

/** Postpones the open batches of a job. If the job has made progress, its attempts are counted afresh. */
async function postponeRest(
  job: Job,
  token: string | undefined,
  until: number,
  open: ReadonlySet<number>,
): Promise<never> {
  const data = job.data as WriteData;
  const [batch = data.batch, ...more] = open;
  if (open.size < 1 + (data.more?.length ?? 0))
    await job.updateData({ ...data, batch, more, startedBefore: job.attemptsStarted } satisfies WriteData);
  return postpone(job, token, until);
}

/**
 * The queue may be shared with a program that has another configuration: runs that are being written are left to one
 * that has their source.
 */
async function leave({ database }: RunContext, run: string, job: Job, token: string | undefined): Promise<void> {
  if ((await loadRun(database.query(), run))?.state === 'writing') await postpone(job, token, Date.now() + LEFT_MS);
}

async function postpone(job: Job, token: string | undefined, until: number): Promise<never> {
  await job.moveToDelayed(until, token);
  throw new DelayedError();
}

async function closeWorker(worker: Worker): Promise<void> {
  if (await endsWithin(CLOSE_MS_MAX, worker.close())) return;
  // Abandons jobs in progress, and also a worker that has lost its connection and would wait for ever.
  await endsWithin(FORCED_CLOSE_MS_MAX, worker.close(true));
}
