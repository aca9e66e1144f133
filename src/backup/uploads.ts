import { appendFile, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { Member, Sum } from './archive.ts';
import { UPLOADS } from './manifest.ts';

/** The names of uploads. */
const UPLOAD = /^[\w-]{1,64}\.[a-z]{1,8}$/;

/** The names of the uploaded files in a folder. */
export async function uploadNames(folder: string): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return names.filter((name) => UPLOAD.test(name)).toSorted();
}

/** The uploaded files as members of a backup. */
export async function* uploadMembers(folder: string, names: readonly string[]): AsyncGenerator<Member> {
  for (const name of names) {
    // A file that nothing uses any more may be removed in the meantime.
    const file = await unlessMissing(open(path.join(folder, name)));
    if (file) yield { name: `${UPLOADS}${name}`, content: file.createReadStream() };
  }
}

/** The result; undefined if the file does not exist. */
export const unlessMissing = async <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** The destination of a member. */
export interface MemberWriter {
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly end: (sum: Sum) => Promise<void>;
}

/** Uploads of a backup that are not in place yet. */
export interface StagedUploads {
  readonly take: (name: string) => MemberWriter | undefined;
  /** Moves them into place. Their names are derived from their content, so none replaces another. */
  readonly keep: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

export async function stageUploads(folder: string): Promise<StagedUploads> {
  const stage = `${folder}.restored-${process.pid}`;
  const names: string[] = [];
  await rm(stage, { recursive: true, force: true });
  return {
    take: (name) => {
      if (!UPLOAD.test(name)) return undefined;
      const target = path.join(stage, name);
      return {
        write: async (bytes) => {
          makeFolder(stage, 0o700);
          await appendFile(target, bytes, { mode: 0o600 });
          if (!names.includes(name)) names.push(name);
        },
        end: async () => undefined,
      };
    },
    keep: async () => {
      if (names.length > 0) makeFolder(folder, 0o700);
      for (const name of names) await rename(path.join(stage, name), path.join(folder, name));
    },
    drop: () => rm(stage, { recursive: true, force: true }),
  };
}
