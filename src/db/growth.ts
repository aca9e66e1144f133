import { availableParallelism } from 'node:os';

/** What we need of a pool of connections to control its growth. */
export interface GrowingPool {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly on: (event: 'remove', listener: () => void) => unknown;
}

/** One more connection is worth this much waiting, in milliseconds, summed over all who wait. */
const WAITED_MS = 250;
/** When the existing connections already keep the processors busy, this much waiting of a single query. */
const LATE_MS = 50;

/**
 * Lets as many queries work at a time as the pool has connections, and adds one connection each time that enough
 * waiting has accumulated. So a burst of short statements runs on a connection that has already cached its tables, and
 * ends before new connections would be ready, each of which costs the server a process; while many visitors soon get
 * several. More connections than processors only compete for the processors' caches, so further ones are added only if somebody waits
 * long, which means that the existing ones are waiting themselves, for a lock for example. Once the pool may not grow
 * any more, all proceed to its own queue, which ends waits that are too long.
 */
export function growingWithNeed(
  pool: GrowingPool,
  busyMax = availableParallelism(),
): <T>(work: () => Promise<T>) => Promise<T> {
  let [working, room] = [0, 1];
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  let [waitedMs, countedAt, grownAt] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;
  /** How long until the current waiting is worth one more connection; infinite if nobody waits. */
  const msLeft = (now: number): number => {
    const [first] = waiting;
    if (!first) return Number.POSITIVE_INFINITY;
    return room < busyMax ? (WAITED_MS - waitedMs) / waiting.length : Math.max(first.since, grownAt) + LATE_MS - now;
  };
  /** Accounts for the waiting so far, then applies `change`, which begins or ends something right now. */
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
