/** The state of the site from which something is made. */
export interface At {
  /** The site's revision, or undefined if unknown. Anything loaded at this revision is still valid. */
  readonly revision?: string | undefined;
  /**
   * Set if the revision is only assumed: call it with the revision at which a statement has found the site. If that is
   * a different one, what was made is discarded.
   */
  readonly confirm?: ((revision: string) => void) | undefined;
}

/** How long a made value stays valid, and how much of it is kept. */
export interface Keeping<T> {
  /** Changes with every write to the site. Nothing is kept while it is undefined, which means unknown. */
  readonly revision: () => Promise<string | undefined>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Changes with the clock, each time that the made value would look different. */
  readonly moment: () => string;
  /** The size of a made value in bytes; undefined if it is not to be kept. */
  readonly sizeOf: (made: T) => number | undefined;
  readonly bytesMax: number;
  /** How many values that were requested only once are kept; limited only by `bytesMax` if unset. */
  readonly onceMax?: number;
  /** Converts a value into the form that is kept once it is requested a second time. */
  readonly again?: (made: T) => T;
}

/** The overhead of each kept value: headers, and its entry in the map. */
const ENTRY_BYTES = 1_000;
/** A sync writes batches one after the other, so the site is quiet only after this long. */
const QUIET_MS = 1_000;

type Make<T> = (at: At) => Promise<T>;

/** What is kept under a key, and how to fill it. */
export interface Place<T> {
  /** What was made before and is still valid. */
  readonly made: T | undefined;
  /** Makes the value, once for all concurrent requests for the same key. */
  readonly fill: (make: Make<T>) => Promise<T>;
}

/**
 * Returns a function that finds what was made under a key before, if it is still valid. Values requested only once are
 * evicted first, then the oldest. If there is no value and the site seems quiet, its revision is assumed to be
 * unchanged: the statements that make the value confirm it, which saves asking the database for the revision first.
 */
export function keepMade<T>({
  revision,
  now,
  moment,
  sizeOf,
  bytesMax,
  onceMax = Number.POSITIVE_INFINITY,
  again,
}: Keeping<T>): (key: string) => Promise<Place<T>> {
  const kept = new Map<string, { readonly made: T; readonly bytes: number }>();
  const askedOnce = new Set<string>();
  const underWay = new Map<string, Promise<T>>();
  let [keptFor, revisionKept, since] = ['', '', Number.POSITIVE_INFINITY];
  let bytesKept = 0;
  const forgetAll = (): void => {
    since = now();
    kept.clear();
    askedOnce.clear();
    underWay.clear();
    bytesKept = 0;
  };
  const forget = (key: string): void => {
    bytesKept -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
    askedOnce.delete(key);
  };
  const keep = (key: string, made: T, bytes: number): void => {
    forget(key);
    bytesKept += bytes;
    kept.set(key, { made, bytes });
    askedOnce.add(key);
    for (const oldest of askedOnce) {
      if (oldest === key || (askedOnce.size <= onceMax && bytesKept <= bytesMax)) break;
      forget(oldest);
    }
    for (const oldest of kept.keys()) {
      if (bytesKept <= bytesMax) break;
      forget(oldest);
    }
  };
  const keptUnder = (key: string): T | undefined => {
    const entry = kept.get(key);
    if (!entry || !askedOnce.delete(key) || !again) return entry?.made;
    const made = again(entry.made);
    kept.set(key, { ...entry, made });
    return made;
  };
  const makeKept = async (key: string, current: string, make: Promise<T>): Promise<T> => {
    try {
      const made = await make;
      const bytes = sizeOf(made);
      // A later write may have changed what it was made from. Strangers may send long addresses, so keys count, too.
      if (bytes !== undefined && keptFor === current) keep(key, made, bytes + 2 * key.length + ENTRY_BYTES);
      return made;
    } finally {
      if (keptFor === current) underWay.delete(key);
    }
  };
  const remember = (key: string, current: string, making: Promise<T>): Promise<T> => {
    if (keptFor === current) underWay.set(key, making);
    return making;
  };
  const makeSupposing = async (key: string, make: Make<T>, supposed: string, current: string): Promise<T> => {
    const found = new Set<string>();
    const made = await make({ revision: supposed, confirm: (at) => found.add(at) });
    if (found.size === 1 && found.has(supposed)) return made;
    if (keptFor === current) underWay.delete(key);
    const place = await find(key);
    // No statement that made it reported the revision.
    if (found.size === 0 && place.revision === supposed) return made;
    return place.made ?? place.fill(make);
  };
  const find = async (key: string): Promise<Place<T> & At> => {
    const [begun, written] = [moment(), await revision()];
    if (written === undefined) return { made: undefined, fill: (make) => make({}) };
    const current = currentAt(begun, written);
    if (current !== keptFor) forgetAll();
    [keptFor, revisionKept] = [current, written];
    return {
      revision: written,
      made: keptUnder(key),
      fill: (make) => {
        // Another request may have started it, or a write may have happened since.
        const others = keptFor === current ? underWay.get(key) : undefined;
        return remember(key, current, others ?? makeKept(key, current, make({ revision: written })));
      },
    };
  };
  return async (key) => {
    if (kept.has(key) || underWay.has(key) || now() - since <= QUIET_MS) return find(key);
    const [supposed, current] = [revisionKept, currentAt(moment(), revisionKept)];
    if (current !== keptFor) return find(key);
    return {
      made: undefined,
      fill: (make) => remember(key, current, makeKept(key, current, makeSupposing(key, make, supposed, current))),
    };
  };
}

const currentAt = (moment: string, revision: string): string => `${moment} ${revision}`;
