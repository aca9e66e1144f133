import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { tagOf } from '../etag.ts';
import { remembered } from '../remembered.ts';

export type Coding = 'identity' | 'gzip' | 'br';

// Below this, compressing costs more than it saves.
const SMALL = 512;
const WINDOW_BITS = { min: 16, max: 22 };

/**
 * The coding for a response (RFC 9110, 12.5.3): br rather than gzip if both are accepted; small bodies stay
 * uncompressed.
 */
export const codingFor = (acceptEncoding: string | null, octets: number): Coding =>
  octets < SMALL || acceptEncoding === null ? 'identity' : preferred(acceptEncoding);

/** Cached, because only a few forms of this header are in use. */
const preferred = remembered((acceptEncoding): Coding => {
  const weights = new Map(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        return [name, Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)] as const;
      }),
  );
  const weight = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best: Coding = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  return weight(best) > 0 && weight(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
});

/**
 * The ETag of a body in a coding. It is strong, so it identifies the bytes: each coding has its own (RFC 9110,
 * 8.8.3.3).
 */
export const tagIn = (digest: string, coding: Coding): string =>
  tagOf(coding === 'identity' ? digest : `${digest}-${coding}`);

/** The ETags of a body in all codings: a client that has one of them has the body. */
export const tagsOf = (digest: string): readonly string[] =>
  (['identity', 'gzip', 'br'] as const).map((coding) => tagIn(digest, coding));

/**
 * The brotli options for a text of `octets`. `level` is at most 11, and more than 5 takes long. The window (RFC 7932,
 * 9.1) is no larger than the text, because setting up a large one takes longer than compressing a page.
 */
export const brotliLevel = (level: number, octets: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_SIZE_HINT]: octets,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(WINDOW_BITS.max, Math.max(WINDOW_BITS.min, Math.ceil(Math.log2(octets)))),
  },
});

/** Compresses a text. */
export async function encoded(text: Uint8Array, coding: 'gzip' | 'br'): Promise<Uint8Array> {
  return coding === 'br' ? promisify(brotliCompress)(text, brotliLevel(5, text.length)) : promisify(gzip)(text);
}

/** Calls `make` once per coding, for all who ask for it. After a failure, the next caller tries again. */
export function inEachCoding<T>(make: (coding: Coding) => Promise<T>): (coding: Coding) => Promise<T> {
  const known = new Map<Coding, Promise<T>>();
  return (coding) => {
    const former = known.get(coding);
    if (former) return former;
    const made = make(coding);
    known.set(coding, made);
    made.catch(() => known.delete(coding));
    return made;
  };
}
