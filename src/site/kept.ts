/** The state of the site of which something is made. */
export interface At {
  /** Its revision; undefined where it is not known. What was loaded at it before is still right. */
  readonly revision?: string | undefined;
  /**
   * Where that is only supposed: takes the revision at which a statement has found the site since. What is made goes to
   * nobody if it was another.
   */
  readonly confirm?: ((revision: string) => void) | undefined;
}

/** How long what was made stays right, and how much of it is kept. */
export interface Keeping<T> {
  /** Changes with every write to the site; undefined where it is not known: then nothing is kept. */
  readonly revision: () => Promise<string | undefined>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Changes with the clock, as often as what is made looks different by it. */
  readonly moment: () => string;
  /** The size of what was made, in bytes; undefined where it is not kept. */
  readonly sizeOf: (made: T) => number | undefined;
  readonly bytesMax: number;
  /** How many that were asked for once are kept; as many as there is room for where it is not said. */
  readonly onceMax?: number;
  /** What is kept of it from the second time on that it is asked for. */
  readonly again?: (made: T) => T;
}

/** What keeping anything costs besides: headers, and its place in the map. */
const ENTRY_BYTES = 1_000;
/** While a source is synced, one batch follows the other. */
const QUIET_MS = 1_000;

type Make<T> = (at: At) => Promise<T>;

/** What is kept under a key, and how to put it there. */
export interface Place<T> {
  /** What was made before and is still right. */
  readonly made: T | undefined;
  /** Makes it, once for all who ask for the same at the same time. */
  readonly fill: (make: Make<T>) => Promise<T>;
}

/**
 * Finds what was made under a key before, if it is still right. What was asked for once goes first, then the oldest.
 * Where nothing was made, and nobody seems to write, the site is supposed to be as it was: a statement that is needed to
 * make it tells as well whether that is so, and the database is asked once instead of twice.
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
      // It may have been made of what a later write has changed. Addresses are as long as strangers like.
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
    // It was made without a statement that tells.
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
        // Somebody else may have come first, or written since.
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
