import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rename, stat, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { placeOf } from './place-of.ts';
import { syncFolder } from './sync-folder.ts';

type Content = string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Writes a file atomically: readers see either the old or the new content. Mode and owner are kept, and links are
 * followed. A pipe or a device is written to directly, and so is a file that cannot be replaced. `content` is called
 * again if the first way did not work.
 */
export async function replaceFile(name: string, content: () => Content): Promise<void> {
  const { kind, file } = await placeOf(name);
  const prepared = kind === 'file' || kind === 'nothing' ? await prepareBeside(file, content()) : undefined;
  try {
    if (prepared === undefined || !(await takePlace(prepared, file))) await writeFile(file, content());
  } finally {
    if (prepared !== undefined) await unlink(prepared).catch(unlessGone);
  }
}

/** Writes a new file next to `target`, with its mode and owner if it exists; undefined if that is not possible. */
export async function prepareBeside(target: string, content: Content): Promise<string | undefined> {
  const name = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const like = await stat(target).catch(() => undefined);
    const file = await open(name, 'wx', like ? 0o600 : 0o666);
    try {
      if (like && !(await takeAfter(file, like))) {
        await unlink(name);
        return undefined;
      }
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    return name;
  } catch (error) {
    await unlink(name).catch(unlessGone);
    if (!isReadOnly(error)) throw error;
    return undefined;
  }
}

/** Gives a file the mode and owner of another; false if the owner cannot be kept. */
async function takeAfter(file: FileHandle, { mode, uid, gid }: Stats): Promise<boolean> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) {
    try {
      await file.chown(uid, gid);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      return false;
    }
  }
  await file.chmod(mode & 0o7777);
  return true;
}

/** Replaces the target by the prepared file; false if the target cannot be replaced. */
export async function takePlace(prepared: string, target: string): Promise<boolean> {
  try {
    await rename(prepared, target);
  } catch (error) {
    if (!CANNOT_REPLACE.has(codeOf(error))) throw error;
    return false;
  }
  await syncFolder(path.dirname(target));
  return true;
}

// A mount point is busy; some file systems report another device, or forbid it.
const CANNOT_REPLACE: ReadonlySet<string> = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EACCES']);

const READ_ONLY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/** Whether an error says that this program may not write there. */
export const isReadOnly = (error: unknown): boolean => READ_ONLY.has(codeOf(error));

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

export function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
