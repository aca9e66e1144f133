import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { AppError } from '../error.ts';

/** The maximum sizes of a body. */
export interface BodyLimits {
  /** Bytes as received, before decompression. */
  readonly wireBytesMax: number;
  /** Bytes after decompression. */
  readonly bytesMax: number;
}

// How many codings may be applied on top of each other.
const CODINGS_MAX = 2;

/**
 * The whole body, decompressed. `headers` say how it is compressed and how long it is; `onBytes` is called with the
 * number of bytes received so far, before decompression. Throws AppError (`too-large`, `bad-encoding`), or the stream's
 * own error if it breaks off.
 */
export async function bodyBytes(
  body: Readable,
  headers: Pick<Headers, 'get'>,
  limits: BodyLimits,
  onBytes?: (received: number) => void,
): Promise<Uint8Array> {
  const codings = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  try {
    // Each further coding multiplies the cost of decompression.
    if (codings.length > CODINGS_MAX)
      throw new AppError('bad-encoding', `the body is compressed ${codings.length} times, more than ${CODINGS_MAX}`);
    return await collect(
      await decoded(counted(body, limits.wireBytesMax, onBytes), codings.reverse()),
      limits.bytesMax,
      codings.length === 0 ? Number(headers.get('content-length')) : 0,
    );
  } finally {
    // A stream that was never read emits an error when it is destroyed.
    body.on('error', () => undefined).destroy();
  }
}

async function decoded(
  bytes: AsyncIterable<Uint8Array>,
  codings: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  let read = bytes;
  for (const coding of codings) read = through(read, coding);
  return read;
}

async function* through(bytes: AsyncIterable<Uint8Array>, coding: string): AsyncIterable<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const decoder = decoderOf(coding, first.value);
  let broken: unknown;
  const rest = async function* (): AsyncIterable<Uint8Array> {
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  pipeline(rest(), decoder, (error) => {
    broken = error;
  });
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw asEncodingError(broken ?? error, coding);
  } finally {
    decoder.destroy();
  }
}

function decoderOf(coding: string, first: Uint8Array): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // "deflate" means zlib (RFC 9110, 8.4.1.2), but some servers omit the zlib header, whose first byte has 8 in its low
  // four bits.
  if (coding === 'deflate') return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  throw new AppError('bad-encoding', `the body is compressed as "${coding}", which was not asked for`);
}

function asEncodingError(error: unknown, coding: string): unknown {
  const { code } = error as { code?: unknown };
  const isOfZlib = typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR_'));
  return isOfZlib
    ? new AppError(
        'bad-encoding',
        code === 'Z_BUF_ERROR' ? `the ${coding} data end in the middle` : `the ${coding} data are damaged (${code})`,
        { cause: error },
      )
    : error;
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  max: number,
  onBytes?: (count: number) => void,
): AsyncIterable<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > max) throw tooLarge(max);
    onBytes?.(count);
    yield chunk;
  }
}

/** The least initial size of the buffer for a body; it doubles whenever it is full. */
const ROOM_BYTES = 65_536;
/** A larger length that is announced, and may be a lie, is not taken at its word. */
const ANNOUNCED_MAX = 16_777_216;

/**
 * Chunks are copied into one buffer as they arrive: collecting them until the end would leave a large body's memory
 * fragmented. `announced` is the length to expect.
 */
async function collect(bytes: AsyncIterable<Uint8Array>, max: number, announced: number): Promise<Uint8Array> {
  let room = new ArrayBuffer(
    announced > ROOM_BYTES && announced <= Math.min(max, ANNOUNCED_MAX) ? announced : ROOM_BYTES,
  );
  let length = 0;
  for await (const chunk of counted(bytes, max)) {
    const wanted = length + chunk.length;
    if (wanted > room.byteLength) room = room.transfer(Math.max(wanted, 2 * room.byteLength));
    new Uint8Array(room).set(chunk, length);
    length = wanted;
  }
  return Buffer.from(room.transfer(length));
}

const tooLarge = (max: number): AppError =>
  new AppError('too-large', `the body is larger than ${Math.round(max / 1e5) / 10} MB`);
