import { createHash } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { Logger } from '../log.ts';
import { KEEP, type TickData } from './jobs.ts';

/** When a source is due: every so many milliseconds, or at the times of a cron expression in a zone. */
export type Schedule = { readonly source: string } & ({ readonly everyMs: number } | { readonly cron: string; readonly timezone: string });

/** Brings BullMQ's job schedulers in step with the configuration: one per source, none for sources that are gone. */
export async function schedule(queue: Queue, schedules: readonly Schedule[]): Promise<void> {
  for (const one of schedules) {
    const repeat = 'cron' in one ? { pattern: one.cron, tz: one.timezone } : { every: one.everyMs, offset: offsetOf(one.source, one.everyMs) };
    await queue.upsertJobScheduler(one.source, repeat, { name: 'tick', data: { source: one.source } satisfies TickData, opts: KEEP });
  }
  const wanted = new Set(schedules.map(({ source }) => source));
  for (const { key } of await queue.getJobSchedulers()) if (!wanted.has(key)) await queue.removeJobScheduler(key);
}

const LOOK_EVERY_MS = 15_000;

/** Keeps the schedules as they are configured, also when the queue's memory is lost. Gives what stops it. */
export function keepSchedules(queue: Queue, schedules: readonly Schedule[], log: Logger): () => void {
  const look = async (): Promise<void> => {
    if ((await queue.getJobSchedulers()).length >= schedules.length) return;
    log.warn('the queue has lost its schedules; they are put back');
    await schedule(queue, schedules);
  };
  const timer = setInterval(() => { look().catch((error: unknown) => log.error({ error }, 'the schedules could not be looked at')); }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Spreads sources of one interval over it: all would fire at the same grid points otherwise. */
const offsetOf = (source: string, everyMs: number): number => createHash('sha256').update(source).digest().readUInt32BE() % everyMs;
