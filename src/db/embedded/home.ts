import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import { serverAccount, type Account } from './account.ts';

/** The paths of an embedded server below the data directory. */
export interface Place {
  readonly root: string;
  /** PostgreSQL's own data directory. */
  readonly data: string;
  readonly users: string;
  readonly lock: string;
  readonly log: string;
}

/**
 * A place, and the user that the server runs as there (undefined: our own). Other processes may change this, so it is
 * only valid while the lock is held.
 */
export interface Home extends Place {
  readonly account: Account | undefined;
}

/**
 * Creates `<dataDir>/postgres` and its contents, and closes them to other users of the machine, even if they were open.
 * Throws AppError if that is impossible.
 */
export function makePlace(dataDir: string): Place {
  const directory = path.join(path.resolve(dataDir), 'postgres');
  const users = path.join(directory, 'users');
  try {
    makeFolder(users, 0o700);
    fs.accessSync(users, fs.constants.W_OK | fs.constants.X_OK);
    const root = fs.realpathSync(directory);
    const place = {
      root,
      data: path.join(root, 'data'),
      users: path.join(root, 'users'),
      lock: path.join(root, 'lock'),
      log: path.join(root, 'postgres.log'),
    };
    if (fs.existsSync(place.data)) checkOwner(place.data);
    close(place);
    return place;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'data-directory',
      `The data directory ${path.resolve(dataDir)} cannot be used: ${whyUnwritable(error)}. Set DATA_DIR to a directory that this user can write to.`,
      { cause: error },
    );
  }
}

/** The folder with the server's files in a data directory. Throws AppError if it cannot be created. */
export const dataFolder = (dataDir: string): string => makePlace(dataDir).data;

/** Whether a data directory contains a database. Throws AppError if this user may not look. */
export function hasDatabase(dataDir: string): boolean {
  try {
    return fs.statSync(path.join(dataDir, 'postgres', 'data'), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new AppError(
      'data-directory',
      `This user cannot read the data directory ${path.resolve(dataDir)}. Run as the user that made it, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

export const homeOf = (place: Place): Home => ({ ...place, account: serverAccount(place.data) });

// Root's server has its own user. On Linux it is started inside its directory (see directoryArgument); elsewhere that
// user needs to traverse the path.
const CLOSED = process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700;

/**
 * Closes our folder and lock file to other users, because anyone who can open the lock file can hold it, and then
 * nothing starts or stops. If root works in another user's home, it stays that user's, who is also given a lock file
 * that root has created.
 */
function close({ root, users, lock }: Place): void {
  const me = process.getuid?.();
  makeLockFile(lock);
  const modes = [
    [lock, 0o600],
    [users, 0o700],
    [root, CLOSED],
  ] as const;
  for (const [target, mode] of modes) {
    const found = fs.lstatSync(target);
    if (found.uid === me && (found.mode & 0o777) !== mode) fs.chmodSync(target, mode);
  }
  const owner = fs.statSync(root);
  if (me === 0 && fs.lstatSync(lock).uid === 0) fs.lchownSync(lock, owner.uid, owner.gid);
}

// Only if there is none: closing the file again would release a lock that this process holds on it.
function makeLockFile(lock: string): void {
  try {
    fs.closeSync(fs.openSync(lock, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function checkOwner(data: string): void {
  const me = process.getuid?.();
  const { uid } = fs.statSync(data);
  if (me === 0 || uid === me) return;
  throw new AppError(
    'data-directory',
    `The database in ${data} belongs to another user (uid ${uid}, this is ${me}). Run as the user that made it, or set DATA_DIR to another directory.`,
  );
}
