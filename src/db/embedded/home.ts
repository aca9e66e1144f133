import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { serverAccount, type Account } from './account.ts';

/** The places of an embedded server below the data directory. */
export interface Home {
  readonly root: string;
  /** PostgreSQL's own data directory. */
  readonly data: string;
  readonly users: string;
  readonly lock: string;
  readonly log: string;
  /** Who the server runs as; undefined: we ourselves. */
  readonly account: Account | undefined;
}

/** Makes `<dataDir>/postgres` and what is in it. Throws AppError where that is not possible. */
export function makeHome(dataDir: string): Home {
  const root = path.join(path.resolve(dataDir), 'postgres');
  const users = path.join(root, 'users');
  try {
    fs.mkdirSync(users, { recursive: true, mode: 0o755 });
    fs.accessSync(users, fs.constants.W_OK | fs.constants.X_OK);
    const real = fs.realpathSync(root);
    const data = path.join(real, 'data');
    if (fs.existsSync(data)) checkOwner(data);
    return { root: real, data, users: path.join(real, 'users'), lock: path.join(real, 'lock'), log: path.join(real, 'postgres.log'), account: serverAccount(data) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('data-directory', `The data directory ${path.resolve(dataDir)} cannot be used: ${(error as Error).message}. Set DATA_DIR to a directory that this user may write.`, { cause: error });
  }
}

function checkOwner(data: string): void {
  const me = process.getuid?.();
  const { uid } = fs.statSync(data);
  if (me === 0 || uid === me) return;
  throw new AppError('data-directory', `The database in ${data} belongs to another user (uid ${uid}, this is ${me}). Run as the user that made it, or set DATA_DIR to another directory.`);
}
