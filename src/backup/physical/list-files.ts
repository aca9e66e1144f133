import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { unlessMissing } from '../uploads.ts';
import { CONTROL, isMadeAnew, isNotCopied, isServerPath, TABLESPACES } from './server-files.ts';

/** What is copied of a server, by paths in its data folder. */
export interface ServerFiles {
  readonly folders: readonly string[];
  /** The one that tells what the others are is the last. */
  readonly files: readonly string[];
  /** All of them, as large as they are now. */
  readonly bytes: number;
}

/** Looks for what is copied of a running server, whose files come and go. Throws AppError where it is in several places. */
export async function listServerFiles(data: string): Promise<ServerFiles> {
  const [folders, files]: [string[], string[]] = [[], []];
  let bytes = 0;
  const look = async (name: string): Promise<void> => {
    const found = await unlessMissing(stat(path.join(data, name)));
    if (found?.isFile() && name !== CONTROL) {
      files.push(name);
      bytes += found.size;
    }
    if (!found?.isDirectory()) return;
    folders.push(name);
    if (!isMadeAnew(name)) await within(name);
  };
  const within = async (folder: string): Promise<void> => {
    const names = ((await unlessMissing(readdir(path.join(data, folder)))) ?? []).toSorted();
    if (folder === TABLESPACES && names.length > 0) throw severalPlaces();
    for (const name of names) {
      const below = path.posix.join(folder, name);
      if (isServerPath(below) && !isNotCopied(below)) await look(below);
    }
  };
  await within('');
  return { folders, files: [...files, CONTROL], bytes };
}

/** Not all of a server's files are in its data folder. */
export const severalPlaces = (): AppError =>
  new AppError(
    'backup-physical',
    'The embedded PostgreSQL has tablespaces outside its folder, which a physical backup does not take. ' +
      'Make one without --physical.',
  );
