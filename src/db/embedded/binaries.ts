import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { OLDEST_SERVER } from '../migrate.ts';
import { bundled } from './platforms.js';
import { canReach, type Account } from './account.ts';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * The folder with PostgreSQL's bin, lib and share, ready to run: npm's own copy. If the server's user cannot reach that
 * or its library links cannot be created, a copy under `home`, the machine's cache or the temporary directory.
 */
export function readyBinaries(home: string, account: Account | undefined): string {
  const { root, version } = packageOf();
  const original = path.join(root, 'native');
  if (canReach(path.join(original, 'bin', 'postgres'), account) && linkLibraries(original)) return original;
  for (const place of [
    home,
    ...(account ? ['/var/cache/calsyncd'] : []),
    path.join(os.tmpdir(), `calsyncd-${process.getuid?.() ?? ''}`),
  ]) {
    const copy = path.join(place, `postgresql-${version}`);
    const server = path.join(copy, 'bin', 'postgres');
    if (canReach(server, account) && copyOnce(original, copy) && canReach(server, account)) return copy;
  }
  throw new AppError(
    'database-unreachable-binaries',
    `The user ${account?.name ?? os.userInfo().username} that PostgreSQL runs as can reach neither ${original} nor a copy of it. ` +
      'Move the checkout out of the closed directory, set DATA_DIR to an open one, or install PostgreSQL and set DATABASE_URL.',
  );
}

function find(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    // Not installed.
    return undefined;
  }
}

/** The version of the bundled PostgreSQL. Throws AppError if none is bundled. */
export const bundledVersion = (): string => packageOf().version;

function packageOf(): { root: string; version: string } {
  const { platform, arch } = process;
  const found = bundled('postgresql', '', { platform, arch, exists: fs.existsSync, find });
  if ('missing' in found)
    throw new AppError(
      'database-missing',
      `There is no DATABASE_URL, and ${found.missing}. Install PostgreSQL ${OLDEST_SERVER} or later, and set DATABASE_URL to its address.`,
    );
  const root = path.resolve(path.dirname(found.place), '..');
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return { root, version };
}

// The package leaves these links to an install script, which npm may not run; without them the server does not find its
// libraries.
function linkLibraries(native: string): boolean {
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  const at = (file: string): string => path.join(native, file.replace(/^native\//, ''));
  return links.every(({ source, target }) => linkOnce(path.relative(path.dirname(at(target)), at(source)), at(target)));
}

function linkOnce(source: string, target: string): boolean {
  if (fs.existsSync(target)) return true;
  try {
    fs.symlinkSync(source, target);
    return true;
  } catch {
    // Another process was faster, or the folder is read-only.
    return fs.existsSync(target);
  }
}

function copyOnce(from: string, to: string): boolean {
  if (fs.existsSync(to)) return isOurs(to);
  try {
    const half = `${to}.${process.pid}`;
    if (fs.mkdirSync(path.dirname(to), { recursive: true })) fs.chmodSync(path.dirname(to), 0o755);
    if (!isOurs(path.dirname(to))) return false;
    fs.cpSync(from, half, { recursive: true, verbatimSymlinks: true });
    if (!linkLibraries(half)) return false;
    openToAll(half);
    fs.renameSync(half, to);
    return true;
  } catch {
    return fs.existsSync(to) && isOurs(to);
  }
}

// Sets the modes explicitly, whatever the umask of this process or of the one that installed the package.
function openToAll(folder: string): void {
  fs.chmodSync(folder, 0o755);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink())
      fs.chmodSync(
        path.join(entry.parentPath, entry.name),
        entry.isDirectory() || path.basename(entry.parentPath) === 'bin' ? 0o755 : 0o644,
      );
  }
}

// Below a shared folder (/tmp), somebody else could have created this one, with other programs in it.
function isOurs(folder: string): boolean {
  const { uid, mode } = fs.lstatSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
