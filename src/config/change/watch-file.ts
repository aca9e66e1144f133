import { realpath, stat } from 'node:fs/promises';
import { readWhole } from '../../files/read-whole.ts';
import { hashOf } from './write-file.ts';

/** The content of a file, or why it cannot be read. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly hash: string }
  | { readonly kind: 'unreadable'; readonly error: NodeJS.ErrnoException };

/** Watches a file by polling. */
export interface FileWatch {
  /** Looks once. A change is reported when two looks agree on it. */
  readonly look: () => Promise<void>;
  /** Reports the current content now, if it is new. For use when the file is known to be complete. */
  readonly readNow: () => Promise<void>;
}

/**
 * Some file systems store times to two seconds only, so a file changed more recently than this is read at each look.
 */
const YOUNG_MS = 4_000;

/**
 * Watches a file by polling, which works however it is written: in place, by a rename, through a changed link, or over
 * a network. `known` is the hash of the content already known. Calls `onChange` with one content at a time; if that
 * fails, the next look calls it again.
 */
export function watchFile(
  file: string,
  known: string,
  onChange: (content: FileContent) => Promise<void>,
  now: () => number,
): FileWatch {
  let given = known;
  let candidate: string | undefined;
  let unchanged: string | undefined;
  const give = async (content: FileContent): Promise<void> => {
    candidate = undefined;
    await onChange(content);
    given = nameOf(content);
  };
  const look = async (): Promise<void> => {
    const seen = await lookAt(file);
    if (seen !== undefined && seen.signature === unchanged) return;
    const content = await readContent(file);
    const name = nameOf(content);
    if (name === given) {
      candidate = undefined;
      unchanged = seen && now() - seen.changedAt > YOUNG_MS ? seen.signature : undefined;
    } else if (name === candidate) await give(content);
    else candidate = name;
  };
  const readNow = async (): Promise<void> => {
    const content = await readContent(file);
    if (nameOf(content) !== given) await give(content);
  };
  // One at a time, because each look builds on what the previous one saw.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => (): Promise<void> => {
    const working = last.then(work);
    last = working.catch(() => undefined);
    return working;
  };
  return { look: inTurn(look), readNow: inTurn(readNow) };
}

const nameOf = (content: FileContent): string =>
  content.kind === 'bytes' ? content.hash : `unreadable: ${content.error.code ?? content.error.message}`;

async function readContent(file: string): Promise<FileContent> {
  try {
    const bytes = await readWhole(file);
    return { kind: 'bytes', bytes, hash: hashOf(bytes) };
  } catch (error) {
    return { kind: 'unreadable', error: error as NodeJS.ErrnoException };
  }
}

/** What is known about a file without reading it; undefined if it is not accessible. */
async function lookAt(file: string): Promise<{ readonly signature: string; readonly changedAt: number } | undefined> {
  try {
    const target = await realpath(file);
    const { mtimeMs, size, ino } = await stat(target);
    return { signature: JSON.stringify([target, mtimeMs, size, ino]), changedAt: mtimeMs };
  } catch {
    // Reading it gives the reason.
    return undefined;
  }
}
