import type { Day } from '../frame/dates.ts';
import { isNear } from './carried.ts';

/** The pages before and after a stretch of days: those on which something begins, or is still on. */
export interface Neighbours {
  readonly before: Day | undefined;
  readonly after: Day | undefined;
}

interface Around {
  /** The last day before the stretch on which something begins, and the first one after it. */
  readonly before: string | null;
  readonly after: string | null;
}
interface Stretch {
  readonly from: Day;
  readonly to: Day;
  /** The first days of the stretches beside it. */
  readonly previous: Day;
  readonly next: Day;
}

/**
 * Where the pages beside this one begin: the nearest on which an event begins, or the next where something that is
 * shown is on, unless that is years away. So nothing leads on for ever.
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
