import { deflateSync, inflateSync } from 'node:zlib';

// Level 1 saves most of what compression can, in a tenth of the time that the server would take. The usual output
// buffer of 16 kB would be many times larger than the output.
const FAST = { level: 1, chunkSize: 8192 };
/** The first byte of a list that is not compressed. */
const LIST = '['.charCodeAt(0);

/**
 * Compresses the JSON text of a list. For data that only this program reads, so that the server has nothing to parse.
 */
export const packed = (json: string): Buffer =>
  // Copied, because the result would keep the whole output buffer in memory.
  Buffer.from(deflateSync(json, FAST));

/** Returns a list that was packed, or whose text is not compressed. */
export const unpacked = <T>(bytes: Buffer): readonly T[] =>
  JSON.parse((bytes[0] === LIST ? bytes : inflateSync(bytes)).toString()) as readonly T[];
