import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { AppError } from '../error.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { whyUnreadable } from '../files/why-unreadable.ts';
import { whyUnwritable } from '../files/why-unwritable.ts';
import { BLOCK, readHeader, TAR_END, tarEntry, type TarEntry } from './tar.ts';

// A backup is a tar archive compressed by zstd, which other programs can read: "zstd -dc FILE | tar -x". Because the
// length of a table is not known beforehand, each member is split into files of at most a megabyte:
// tables/site.events/000001.

/** The content of an archive under a name. */
export interface Member {
  readonly name: string;
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Called with the number of rows written; the next part waits for it. */
  readonly onPart?: (rows: number) => Promise<void>;
}

/** The size and checksum of a member. */
export interface Sum {
  readonly bytes: number;
  readonly sha256: string;
  /** Lines, which are the rows of a table. */
  readonly rows: number;
}

const PART_BYTES = 1_000_000;
const NEW_LINE = 10;
/** The name of an archive that is still being written. */
const UNFINISHED = /\.part-\d+$/;

/** Whether a file is an unfinished archive, which a dead process may have left. */
export const isUnfinished = (name: string): boolean => UNFINISHED.test(name);

/**
 * Writes an archive under a temporary name and renames it once complete. Only its owner may read it. `last` makes the
 * last member from the sums of the others. Returns the size in bytes.
 */
export async function writeArchive(
  file: string,
  members: AsyncIterable<Member>,
  last: (sums: ReadonlyMap<string, Sum>) => Member,
  seconds: number,
): Promise<number> {
  const unfinished = `${file}.part-${process.pid}`;
  // Leaves no file if the program is stopped in the middle.
  const removeAtExit = (): void => rmSync(unfinished, { force: true });
  process.once('exit', removeAtExit);
  try {
    await pipeline(
      Readable.from(blocksOf(members, last, seconds), { objectMode: true, highWaterMark: 2 }),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    );
    const { size } = await stat(unfinished);
    await rename(unfinished, file);
    await syncFolder(path.dirname(file));
    return size;
  } catch (error) {
    // In a folder that this program cannot enter, removing fails as well, which must not hide the original error.
    const left = await rm(unfinished, { force: true }).then(
      () => ' No file was left.',
      () => '',
    );
    if (!isOfFiles(error)) throw error;
    throw new AppError('backup-file', `The backup ${file} cannot be written: ${whyUnwritable(error)}.${left}`, {
      cause: error,
    });
  } finally {
    process.off('exit', removeAtExit);
  }
}

const isOfFiles = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'errno' in error &&
  ('path' in error || ('code' in error && DISK.includes(String(error.code))));

/** Errors of a full or broken disk, which do not name the file. */
const DISK = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'];

async function* blocksOf(
  members: AsyncIterable<Member>,
  last: (sums: ReadonlyMap<string, Sum>) => Member,
  seconds: number,
): AsyncGenerator<Buffer> {
  const sums = new Map<string, Sum>();
  for await (const member of members) yield* partsOf(member, seconds, sums);
  yield* partsOf(last(sums), seconds, sums);
  yield TAR_END;
}

async function* partsOf(
  { name, content, onPart }: Member,
  seconds: number,
  sums: Map<string, Sum>,
): AsyncGenerator<Buffer> {
  const summing = makeSum();
  let parts = 0;
  const part = (bytes: Buffer): Buffer => {
    summing.add(bytes);
    parts += 1;
    return tarEntry({ name: `${name}/${String(parts).padStart(6, '0')}`, bytes }, seconds);
  };
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const bytes of content) {
    gathered.push(bytes);
    length += bytes.length;
    if (length < PART_BYTES) continue;
    yield part(Buffer.concat(gathered));
    [gathered, length] = [[], 0];
    await onPart?.(summing.rows());
  }
  // An empty member needs a file as well.
  if (length > 0 || parts === 0) yield part(Buffer.concat(gathered));
  await onPart?.(summing.rows());
  sums.set(name, summing.sum());
}

interface Summing {
  readonly add: (bytes: Buffer) => void;
  readonly rows: () => number;
  readonly sum: () => Sum;
}

function makeSum(): Summing {
  const hash = createHash('sha256');
  let [bytes, rows] = [0, 0];
  return {
    add: (more) => {
      hash.update(more);
      bytes += more.length;
      for (let at = more.indexOf(NEW_LINE); at >= 0; at = more.indexOf(NEW_LINE, at + 1)) rows += 1;
    },
    rows: () => rows,
    sum: () => ({ bytes, sha256: hash.digest('hex'), rows }),
  };
}

