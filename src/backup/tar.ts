/** Everything in an archive is a whole number of blocks. */
export const BLOCK = 512;
const NAME_BYTES_MAX = 100;

/** One file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A file in tar's format: its header, its bytes, and the padding of the last block. */
export function tarEntry({ name, bytes }: TarEntry, seconds: number): Buffer {
  const length = BLOCK + Math.ceil(bytes.length / BLOCK) * BLOCK;
  const entry = Buffer.alloc(length);
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`a name is too long for an archive: ${name}`);
  entry.write(name, 0);
  entry.write('0000600\0', 100);
  entry.write('0000000\0'.repeat(2), 108);
  entry.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  entry.write(`${Math.floor(seconds).toString(8).padStart(11, '0')}\0`, 136);
  entry.write('0', 156);
  entry.write('ustar\u000000', 257);
  entry.write(`${checksumOf(entry).toString(8).padStart(6, '0')}\0 `, 148);
  bytes.copy(entry, BLOCK);
  return entry;
}

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * The types of regular files in old and new tar formats. Anything else is a link, folder or device, which we never
 * write.
 */
const PLAIN_FILE = ['\0', '0'];

/** The header of a file; undefined if invalid, null at the end of the archive. */
export function readHeader(block: Buffer): { readonly name: string; readonly size: number } | null | undefined {
  if (block.subarray(0, BLOCK).every((byte) => byte === 0)) return null;
  const said = Number.parseInt(block.toString('latin1', 148, 156), 8);
  const size = Number.parseInt(block.toString('latin1', 124, 136), 8);
  const isFile = PLAIN_FILE.includes(block.toString('latin1', 156, 157));
  if (said !== checksumOf(block) || !(size >= 0) || !isFile) return undefined;
  const name = block.subarray(0, NAME_BYTES_MAX);
  const end = name.indexOf(0);
  return { name: name.toString('utf8', 0, end < 0 ? NAME_BYTES_MAX : end), size };
}

/** The sum of a header's bytes, with those of the checksum itself counted as blanks. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0);
  return sum;
}
