import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, realpath, unlink } from 'node:fs/promises';
import { isReadOnly, prepareBeside, takePlace, unlessGone } from '../../files/replace-file.ts';
import { readWhole } from '../../files/read-whole.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';

/** The result of a request to write the configuration file. */
export type Written =
  | { readonly kind: 'written'; readonly hash: string }
  /** The file has changed since it was read; `bytes` is its current content. */
  | { readonly kind: 'edited'; readonly bytes: Buffer; readonly hash: string }
  /** This program cannot write it; `reason` is worded as the end of a sentence. */
  | { readonly kind: 'read-only'; readonly reason: string };

/** The name of a version of the file: a hash of its bytes. */
export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Why this program cannot write the file, worded as the end of a sentence; undefined if it can. */
export async function whyReadOnly(file: string): Promise<string | undefined> {
  try {
    await access(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return readOnlyReason(error) ?? Promise.reject(error as Error);
  }
}

/**
 * Atomically replaces the configuration file by `text`, if its bytes still have the hash `expected`. Keeps mode and
 * owner, and follows a symbolic link. A file mounted individually into a container, or in a folder that we cannot write
 * to, cannot be replaced and is written in place.
 */
export async function writeConfigFile(file: string, text: string, expected: string): Promise<Written> {
  const reason = await whyReadOnly(file);
  if (reason !== undefined) return { kind: 'read-only', reason };
  const target = await realpath(file);
  const bytes = Buffer.from(text);
  const written: Written = { kind: 'written', hash: hashOf(bytes) };
  const prepared = await prepareBeside(target, [bytes]);
  try {
    const now = await readWhole(target);
    if (hashOf(now) !== expected) return { kind: 'edited', bytes: now, hash: hashOf(now) };
    if (prepared !== undefined && (await takePlace(prepared, target))) return written;
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

const readOnlyReason = (error: unknown): string | undefined => (isReadOnly(error) ? whyUnwritable(error) : undefined);
