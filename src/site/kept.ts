/** How long what was made stays right, and how much of it is kept. */
export interface Keeping<T> {
  /** Changes with every write to the site; undefined where it is not known: then nothing is kept. */
  readonly revision: () => Promise<string | undefined>;
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

/** What is kept under a key, and how to put it there. */
export interface Place<T> {
  /** What was made before and is still right. */
  readonly made: T | undefined;
  /** Makes it, once for all who ask for the same at the same time; `revision` where it is known. */
  readonly fill: (make: (revision?: string) => Promise<T>) => Promise<T>;
}

/** Finds what was made under a key before, if it is still right. What was asked for once goes first, then the oldest. */
export function keepMade<T>({
  revision,
  moment,
  sizeOf,
  bytesMax,
  onceMax = Number.POSITIVE_INFINITY,
  again,
}: Keeping<T>): (key: string) => Promise<Place<T>> {
  const kept = new Map<string, { readonly made: T; readonly bytes: number }>();
  const askedOnce = new Set<string>();
  const underWay = new Map<string, Promise<T>>();
  let keptFor = '';
  let bytesKept = 0;
  const forgetAll = (): void => {
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
  return async (key) => {
    const [begun, written] = [moment(), await revision()];
    if (written === undefined) return { made: undefined, fill: (make) => make() };
    const current = `${begun} ${written}`;
    if (current !== keptFor) forgetAll();
    keptFor = current;
    return {
      made: keptUnder(key),
      fill: (make) => {
        // Somebody else may have come first, or written since.
        const making = (keptFor === current ? underWay.get(key) : undefined) ?? makeKept(key, current, make(written));
        if (keptFor === current) underWay.set(key, making);
        return making;
      },
    };
  };
}
