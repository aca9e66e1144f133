/** A pool of connections, as far as its growth goes. */
export interface GrowingPool {
  readonly options: { readonly max: number };
  readonly totalCount: number;
  readonly on: (event: 'remove', listener: () => void) => unknown;
}

/** One more connection is worth as much waiting, of all who wait together, in milliseconds. */
const WAITED_MS = 250;

/**
 * Lets as many work with the connections of a pool at once as there are, and one more each time that so much was waited
 * for them. So a burst of short statements goes over a connection that knows its tables, and is done before new ones
 * would be there, each of which costs the server a process; and many visitors soon have several. Where the pool may not
 * grow any more, all go on to its own queue, which ends a wait that is too long.
 */
export function growingWithNeed(pool: GrowingPool): <T>(work: () => Promise<T>) => Promise<T> {
  let [working, room] = [0, 1];
  const waiting: (() => void)[] = [];
  let [waitedMs, countedAt] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  /** `change` is what begins or ends right now. */
  const after = (change: () => void): void => {
    const now = performance.now();
    waitedMs += waiting.length * (now - countedAt);
    countedAt = now;
    change();
    if (waitedMs >= WAITED_MS) [waitedMs, room] = [0, room + 1];
    while (waiting.length > 0 && (working < room || room >= pool.options.max)) {
      working += 1;
      waiting.shift()?.();
    }
    clearTimeout(timer);
    if (waiting.length > 0) timer = setTimeout(after, (WAITED_MS - waitedMs) / waiting.length, () => undefined);
  };
  pool.on('remove', () => {
    room = Math.max(1, Math.min(room, pool.totalCount));
  });
  return async (work) => {
    await new Promise<void>((begin) => {
      after(() => waiting.push(begin));
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
