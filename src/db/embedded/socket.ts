import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../error.ts';
import type { Account } from './account.ts';

// sockaddr_un.sun_path: 108 bytes on Linux, 104 on macOS, including the terminating zero.
const SOCKET_PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103;
const SOCKET_FILE = '.s.PGSQL.5432';

/** The directory for the server's socket: short, and named after the data directory. */
export function socketDirectoryOf(data: string, account: Account | undefined): string {
  const name = `calsyncd-${createHash('sha256')
    .update(fs.realpathSync(path.dirname(data)))
    .digest('hex')
    .slice(0, 12)}`;
  return [...(account && isWritable('/run') ? ['/run'] : []), os.tmpdir(), '/tmp']
    .map((base) => path.join(base, name))
    .find((candidate) => Buffer.byteLength(path.join(candidate, SOCKET_FILE)) <= SOCKET_PATH_BYTES_MAX) as string;
}

/**
 * Creates the socket's directory, which only the server's user may enter. If somebody else has taken its name in a
 * shared directory, it gets an unpredictable name, which it keeps (`previous`) when the server is restarted. Throws
 * AppError.
 */
export function makeSocketDirectory(data: string, account: Account | undefined, previous: string | undefined): string {
  const planned = socketDirectoryOf(data, account);
  const unforeseen = `${path.join('/tmp', path.basename(planned))}-`;
  const existing = [planned, ...(previous?.startsWith(unforeseen) ? [previous] : [])].find((directory) =>
    isOurs(directory, account),
  );
  if (existing !== undefined) return existing;
  try {
    const directory = fs.existsSync(planned) ? fs.mkdtempSync(unforeseen) : planned;
    if (directory === planned) fs.mkdirSync(planned, { mode: 0o700 });
    if (account) fs.chownSync(directory, account.uid, account.gid);
    return directory;
  } catch (error) {
    throw new AppError(
      'database-socket',
      `The directory ${planned} for the database's socket cannot be created: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** Throws unless the directory is a real one that belongs to the server's user and is closed to everybody else. */
export function checkSocketDirectory(directory: string, account: Account | undefined): void {
  if (isOurs(directory, account)) return;
  throw new AppError(
    'database-socket',
    `${directory} should be the closed directory of the database's socket, but belongs to somebody else or is open to others. Remove it and start again.`,
  );
}

/**
 * The directory of a running server's socket, as this process can reach it: the server may have its own /tmp, as with
 * systemd's PrivateTmp. Undefined if it no longer exists.
 */
export function reachableSocketDirectory(pid: number, directory: string | undefined): string | undefined {
  if (!directory) return undefined;
  const here = fs.statSync(directory, { throwIfNoEntry: false });
  const there = statOrNothing(`/proc/${pid}/root${directory}`);
  if (there && (there.ino !== here?.ino || there.dev !== here.dev)) return `/proc/${pid}/root${directory}`;
  return here && directory;
}

function statOrNothing(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    // We may not look into the server's file system.
    return undefined;
  }
}

function isOurs(directory: string, account: Account | undefined): boolean {
  const found = fs.lstatSync(directory, { throwIfNoEntry: false });
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === (account?.uid ?? process.getuid?.()) &&
    (found.mode & 0o077) === 0
  );
}

function isWritable(directory: string): boolean {
  try {
    fs.accessSync(directory, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
