import type { Day } from '../frame/dates.ts';
import { isNear } from './carried.ts';

/** The pages before and after a range of days on which something begins, or is still on. */
export interface Neighbours {
  readonly before: Day | undefined;
  readonly after: Day | undefined;
}

interface Around {
  /** The last day before the range on which something begins, and the first one after it. */
  readonly before: string | null;
  readonly after: string | null;
}
interface Stretch {
  readonly from: Day;
  readonly to: Day;
  /** The first days of the adjacent ranges. */
  readonly previous: Day;
  readonly next: Day;
}

/**
 * Returns where the neighbouring pages begin: the nearest on which an event begins, or the adjacent one if an event
 * shown here is on, unless that is years away. This keeps links from leading on for ever.
 */
export function neighboursOf(
  { from, to, previous, next }: Stretch,
  { before, after }: Around,
  spans: readonly { readonly first: Day; readonly last: Day }[],
  today: Day,
  startOf: (day: Day) => Day,
): Neighbours {
  const isOnBefore = isNear(previous, today) && (spans.some(({ first }) => first < from) || today < from);
  const isOnAfter = isNear(next, today) && (spans.some(({ last }) => last > to) || today > to);
  const start = before === null ? undefined : startOf(before);
  const end = after === null ? undefined : startOf(after);
  return {
    before: isOnBefore ? previous : start,
    after: isOnAfter ? next : end,
  };
}
