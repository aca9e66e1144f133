import { getNextMillis } from 'bullmq';
import { DAY_MS, instantFromWall, offsetAt, wallFromInstant } from '../time.ts';

/**
 * The first time of a cron expression after a moment, both in epoch milliseconds; undefined if there is none. If clocks
 * are set forward past a time, it is postponed by the size of the gap.
 */
export function nextCronTime(cron: string, timezone: string, after: number): number | undefined {
  const next = getNextMillis(after, { pattern: cron, tz: timezone });
  if (next !== undefined && isSteady(timezone, after, next)) return next;
  const skipped = nextSkipped(cron, timezone, after);
  return skipped === undefined ? next : Math.min(skipped, next ?? skipped);
}

/** In every zone that changes its clocks, the changes are weeks apart. */
const STEADY_MS_MAX = 14 * DAY_MS;
/**
 * Whether clocks are not set forward between two moments. Nearly always true, and faster to determine than a time of
 * the expression.
 */
const isSteady = (timezone: string, from: number, to: number): boolean =>
  to - from < STEADY_MS_MAX && offsetAt(from - DAY_MS, timezone) === offsetAt(to, timezone);

/**
 * The queue's parser skips a day whose midnight falls into a gap, and ignores gaps of less than an hour. So we also
 * look for the next time on a clock that is not set forward, with the zone's offset of a day before.
 */
function nextSkipped(cron: string, timezone: string, after: number): number | undefined {
  const onOldClock = after + offsetAt(after - DAY_MS, timezone) * 60_000;
  const digits = getNextMillis(onOldClock, { pattern: cron, tz: 'UTC' });
  if (digits === undefined) return undefined;
  const wall = wallFromInstant(digits, 'UTC');
  const at = instantFromWall(wall, timezone);
  return at > after && wallFromInstant(at, timezone) !== wall ? at : undefined;
}

/** The first times of a cron expression after a moment at which the queue will read a source; epoch milliseconds. */
export function cronTimes(cron: string, timezone: string, after: number, count: number): readonly number[] {
  const times: number[] = [];
  for (let at = after; times.length < count;) {
    const next = nextCronTime(cron, timezone, at);
    // There may not be another one.
    if (next === undefined) break;
    times.push(next);
    at = next;
  }
  return times;
}
