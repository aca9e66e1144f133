import { packedBody, unpackedBody } from '../state/feed-state.ts';

/** A feed in memory. While its plan is made, a large one is there only as it is stored: a tenth as long. */
export interface LoadedBody {
  /** Throws TypeError once they are released. */
  readonly bytes: () => Uint8Array;
  /** As they are stored. */
  readonly packed: () => Promise<Uint8Array>;
  /** They have been read for the last time. */
  readonly release: () => void;
}

/** A body that has come. */
export const loadedBody = (bytes: Uint8Array): LoadedBody => loaded(bytes);

/** A body that was stored. */
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
