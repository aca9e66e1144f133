import { packedBody, unpackedBody } from '../state/feed-state.ts';

/** A feed in memory. While a large one is being planned, only its compressed form is kept, which is a tenth as long. */
export interface LoadedBody {
  /** Throws TypeError after `release`. */
  readonly bytes: () => Uint8Array;
  /** The compressed bytes. */
  readonly packed: () => Promise<Uint8Array>;
  /** Frees the bytes after they have been read for the last time. */
  readonly release: () => void;
}

/** Wraps a fetched body. */
export const loadedBody = (bytes: Uint8Array): LoadedBody => loaded(bytes);

/** Wraps a stored body. */
export const loadedFromStored = async (packed: Uint8Array): Promise<LoadedBody> =>
  loaded(await unpackedBody(packed), Promise.resolve(packed));

function loaded(bytes: Uint8Array, packed?: Promise<Uint8Array>): LoadedBody {
  let [held, stored]: [Uint8Array | undefined, typeof packed] = [bytes, packed];
  const own = (): Uint8Array => {
    if (held) return held;
    throw new TypeError('the bytes of a feed were asked for after they had been released');
  };
  return {
    bytes: own,
    packed: () => (stored ??= packedBody(own())),
    release: () => {
      held = undefined;
    },
  };
}
