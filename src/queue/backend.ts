import {
  createPostgresBackend,
  FlowProducer,
  Queue,
  runMigrations,
  Worker,
  type FlowJob,
  type FlowOpts,
  type Job,
  type Processor,
  type QueueOptions,
  type RepeatStrategy,
  type WorkerOptions,
} from 'bullmq';
import { openPool, PATIENT, type DatabaseAddress } from '../db/database.ts';
import { AppError } from '../error.ts';
import type { Logger } from '../log.ts';
import type { Problem } from '../problem.ts';
import { nextCronTime } from './cron-times.ts';
import { redisProblems } from './redis-problems.ts';

/** One hash tag for all queues: flows span several queues, and a Redis cluster needs their keys in one slot. */
const PREFIX = '{sync}';
const READY_MS_MAX = 15_000;
const CLOSE_MS_MAX = 3_000;

/** Where BullMQ keeps its jobs: in Redis (or Valkey) if there is a URL, else in PostgreSQL. */
export type BackendAddress = { readonly redisUrl: string } | { readonly database: DatabaseAddress };

/** Creates BullMQ's objects on one back end, sharing few connections, and closes them all. */
export interface Backend {
  readonly kind: 'redis' | 'postgresql';
  /** The queue of that name; the same object for all callers. */
  readonly queue: (name: string) => Promise<Queue>;
  readonly worker: (
    name: string,
    process: Processor,
    options: Omit<WorkerOptions, 'connection' | 'prefix'>,
  ) => Promise<Worker>;
  readonly addFlow: (flow: FlowJob, options?: FlowOpts) => Promise<unknown>;
  /** What keeps the back end from working, although it answers. */
  readonly problems: () => Promise<readonly Problem[]>;
  readonly close: () => Promise<void>;
}

interface Openable {
  waitUntilReady: () => Promise<unknown>;
  close: () => Promise<void>;
  on: (event: 'error', listener: (error: Error) => void) => unknown;
}
type Opened = <T extends Openable>(name: string, make: () => T) => Promise<T>;

/**
 * Connects to the back end, which must be up, because BullMQ's objects never recover if they are created before. Throws
 * AppError.
 */
export async function openBackend(address: BackendAddress, workersMax: number, log: Logger): Promise<Backend> {
  const { connection, factory, kind, end, grow, prepare, problems } =
    'redisUrl' in address ? await onRedis(address.redisUrl) : await onPostgresql(address.database, workersMax);
  let workers = 0;
  const closing: (() => Promise<void>)[] = [];
  const queues = new Map<string, Promise<Queue>>();
  const opened: Opened = async (name, make) => {
    await prepare();
    const made = make();
    made.on(
      'error',
      rateLimited((error) => log.error({ queue: name, error: error.message }, 'the queue reported an error')),
    );
    await within(READY_MS_MAX, made.waitUntilReady(), `the queue "${name}" did not become ready`);
    closing.push(() => made.close());
    return made;
  };
  // BullMQ's types assume Redis, its default; the actual back end is chosen at run time.
  const options = { connection, prefix: PREFIX, settings: { repeatStrategy } } as unknown as QueueOptions;
  const last = factory as undefined;
  const flows = await opened('flows', () => new FlowProducer(options, last));
  return {
    kind,
    problems,
    queue: (name) => {
      const known = queues.get(name) ?? opened(name, () => new Queue(name, options, last));
      queues.set(name, known);
      // A queue that could not be opened is tried again at the next use.
      known.catch(() => queues.delete(name));
      return known;
    },
    worker: (name, process, workerOptions) => {
      workers += 1;
      if (workers > workersMax) grow();
      return opened(name, () => new Worker(name, process, { ...workerOptions, ...options }, last));
    },
    addFlow: (flow, flowOptions) => flows.add(flow, flowOptions),
    close: async () => {
      // Producers are closed last, because a worker that is finishing may still add jobs.
      for (const close of [...closing.toReversed(), end]) await endsWithin(CLOSE_MS_MAX, close());
    },
  };
}

