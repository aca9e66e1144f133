import { readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What is under a name, and the file that is meant by it: that which a link leads to. */
export interface Place {
  /** `other`: a pipe, a device and the like, which is written to and never replaced. */
  readonly kind: 'file' | 'nothing' | 'folder' | 'other';
  readonly file: string;
}

const LINKS_MAX = 40;

/** Looks at what a file is about to be written over. What cannot be looked at counts as nothing: writing tells why. */
export async function placeOf(name: string): Promise<Place> {
  const found = await stat(name).catch((error: unknown) => (error as NodeJS.ErrnoException).code ?? '');
  if (found === 'ELOOP') return { kind: 'other', file: name };
  if (typeof found === 'string') return { kind: 'nothing', file: await meantBy(name) };
  if (found.isDirectory()) return { kind: 'folder', file: name };
  return found.isFile() && !isOfSystem(name)
    ? { kind: 'file', file: await realpath(name) }
    : { kind: 'other', file: name };
}

/**
 * Whether a name stands for what is open already, as by a redirection. /dev/stdout is a file where it is redirected to
 * one, but who holds it open wants that very file.
 */
export const isOfSystem = (name: string): boolean => /^\/(?:dev\/(?:std|fd\/)|proc\/)/.test(path.resolve(name));

/** Where a link leads whose file is not there yet. */
async function meantBy(name: string): Promise<string> {
  let file = name;
  for (let links = 0; links < LINKS_MAX; links += 1) {
    const next = await readlink(file).catch(() => undefined);
    if (next === undefined) break;
    file = path.resolve(path.dirname(file), next);
  }
  return file;
}
