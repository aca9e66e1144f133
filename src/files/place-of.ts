import { readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What exists under a name, and the file that it refers to, after following links. */
export interface Place {
  /** `other`: a pipe, a device or the like, which is written to and never replaced. */
  readonly kind: 'file' | 'nothing' | 'folder' | 'other';
  readonly file: string;
}

const LINKS_MAX = 40;

/**
 * Examines a name before a file is written there. If this fails, the kind is `nothing`, and writing reports the reason.
 */
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
 * Whether a name stands for something that is already open, for example by a redirection. If /dev/stdout is redirected
 * to a file, that very file must be written, because others hold it open.
 */
export const isOfSystem = (name: string): boolean => /^\/(?:dev\/(?:std|fd\/)|proc\/)/.test(path.resolve(name));

/** The target of a link whose file does not exist yet. */
async function meantBy(name: string): Promise<string> {
  let file = name;
  for (let links = 0; links < LINKS_MAX; links += 1) {
    const next = await readlink(file).catch(() => undefined);
    if (next === undefined) break;
    file = path.resolve(path.dirname(file), next);
  }
  return file;
}
