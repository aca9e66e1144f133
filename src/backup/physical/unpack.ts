import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import { readArchive, unreadable, type Sum } from '../archive.ts';
import { compareSums, type CheckedPhysical } from '../check-backup.ts';
import type { Progress } from '../make-backup.ts';
import { CONTENTS, SERVER, UPLOADS } from '../manifest.ts';
import type { StagedUploads, MemberWriter } from '../uploads.ts';
import { isCopied } from './server-files.ts';

/** What is unpacked, and where. */
export interface Unpacking {
  readonly file: string;
  readonly checked: CheckedPhysical;
  /** An empty folder. */
  readonly data: string;
  readonly uploads: StagedUploads;
  readonly onProgress: (progress: Progress) => void;
}

/** Unpacks the files of a physical backup. Throws AppError if they are not what was checked, or cannot be written. */
export async function unpack(unpacking: Unpacking): Promise<void> {
  const { file, data } = unpacking;
  await layOut(unpacking).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof AppError) throw error;
    if (IN_THE_WAY.includes(code)) throw unreadable(file, 'its files conflict with each other', error);
    throw new AppError(
      'data-directory',
      `The backup ${file} cannot be unpacked into ${data}: ${whyUnwritable(error)}. Nothing was changed.`,
      { cause: error },
    );
  });
}

/** A file or folder already exists where another is to be created. */
const IN_THE_WAY = ['EEXIST', 'ENOTDIR', 'EISDIR'];

async function layOut({ file, checked, data, uploads, onProgress }: Unpacking): Promise<void> {
  for (const folder of checked.contents.folders) makeFolder(path.join(data, folder), 0o700);
  const sums = new Map<string, Sum>();
  const files = makeFiles(file, data);
  const takerOf = async (name: string): Promise<MemberWriter | undefined> => {
    if (name.startsWith(SERVER)) return files.take(name.slice(SERVER.length));
    return name.startsWith(UPLOADS) ? uploads.take(name.slice(UPLOADS.length)) : undefined;
  };
  let taker: MemberWriter | undefined;
  try {
    await readArchive(file, {
      begin: async (name) => {
        taker = await takerOf(name);
      },
      part: async (bytes, _rows, read) => {
        await taker?.write(bytes);
        onProgress({ doing: 'unpacking', ...read, unit: 'bytes' });
      },
      end: async (name, sum) => {
        await taker?.end(sum);
        if (name !== CONTENTS) sums.set(name, sum);
      },
    });
  } finally {
    await files.close();
  }
  compareSums(file, checked.contents, sums);
}

/** Writes one file after the other below a folder, and never overwrites one. */
function makeFiles(
  file: string,
  data: string,
): { readonly take: (name: string) => Promise<MemberWriter>; readonly close: () => Promise<void> } {
  let handle: FileHandle | undefined;
  const close = async (): Promise<void> => {
    await handle?.close();
    handle = undefined;
  };
  return {
    take: async (name) => {
      if (!isCopied(name)) throw unreadable(file, `${name} does not belong in it`);
      const target = path.join(data, name);
      makeFolder(path.dirname(target), 0o700);
      handle = await open(target, 'wx', 0o600);
      return {
        write: async (bytes) => {
          await handle?.writeFile(bytes);
        },
        end: close,
      };
    },
    close,
  };
}
