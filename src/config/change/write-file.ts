import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, open, readFile, realpath, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../files/sync-folder.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';

/** What became of a request to write the configuration file. */
export type Written =
  | { readonly kind: 'written'; readonly hash: string }
  /** The file is not as it was read: somebody else has edited it meanwhile, and `bytes` is what it holds now. */
  | { readonly kind: 'edited'; readonly bytes: Buffer; readonly hash: string }
  /** It cannot be written by this program; `reason` ends a sentence. */
  | { readonly kind: 'read-only'; readonly reason: string };

/** The name of a version of the file: two files with the same bytes have the same one. */
export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Why this program cannot write the file, as the end of a sentence; undefined if it can. */
export async function whyReadOnly(file: string): Promise<string | undefined> {
  try {
    await access(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return readOnlyReason(error) ?? Promise.reject(error as Error);
  }
}

/**
 * Replaces the configuration file by `text`, all at once, if it still has the bytes with the hash `expected`. Mode and
 * owner stay; behind a symbolic link, the file that it leads to is written. A file that is bound alone into a container
 * cannot be replaced, and neither can one in a folder that is closed to us: that is written in place.
 */
export async function writeConfigFile(file: string, text: string, expected: string): Promise<Written> {
  const reason = await whyReadOnly(file);
  if (reason !== undefined) return { kind: 'read-only', reason };
  const target = await realpath(file);
  const bytes = Buffer.from(text);
  const written: Written = { kind: 'written', hash: hashOf(bytes) };
  const prepared = await prepareBeside(target, bytes);
  try {
    const now = await readFile(target);
    if (hashOf(now) !== expected) return { kind: 'edited', bytes: now, hash: hashOf(now) };
    if (prepared !== undefined && (await replaced(prepared, target))) return written;
    await writeInPlace(target, bytes);
    return written;
  } catch (error) {
    const refused = readOnlyReason(error);
    if (refused === undefined) throw error;
    return { kind: 'read-only', reason: refused };
  } finally {
    if (prepared !== undefined) await unlink(prepared).catch(unlessGone);
  }
}

/** Writes the bytes into a new file beside `target`, with its mode and owner; undefined where that cannot be. */
async function prepareBeside(target: string, bytes: Buffer): Promise<string | undefined> {
  const name = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(name, 'wx', 0o600);
    try {
      if (!(await takeAfter(file, await stat(target)))) {
        await unlink(name);
        return undefined;
      }
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    return name;
  } catch (error) {
    await unlink(name).catch(unlessGone);
    if (readOnlyReason(error) === undefined) throw error;
    return undefined;
  }
}

/** Gives a file the mode and owner of another; false if the owner would be another one afterwards. */
async function takeAfter(file: FileHandle, { mode, uid, gid }: Stats): Promise<boolean> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) {
    try {
      await file.chown(uid, gid);
    } catch (error) {
      if (readOnlyReason(error) === undefined) throw error;
      return false;
    }
  }
  await file.chmod(mode & 0o7777);
  return true;
}

/** Puts the prepared file in the place of the other; false if that place cannot be taken. */
async function replaced(prepared: string, target: string): Promise<boolean> {
  try {
    await rename(prepared, target);
  } catch (error) {
    if (!CANNOT_REPLACE.has(codeOf(error))) throw error;
    return false;
  }
  await syncFolder(path.dirname(target));
  return true;
}

// A mount point is busy, and some file systems call it another device or forbid it.
const CANNOT_REPLACE: ReadonlySet<string> = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EACCES']);

async function writeInPlace(target: string, bytes: Buffer): Promise<void> {
  const file = await open(target, 'r+');
  try {
    await file.write(bytes, 0, bytes.length, 0);
    await file.truncate(bytes.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

const READ_ONLY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

const readOnlyReason = (error: unknown): string | undefined =>
  READ_ONLY.has(codeOf(error)) ? whyUnwritable(error) : undefined;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
