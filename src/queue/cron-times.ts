import { getNextMillis } from 'bullmq';
import { DAY_MS, instantFromWall, offsetAt, wallFromInstant } from '../time.ts';

/**
 * The first time of a cron expression after a moment, both in epoch milliseconds; undefined if there is none. A time that
 * clocks skip as they are put forward comes as long after the change as it would have without one.
 */
export function nextCronTime(cron: string, timezone: string, after: number): number | undefined {
  const next = getNextMillis(after, { pattern: cron, tz: timezone });
  if (next !== undefined && isSteady(timezone, after, next)) return next;
  const skipped = nextSkipped(cron, timezone, after);
  return skipped === undefined ? next : Math.min(skipped, next ?? skipped);
}

/** Clocks are put forward and back weeks apart, in every zone that does so. */
const STEADY_MS_MAX = 14 * DAY_MS;
/** Whether clocks are not put forward between two moments: nearly always, and sooner told than by the expression. */
const isSteady = (timezone: string, from: number, to: number): boolean =>
  to - from < STEADY_MS_MAX && offsetAt(from - DAY_MS, timezone) === offsetAt(to, timezone);

/**
 * The queue's parser leaves out a day whose midnight is skipped, and gaps of less than an hour. So the next time is also
 * looked for on a clock that is not put forward, as the zone's was a day before.
 */
function nextSkipped(cron: string, timezone: string, after: number): number | undefined {
  const onOldClock = after + offsetAt(after - DAY_MS, timezone) * 60_000;
  const digits = getNextMillis(onOldClock, { pattern: cron, tz: 'UTC' });
  if (digits === undefined) return undefined;
  const wall = wallFromInstant(digits, 'UTC');
  const at = instantFromWall(wall, timezone);
  return at > after && wallFromInstant(at, timezone) !== wall ? at : undefined;
}

/** The first times of a cron expression after a moment, as the queue has a source read; epoch milliseconds. */
export function cronTimes(cron: string, timezone: string, after: number, count: number): readonly number[] {
  const times: number[] = [];
  for (let at = after; times.length < count;) {
    const next = nextCronTime(cron, timezone, at);
    // There may be no further one.
    if (next === undefined) break;
    times.push(next);
    at = next;
  }
  return times;
}
