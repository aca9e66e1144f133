import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whyUnreadable } from '../../files/why-unreadable.ts';
import { failed, LIMIT_IN_WORDS, type FetchResult, type Validators } from './fetch-result.ts';

export interface FileSettings {
  /** The base of relative addresses: the directory of the configuration file. */
  readonly base: string;
  /** Other directories that files may be read from, relative to `base`. */
  readonly directories: readonly string[];
}

/**
 * Reads a `file:` address or, if `isTrusted`, any path. The file counts as not modified if its content matches `etag`.
 */
export async function fetchFile(
  address: string,
  validators: Validators,
  settings: FileSettings,
  isTrusted: boolean,
  bytesMax: number,
): Promise<FetchResult> {
  let asked = address;
  try {
    asked = pathOf(address, settings.base);
    // Symbolic links are resolved first, so that the checked path is the one that is opened.
    const path = await realpath(asked);
    if (!isTrusted && !(await isAllowed(path, settings))) {
      return failed(
        'file-not-allowed',
        `${asked} is outside the directories that feeds may be read from. Move it beside the configuration file, or add its directory to fetch.allow_files.`,
      );
    }
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readFile(file, asked, validators, bytesMax);
    } finally {
      await file.close();
    }
  } catch (error) {
    return failed('file-unreadable', `${asked} cannot be read: ${reasonOf(error)}.`);
  }
}

async function readFile(
  file: FileHandle,
  path: string,
  validators: Validators,
  bytesMax: number,
): Promise<FetchResult> {
  const about = await file.stat();
  if (!about.isFile()) return failed('file-unreadable', `${path} is not a file.`);
  if (about.size > bytesMax)
    return failed('feed-too-large', `${path} is larger than ${Math.round(bytesMax / 1e6)} MB, ${LIMIT_IN_WORDS}`);
  const bytes = await file.readFile();
  if (bytes.length === 0) return failed('feed-empty', `${path} is empty.`);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const answered = { validators: { etag: `"${hash}"`, lastModified: null }, finalUrl: path };
  return validators.etag === answered.validators.etag
    ? { kind: 'notModified', ...answered }
    : { kind: 'fetched', ...answered, bytes, contentType: null };
}

// `file:samples/a.ics` is relative, `file:///srv/a.ics` and `file:/srv/a.ics` are not; a URL parser would treat all of
// them as absolute.
function pathOf(address: string, base: string): string {
  if (/^file:\/\//i.test(address)) return fileURLToPath(address);
  const path = address.replace(/^file:/i, '');
  return resolve(base, /^file:/i.test(address) ? decodeURIComponent(path) : path);
}

async function isAllowed(path: string, { base, directories }: FileSettings): Promise<boolean> {
  for (const directory of [base, ...directories]) {
    const real = await realpath(resolve(base, directory)).catch(() => undefined);
    if (real !== undefined && isInside(path, real)) return true;
  }
  return false;
}

/** Whether a path is below a directory. Both are absolute, with links resolved. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    whyUnreadable(error) ??
    (code === undefined || code.startsWith('ERR_') ? message.replace(/\. Received .*$/s, '') : code)
  );
};