/** When a job scheduler with a cron expression is next due. */
const repeatStrategy: RepeatStrategy = (after, { pattern, tz }) => nextCronTime(pattern ?? '', tz ?? 'UTC', after);

interface Connected {
  readonly kind: Backend['kind'];
  readonly connection: unknown;
  readonly factory: unknown;
  readonly end: () => Promise<void>;
  /** Makes room for one more worker than expected. */
  readonly grow: () => void;
  /** Called before an object is created. Throws if the back end does not answer. */
  readonly prepare: () => Promise<void>;
  readonly problems: Backend['problems'];
}

async function onPostgresql(database: DatabaseAddress, workersMax: number): Promise<Connected> {
  // Each worker keeps one connection for LISTEN; everything else shares a few.
  const pool = openPool(database, workersMax + 6, 'bullmq');
  const patient = openPool(database, 1, 'bullmq', PATIENT);
  const client = await patient.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
    await patient.end();
  }
  const grow = (): void => {
    pool.options.max += 1;
  };
  return {
    kind: 'postgresql',
    connection: pool,
    factory: attentiveBackend,
    end: () => pool.end(),
    problems: async () => [],
    grow,
    prepare: async () => {
      // An object that fails to become ready never recovers, and would keep listening to the pool.
      await pool.query('select');
      // Each object adds a listener to the pool, and Node.js warns about more than ten.
      pool.setMaxListeners(pool.getMaxListeners() + 1);
    },
  };
}

/** The longest time, in seconds, before a worker looks for jobs without a notification; as on Redis. */
const WAIT_S_MAX = 10;

/**
 * By default, BullMQ waits up to an hour for a notification of a job. It gets none when a delayed job becomes due, so
 * it asks when that will be. If this one query fails, as it may right after an outage, no schedule would be kept for an
 * hour.
 */
const attentiveBackend: typeof createPostgresBackend = (...made) =>
  Object.defineProperty(createPostgresBackend(...made), 'maximumBlockTimeout', { value: WAIT_S_MAX });

async function onRedis(url: string): Promise<Connected> {
  // Loaded on demand: it takes half as long to load as BullMQ, and most installations have no Redis.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    keepAlive: 10_000,
    // The server has become a replica; by now the address may lead to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  // The reason of the latest failed attempt. BullMQ's objects report errors once they exist; without a listener,
  // ioredis prints a stack trace.
  let reason = '';
  redis.on('error', (error: Error) => {
    reason = error.message;
  });
  try {
    await within(READY_MS_MAX, redis.connect(), 'Redis did not answer');
    // If there is no database of that number, ioredis would silently continue in database 0.
    if (redis.options.db) await redis.select(redis.options.db);
  } catch (cause) {
    redis.disconnect();
    throw new AppError(
      'redis-unreachable',
      `Redis at ${redis.options.host}:${redis.options.port} cannot be used: ` +
        `${(reason || (cause as Error).message).replace(/\.$/, '')}. Start it, or correct or unset REDIS_URL.`,
      { cause },
    );
  }
  return {
    kind: 'redis',
    connection: redis,
    factory: undefined,
    problems: () => redisProblems(redis),
    end: async () => {
      await redis.quit();
    },
    grow: () => undefined,
    prepare: async () => undefined,
  };
}

async function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('queue-unreachable', `${what} within ${ms / 1000} seconds`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Waits for something to end, but not for ever: false if it takes longer than `ms`. */
export async function endsWithin(ms: number, ending: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([ending.then(() => true), late]).finally(() => clearTimeout(timer));
}

const REPORT_MS = 1_000;
const SAME_REPORT_MS = 60_000;

/**
 * Reports at most once a second, and the same error at most once a minute, because an unreachable back end reports
 * every attempt.
 */
export function rateLimited(report: (error: Error) => void): (error: Error) => void {
  let [last, said] = [Number.NEGATIVE_INFINITY, ''];
  return (error) => {
    const now = performance.now();
    if (now - last < (error.message === said ? SAME_REPORT_MS : REPORT_MS)) return;
    [last, said] = [now, error.message];
    report(error);
  };
}

export type { Job };
