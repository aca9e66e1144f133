/** How long what was made stays right, and how much of it is kept. */
export interface Keeping<T> {
  /** Changes with every write to the site; undefined where it is not known: then nothing is kept. */
  readonly revision: () => Promise<string | undefined>;
  /** Changes with the clock, as often as what is made looks different by it. */
  readonly moment: () => string;
  /** The size of what was made, in bytes; undefined where it is not kept. */
  readonly sizeOf: (made: T) => number | undefined;
  readonly bytesMax: number;
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

/** Finds what was made under a key before, if it is still right. The oldest go first. */
export function keepMade<T>({ revision, moment, sizeOf, bytesMax }: Keeping<T>): (key: string) => Promise<Place<T>> {
  const kept = new Map<string, { readonly made: T; readonly bytes: number }>();
  const underWay = new Map<string, Promise<T>>();
  let keptFor = '';
  let bytesKept = 0;
  const keep = (key: string, made: T, bytes: number): void => {
    bytesKept += bytes - (kept.get(key)?.bytes ?? 0);
    kept.set(key, { made, bytes });
    for (const [oldest, { bytes: freed }] of kept) {
      if (bytesKept <= bytesMax) break;
      kept.delete(oldest);
      bytesKept -= freed;
    }
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
    if (current !== keptFor) {
      kept.clear();
      underWay.clear();
      bytesKept = 0;
    }
    keptFor = current;
    return {
      made: kept.get(key)?.made,
      fill: (make) => {
        // Somebody else may have come first, or written since.
        const making = (keptFor === current ? underWay.get(key) : undefined) ?? makeKept(key, current, make(written));
        if (keptFor === current) underWay.set(key, making);
        return making;
      },
    };
  };
}
