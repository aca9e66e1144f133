import { realpath, stat } from 'node:fs/promises';
import { readWhole } from '../../files/read-whole.ts';
import { hashOf } from './write-file.ts';

/** What a file holds, or why it cannot be read. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly hash: string }
  | { readonly kind: 'unreadable'; readonly error: NodeJS.ErrnoException };

/** Looks at a file again and again. */
export interface FileWatch {
  /** One look: what has changed is given on once two looks agree on it. */
  readonly look: () => Promise<void>;
  /** Gives on what the file holds now, if that is something new; used when somebody says that it is complete. */
  readonly readNow: () => Promise<void>;
}

/** Some file systems keep times to two seconds only: a file that is younger is read at each look. */
const YOUNG_MS = 4_000;

/**
 * Watches a file by looking at it, which works however it is written: in place, by another file that takes its name, by
 * a link that leads elsewhere, and over a network. `known` is the hash of the bytes that are known already. `onChange`
 * is called with one content after the other; if it fails, the next look calls it again.
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
  // One at a time, as each builds on what the one before has seen.
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

/** What can be told of a file without reading it; undefined if it cannot be looked at. */
async function lookAt(file: string): Promise<{ readonly signature: string; readonly changedAt: number } | undefined> {
  try {
    const target = await realpath(file);
    const { mtimeMs, size, ino } = await stat(target);
    return { signature: JSON.stringify([target, mtimeMs, size, ino]), changedAt: mtimeMs };
  } catch {
    // Reading it tells why.
    return undefined;
  }
}
