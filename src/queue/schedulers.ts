import { createHash } from 'node:crypto';
import type { Queue, RepeatOptions } from 'bullmq';
import type { Logger } from '../log.ts';
import { nextCronTime } from './cron-times.ts';
import { KEEP, type TickData } from './jobs.ts';

/** When a source is due: at an interval in milliseconds, or at the times of a cron expression in a time zone. */
export type Schedule = { readonly source: string } & (
  | { readonly everyMs: number }
  | { readonly cron: string; readonly timezone: string }
);

const LOOK_EVERY_MS = 15_000;
const CLOCK_EVERY_MS = 1_000;
/** A tick this late was lost, or no worker took it: its job scheduler is written again. */
const OVERDUE_MS = 3_600_000;

/** If a clock was set back by more than this, due times are too far in the future. */
const SET_BACK_MS = 30_000;

/**
 * Brings BullMQ's job schedulers in line with the configuration: one per source, none for sources that no longer exist.
 * One query lists the existing ones, and only differences are written, or all of them if they were written by a wrong
 * clock. A failure does not affect the others: the first one is thrown at the end.
 */
export async function schedule(queue: Queue, schedules: readonly Schedule[], isClockNew = false): Promise<void> {
  const existing = await jobSchedulers(queue);
  const wanted = new Map(schedules.map((one) => [idOf(one), one]));
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => failures.push(error));
  };
  const nextTimes = onceEach(nextCronTime);
  const now = Date.now();
  for (const [id, one] of wanted) {
    const nextRun = existing.get(id);
    if (isClockNew || !isInTime(one, nextRun, now, nextTimes)) await attempt(() => write(queue, id, one, nextRun));
  }
  for (const id of existing.keys()) if (!wanted.has(id)) await attempt(() => queue.removeJobScheduler(id));
  if (failures.length > 0) throw failures[0];
}

/** Thousands of sources share a few expressions. */
function onceEach(nextOf: typeof nextCronTime): typeof nextCronTime {
  const known = new Map<string, number | undefined>();
  return (...asked) => {
    const key = JSON.stringify(asked);
    if (!known.has(key)) known.set(key, nextOf(...asked));
    return known.get(key);
  };
}

async function write(queue: Queue, id: string, one: Schedule, nextRun: number | undefined): Promise<void> {
  // BullMQ counts from the next run that it knows, if it knows one.
  if (nextRun !== undefined) await queue.removeJobScheduler(id);
  await queue.upsertJobScheduler(id, repeatOf(one), {
    name: 'tick',
    data: { source: one.source } satisfies TickData,
    opts: KEEP,
  });
}

/**
 * Whether the next run of a source in the queue (epoch milliseconds) is neither long past nor further ahead than the
 * schedule says, which happens if it was written by a wrong clock.
 */
export function isInTime(
  one: Schedule,
  nextRun: number | undefined,
  now: number,
  nextOf: typeof nextCronTime = nextCronTime,
): boolean {
  if (nextRun === undefined || nextRun <= now - OVERDUE_MS) return false;
  const latest = now + SET_BACK_MS;
  return 'cron' in one
    ? nextRun <= (nextOf(one.cron, one.timezone, latest) ?? latest)
    : nextRun <= latest + one.everyMs;
}

/**
 * Keeps the schedules as configured, even if the queue loses its data or the clock is set back. Returns a function that
 * stops this. `onSetBack` resets other times that the wrong clock has affected.
 */
export function keepSchedules(
  queue: Queue,
  schedules: () => readonly Schedule[],
  log: Logger,
  onSetBack: () => Promise<void>,
): () => void {
  const look = async (): Promise<void> => {
    if ((await queue.getJobSchedulersCount()) >= schedules().length) return;
    log.warn('the queue has lost its schedules; they are put back');
    await schedule(queue, schedules());
  };
  const watchClock = clockWatch(async (seconds) => {
    log.warn({ seconds }, 'the clock was set back; the schedules are written again');
    await onSetBack();
    await schedule(queue, schedules(), true);
  });
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => {
      work().catch((error: unknown) => log.error({ error }, 'the schedules could not be checked'));
    }, ms);
  const timers = [every(LOOK_EVERY_MS, look), every(CLOCK_EVERY_MS, watchClock)];
  return () => timers.forEach(clearInterval);
}

/** How far the machine's clock is ahead of the process's monotonic one. */
const ahead = (): number => Date.now() - performance.now();

/**
 * Checks whether the clock was set back since the previous check; if so, calls `onSetBack` with the number of seconds.
 */
function clockWatch(onSetBack: (seconds: number) => Promise<void>): () => Promise<void> {
  let before = ahead();
  return async () => {
    const setBackMs = before - ahead();
    before = ahead();
    if (setBackMs > SET_BACK_MS) await onSetBack(Math.round(setBackMs / 1000));
  };
}

/** The queue's job schedulers, with the time of their next run (epoch milliseconds). */
async function jobSchedulers(queue: Queue): Promise<ReadonlyMap<string, number>> {
  // BullMQ's own list makes one request per scheduler.
  const flat = await queue.getBackend().getJobSchedulersRange(0, -1, true);
  return new Map(flat.flatMap((id, index) => (index % 2 === 0 ? [[id, Number(flat[index + 1])] as const] : [])));
}

/** The id contains the source and a hash of the schedule, so a list of ids shows which have changed. */
const idOf = (one: Schedule): string =>
  `${one.source}@${createHash('sha256')
    .update(JSON.stringify(repeatOf(one)))
    .digest('base64url')
    .slice(0, 12)}`;

const repeatOf = (one: Schedule): RepeatOptions =>
  'cron' in one
    ? { pattern: one.cron, tz: one.timezone }
    : { every: one.everyMs, offset: dueWithin(one.source, one.everyMs) };

/**
 * At which point of its interval a source is due, in milliseconds. Sources with the same interval are spread over it,
 * always in the same way.
 */
export const dueWithin = (source: string, everyMs: number): number =>
  createHash('sha256').update(source).digest().readUInt32BE() % everyMs;

/** The first times after a moment at which a source with an interval is due; epoch milliseconds. */
export function everyTimes(source: string, everyMs: number, after: number, count: number): readonly number[] {
  const within = dueWithin(source, everyMs);
  const first = Math.floor((after - within) / everyMs + 1) * everyMs + within;
  return Array.from({ length: count }, (_, index) => first + index * everyMs);
}
