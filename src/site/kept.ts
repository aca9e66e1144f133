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

/** Gives what was made under a key before if it is still right, else makes it. The oldest go first. */
export function keepMade<T>({
  revision,
  moment,
  sizeOf,
  bytesMax,
}: Keeping<T>): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { readonly made: T; readonly bytes: number }>();
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
  return async (key, make) => {
    const [begun, written] = [moment(), await revision()];
    if (written === undefined) return make();
    const current = `${begun} ${written}`;
    if (current !== keptFor) {
      kept.clear();
      bytesKept = 0;
    }
    keptFor = current;
    const former = kept.get(key);
    if (former) return former.made;
    const made = await make();
    const bytes = sizeOf(made);
    // It may have been made of what a later write has changed. Addresses are as long as strangers like.
    if (bytes !== undefined && keptFor === current) keep(key, made, bytes + 2 * key.length + ENTRY_BYTES);
    return made;
  };
}
