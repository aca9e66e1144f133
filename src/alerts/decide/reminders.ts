import { DAY_MS } from '../../time.ts';

// After the first message: on day 3, on day 10, then each week.
const FIRST_MS = 2 * DAY_MS;
const SECOND_MS = 9 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** How many reminders are due after this time. */
export function stageAfter(ms: number): number {
  if (ms < FIRST_MS) return 0;
  return ms < SECOND_MS ? 1 : 2 + Math.floor((ms - SECOND_MS) / WEEK_MS);
}

/** The time from the beginning to the next reminder. */
export function nextStageAfter(stage: number): number {
  return stage === 0 ? FIRST_MS : SECOND_MS + (stage - 1) * WEEK_MS;
}

/** The number of the current day of an episode, from 1. The clock that recorded its beginning may be ahead of ours. */
export const dayNumber = (ms: number): number => Math.floor(Math.max(0, ms) / DAY_MS) + 1;
