import { getNextMillis } from 'bullmq';

/** The first times of a cron expression after a moment, as the queue computes them; epoch milliseconds. */
export function cronTimes(cron: string, timezone: string, after: number, count: number): readonly number[] {
  const times: number[] = [];
  for (let at = after; times.length < count;) {
    const next = getNextMillis(at, { pattern: cron, tz: timezone });
    // There may be no further one.
    if (next === undefined) break;
    times.push(next);
    at = next;
  }
  return times;
}
