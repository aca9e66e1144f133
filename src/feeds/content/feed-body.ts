import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliCompress, createGzip, deflateRaw, inflateRaw } from 'node:zlib';
import { endDigest, startDigest } from '../../etag.ts';
import { brotliLevel, encoded, type Coding } from '../../files/content-coding.ts';

/** The content of a feed. A large one is kept compressed, and is never in memory as a whole. */
export interface FeedBody {
  readonly octets: number;
  /** A hash that identifies the bytes. */
  readonly hash: string;
  /** How many octets of memory it occupies, including its codings. */
  readonly octetsHeld: () => number;
  /** The bytes in a content coding, which are compressed once. */
  readonly coded: (coding: Coding) => Promise<CodedBody>;
  readonly bytes: () => Promise<Buffer>;
}

export interface CodedBody {
  readonly octets: number;
  readonly chunks: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Takes a body piece by piece; the head may be given last. */
export interface BodyWriter {
  readonly add: (text: string) => Promise<void>;
  readonly end: (head: string, tail: string) => FeedBody;
}

/** Above this many octets, the pieces are compressed one by one. */
const WHOLE_MAX = 1_000_000;
const [deflated, inflated] = [promisify(deflateRaw), promisify(inflateRaw)];

interface Piece {
  readonly octets: number;
  readonly bytes: Buffer;
  readonly packed: boolean;
}

export function bodyWriter(): BodyWriter {
  const pieces: Piece[] = [];
  const hash = startDigest();
  let octets = 0;
  return {
    add: async (text) => {
      const piece = plainPiece(text);
      hash.update(piece.bytes);
      octets += piece.octets;
      pieces.push(octets > WHOLE_MAX ? await packedPiece(piece) : piece);
    },
    end: (head, tail) => bodyOf([plainPiece(head), ...pieces, plainPiece(tail)], hash.update(`\0${head}\0${tail}`)),
  };
}

function plainPiece(text: string): Piece {
  const bytes = Buffer.from(text);
  return { octets: bytes.length, bytes, packed: false };
}

const packedPiece = async ({ octets, bytes }: Piece): Promise<Piece> => ({
  octets,
  bytes: await deflated(bytes, { level: 3 }),
  packed: true,
});

function bodyOf(pieces: readonly Piece[], hash: Hash): FeedBody {
  const octets = pieces.reduce((sum, piece) => sum + piece.octets, 0);
  const made = new Map<Coding, Promise<CodedBody>>();
  const plain: CodedBody =
    octets <= WHOLE_MAX
      ? wholeBody(Buffer.concat(pieces.map(({ bytes }) => bytes)))
      : { octets, chunks: () => unpacked(pieces) };
  let held = octets <= WHOLE_MAX ? octets : pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const make = async (coding: 'gzip' | 'br'): Promise<CodedBody> => {
    const coded = await (octets <= WHOLE_MAX
      ? encoded(await bytesOf(plain), coding).then(wholeBody)
      : streamed(plain, coding));
    held += coded.octets;
    return coded;
  };
  return {
    octets,
    hash: endDigest(hash),
    octetsHeld: () => held,
    bytes: () => bytesOf(plain),
    coded: (coding) => {
      if (coding === 'identity') return Promise.resolve(plain);
      const known = made.get(coding) ?? make(coding);
      made.set(coding, known);
      return known;
    },
  };
}

async function* unpacked(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const { bytes, packed } of pieces) yield packed ? await inflated(bytes) : bytes;
}

const wholeBody = (bytes: Uint8Array): CodedBody => ({
  octets: bytes.length,
  chunks: () => [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)],
});

async function bytesOf({ chunks }: CodedBody): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks()) parts.push(chunk);
  const [first, ...others] = parts;
  return first && others.length === 0 ? first : Buffer.concat(parts);
}

async function streamed(plain: CodedBody, coding: 'gzip' | 'br'): Promise<CodedBody> {
  const chunks: Buffer[] = [];
  await pipeline(
    Readable.from(plain.chunks()),
    coding === 'br' ? createBrotliCompress(brotliLevel(4, plain.octets)) : createGzip({ level: 5 }),
    async (coded: AsyncIterable<Buffer>) => {
      for await (const chunk of coded) chunks.push(chunk);
    },
  );
  return { octets: chunks.reduce((sum, { length }) => sum + length, 0), chunks: () => chunks };
}
