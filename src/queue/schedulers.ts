import { createHash } from 'node:crypto';
import type { Queue, RepeatOptions } from 'bullmq';
import type { Logger } from '../log.ts';
import { KEEP, type TickData } from './jobs.ts';

/** When a source is due: every so many milliseconds, or at the times of a cron expression in a time zone. */
export type Schedule = { readonly source: string } & (
  | { readonly everyMs: number }
  | { readonly cron: string; readonly timezone: string }
);

const LOOK_EVERY_MS = 15_000;
/** A tick this late was lost, or no worker was there to take it: its job scheduler is written again. */
const OVERDUE_MS = 3_600_000;

/**
 * Brings BullMQ's job schedulers in line with the configuration: one per source, none for sources that are gone. One
 * query lists the existing ones, and only differences are written.
 */
export async function schedule(queue: Queue, schedules: readonly Schedule[]): Promise<void> {
  const existing = await jobSchedulers(queue);
  const wanted = new Map(schedules.map((one) => [idOf(one), one]));
  for (const [id, one] of wanted) {
    const nextRun = existing.get(id);
    if (nextRun !== undefined && nextRun > Date.now() - OVERDUE_MS) continue;
    await queue.upsertJobScheduler(id, repeatOf(one), {
      name: 'tick',
      data: { source: one.source } satisfies TickData,
      opts: KEEP,
    });
  }
  for (const id of existing.keys()) if (!wanted.has(id)) await queue.removeJobScheduler(id);
}

/** Keeps the schedules as configured, even if the queue loses its data. Returns a function that stops this. */
export function keepSchedules(queue: Queue, schedules: () => readonly Schedule[], log: Logger): () => void {
  const look = async (): Promise<void> => {
    if ((await queue.getJobSchedulersCount()) >= schedules().length) return;
    log.warn('the queue has lost its schedules; they are put back');
    await schedule(queue, schedules());
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.error({ error }, 'the schedules could not be looked at'));
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** The queue's job schedulers, with the time of their next run (epoch milliseconds). */
async function jobSchedulers(queue: Queue): Promise<ReadonlyMap<string, number>> {
  // BullMQ's own list makes one request for each scheduler.
  const flat = await queue.getBackend().getJobSchedulersRange(0, -1, true);
  return new Map(flat.flatMap((id, index) => (index % 2 === 0 ? [[id, Number(flat[index + 1])] as const] : [])));
}

/** The id contains the source and the schedule, so a list of ids shows which have changed. */
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
 * When within its interval a source is due, in milliseconds: sources with the same interval are spread over it, always
 * in the same way.
 */
export const dueWithin = (source: string, everyMs: number): number =>
  createHash('sha256').update(source).digest().readUInt32BE() % everyMs;

/** The first times after a moment at which a source that is read every so often is due; epoch milliseconds. */
export function everyTimes(source: string, everyMs: number, after: number, count: number): readonly number[] {
  const within = dueWithin(source, everyMs);
  const first = Math.floor((after - within) / everyMs + 1) * everyMs + within;
  return Array.from({ length: count }, (_, index) => first + index * everyMs);
}
