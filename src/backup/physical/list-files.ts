import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { unlessMissing } from '../uploads.ts';
import { CONTROL, isMadeAnew, isNotCopied, isServerPath, TABLESPACES } from './server-files.ts';

/** The files of a server to be copied, by their paths in its data folder. */
export interface ServerFiles {
  readonly folders: readonly string[];
  /** The last one is the file that describes the state of the others. */
  readonly files: readonly string[];
  /** Their total size at the moment. */
  readonly bytes: number;
}

/** Lists what to copy of a running server, whose files come and go. Throws AppError if it has tablespaces elsewhere. */
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

/** The error for a server whose files are not all in its data folder. */
export const severalPlaces = (): AppError =>
  new AppError(
    'backup-physical',
    'The embedded PostgreSQL has tablespaces outside its folder, which a physical backup does not take. ' +
      'Make one without --physical.',
  );
