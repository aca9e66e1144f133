import { availableParallelism } from 'node:os';

/** A pool of connections, as far as its growth goes. */
export interface GrowingPool {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly on: (event: 'remove', listener: () => void) => unknown;
}

/** One more connection is worth as much waiting, of all who wait together, in milliseconds. */
const WAITED_MS = 250;
/** And as much of a single one who waits, where those that there are keep the processors busy. */
const LATE_MS = 50;

/**
 * Lets as many work with the connections of a pool at once as there are, and one more each time that so much was waited
 * for them. So a burst of short statements goes over a connection that knows its tables, and is done before new ones
 * would be there, each of which costs the server a process; and many visitors soon have several. More than there are
 * processors only take the memory next to these from each other, so others come only where somebody waits for long: then
 * those that there are wait, too, for a lock, say. Where the pool may not grow any more, all go on to its own queue,
 * which ends a wait that is too long.
 */
export function growingWithNeed(
  pool: GrowingPool,
  busyMax = availableParallelism(),
): <T>(work: () => Promise<T>) => Promise<T> {
  let [working, room] = [0, 1];
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  let [waitedMs, countedAt, grownAt] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;
  /** How long those who wait do so until one more connection is worth it; infinite where nobody waits. */
  const msLeft = (now: number): number => {
    const [first] = waiting;
    if (!first) return Number.POSITIVE_INFINITY;
    return room < busyMax ? (WAITED_MS - waitedMs) / waiting.length : Math.max(first.since, grownAt) + LATE_MS - now;
  };
  /** `change` is what begins or ends right now. */
  const after = (change: (now: number) => void): void => {
    const now = performance.now();
    if (room < busyMax) waitedMs += waiting.length * (now - countedAt);
    countedAt = now;
    if (msLeft(now) <= 0) [waitedMs, room, grownAt] = [0, room + 1, now];
    change(now);
    while (waiting.length > 0 && (working < room || room >= pool.options.max)) {
      working += 1;
      waiting.shift()?.begin();
    }
    clearTimeout(timer);
    if (waiting.length > 0) timer = setTimeout(after, msLeft(now), () => undefined);
  };
  pool.on('remove', () => {
    room = Math.max(1, Math.min(room, pool.totalCount));
  });
  return async (work) => {
    await new Promise<void>((begin) => {
      after((since) => waiting.push({ since, begin }));
    });
    try {
      return await work();
    } finally {
      after(() => {
        working -= 1;
      });
    }
  };
}