/** How many bytes of a file have been read. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

/** Receives members part by part. */
export interface Reader {
  readonly begin: (name: string) => Promise<void> | void;
  /** `rows`: the member's rows so far, with this part; `read`: how much of the file has been read. */
  readonly part: (bytes: Buffer, rows: number, read: Share) => Promise<void> | void;
  readonly end: (name: string, sum: Sum) => Promise<void> | void;
  /** Called if the file continues after the end of the archive. */
  readonly more?: () => void;
}

/** Reads an archive from beginning to end. Throws AppError if it is not an archive, truncated or damaged. */
export async function readArchive(file: string, reader: Reader): Promise<void> {
  let current: { readonly name: string; readonly summing: Summing } | undefined;
  const seen = new Set<string>();
  const finish = async (): Promise<void> => {
    if (current) await reader.end(current.name, current.summing.sum());
  };
  for await (const { name, bytes, read } of entriesOf(file, reader.more)) {
    const member = path.posix.dirname(name);
    if (current?.name !== member) {
      await finish();
      if (seen.has(member)) throw unreadable(file, `${member} is there twice`);
      if (seen.size === MEMBERS_MAX) throw unreadable(file, 'it holds too many files');
      seen.add(member);
      current = { name: member, summing: makeSum() };
      await reader.begin(member);
    }
    current.summing.add(bytes);
    await reader.part(bytes, current.summing.rows(), read);
  }
  await finish();
}

/** More than we ever write. */
const ENTRY_BYTES_MAX = 64_000_000;
const MEMBERS_MAX = 1_000_000;

async function* entriesOf(
  file: string,
  onMore: (() => void) | undefined,
): AsyncGenerator<TarEntry & { readonly read: Share }> {
  const { size: of } = await stat(file).catch(() => ({ size: 0 }));
  let [done, taken] = [0, 0];
  const { take: bytes, rest } = makeTake(unpacked(file));
  for (;;) {
    const header = readHeader(await bytes(BLOCK));
    if (header === null) {
      if (await goesOn()) onMore?.();
      return;
    }
    if (header === undefined || header.size > ENTRY_BYTES_MAX)
      throw unreadable(file, 'it is not an archive of a backup');
    const padded = await bytes(Math.ceil(header.size / BLOCK) * BLOCK);
    yield { name: header.name, bytes: padded.subarray(0, header.size), read: { done, of } };
  }
  async function* unpacked(name: string): AsyncGenerator<Buffer> {
    const source = createReadStream(name);
    const stream = createZstdDecompress();
    source.on('error', (error) => stream.destroy(error));
    try {
      for await (const chunk of source.pipe(stream)) {
        done = source.bytesRead;
        yield chunk as Buffer;
      }
      taken = stream.bytesWritten;
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw unreadable(name, whyUnreadable(error) ?? UNREADABLE[code] ?? message, error);
    } finally {
      source.destroy();
    }
  }
  async function goesOn(): Promise<boolean> {
    try {
      for await (const chunk of rest()) if (chunk.some((byte) => byte !== 0)) return true;
      return taken < of;
    } catch {
      // The archive has been read completely; the caller learns that more follows.
      return true;
    }
  }
  function makeTake(chunks: AsyncGenerator<Buffer>): {
    readonly take: (length: number) => Promise<Buffer>;
    readonly rest: () => AsyncGenerator<Buffer>;
  } {
    let held: Buffer[] = [];
    let length = 0;
    const take = async (wanted: number): Promise<Buffer> => {
      while (length < wanted) {
        const { value, done } = await chunks.next();
        if (done) throw unreadable(file, 'it ends in the middle');
        held.push(value);
        length += value.length;
      }
      const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
      held = [all.subarray(wanted)];
      length = all.length - wanted;
      return all.subarray(0, wanted);
    };
    return {
      take,
      rest: async function* () {
        yield* held;
        yield* chunks;
      },
    };
  }
}

const DAMAGED = 'it is damaged';
const UNREADABLE: Readonly<Record<string, string>> = {
  ZSTD_error_prefix_unknown: 'it is not compressed by zstd, as every backup is',
  ZSTD_error_checksum_wrong: DAMAGED,
  ZSTD_error_corruption_detected: DAMAGED,
  Z_BUF_ERROR: 'it ends in the middle',
};

/** The error for a file that is not a complete backup. */
export const unreadable = (file: string, why: string, cause?: unknown): AppError =>
  new AppError('backup-unreadable', `The backup ${file} cannot be used: ${why}. Nothing was changed.`, { cause });
