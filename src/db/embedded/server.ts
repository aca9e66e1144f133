import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../error.ts';
import { canReach, giveTo, idleAccount, isShared, ownAccount, type Account } from './account.ts';
import { bundledVersion, readyBinaries } from './binaries.ts';
import type { Home } from './home.ts';
import { isServerOf, processIdentity } from './process.ts';
import { makeSocketDirectory, reachableSocketDirectory, socketDirectoryOf } from './socket.ts';

/** A running server: its process, and its socket directory (undefined if it has none yet or no longer has one). */
export interface Running {
  readonly pid: number;
  readonly socketDirectory: string | undefined;
}

const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };

const NO_ENTRY = /could not look up effective user ID/;

/** The server that runs on this data directory, found by its own lock file; undefined if there is none. */
export function runningServer(data: string): Running | undefined {
  const lines = postmasterLines(data);
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 1 && isServerOf(pid, data)
    ? { pid, socketDirectory: reachableSocketDirectory(pid, lines[4]) }
    : undefined;
}

/**
 * Creates the data directory if it does not exist, first under another name, so that an incomplete one is never used.
 */
export async function makeCluster(home: Home): Promise<void> {
  if (fs.existsSync(path.join(home.data, 'PG_VERSION'))) return refuseOtherVersion(home.data, bundledVersion());
  removeHalfMade(home.data);
  const half = fs.mkdtempSync(`${home.data}.new-`);
  // initdb needs a user from the password file, which does not list the server's own.
  const maker = home.account && idleAccount();
  if (maker) giveTo(maker, half);
  const options = [
    '-U',
    'calsyncd',
    '--auth-local=trust',
    '--auth-host=reject',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ];
  const initdb = path.join(readyBinaries(home.root, maker), 'bin', 'initdb');
  // Detached, like the server: a Ctrl-C in the terminal is meant for us, and must not look like a failure of
  // PostgreSQL.
  const making = spawn(initdb, ['-D', directoryArgument(half, maker), ...options], {
    ...runAs(maker, half),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(making.stderr);
  const [status] = await once(making, 'close').catch((error: Error) => {
    throw startFailure(error.message, error);
  });
  if (NO_ENTRY.test(await said))
    throw new AppError(
      'database-no-user',
      `PostgreSQL runs only as a user with a name, and number ${process.getuid?.()} has none in /etc/passwd. ` +
        'Run calsyncd as a user with an entry there, or install PostgreSQL and set DATABASE_URL.',
    );
  if (status !== 0) throw startFailure(await said);
  if (home.account) giveTo(home.account, half);
  fs.renameSync(half, home.data);
}

/**
 * Throws AppError, with advice for the upgrade, if the files in `data` are of another major version than the server's
 * `version`: PostgreSQL reads only files of its own.
 */
export function refuseOtherVersion(data: string, version: string): void {
  const [files, server] = [fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim(), majorOf(version)];
  if (files === server) return;
  const isOlder = Number(files) < Number(server);
  throw new AppError(
    'database-version',
    `The database in ${data} was made by PostgreSQL ${files}, and this calsyncd comes with PostgreSQL ${server}, which cannot read it. Nothing was changed. ${
      isOlder ? NEWER_SERVER : `Start the calsyncd that made it, or a later one.`
    }`,
  );
}

/** The major version of PostgreSQL, which determines the files that it can read. */
export const majorOf = (version: string): string => /^\d+/.exec(version)?.[0] ?? version;

const NEWER_SERVER =
  'To bring it over: with the version of calsyncd that ran before, "npm run -s calsyncd -- backup FILE"; ' +
  'then move the folder away, and with this one "npm run -s calsyncd -- restore FILE". ' +
  'docs/upgrade.md has the steps.';

/**
 * The same home, but with a separate user for the server: if root had given it to `nobody`, which any program may run
 * as, it is given to a user of its own. Call this only while no server runs there.
 */
export function withOwnUser(home: Home): Home {
  const { account: shared } = home;
  // If the whole home belongs to another user, so does the program, and root only helps.
  if (!shared || !isShared(shared) || fs.statSync(home.root).uid !== 0) return home;
  const account = ownAccount();
  giveTo(account, home.data);
  const socketDirectory = socketDirectoryOf(home.data, shared);
  if (fs.existsSync(socketDirectory) && fs.lstatSync(socketDirectory).uid === shared.uid)
    giveTo(account, socketDirectory);
  return { ...home, account };
}

/** Removes what killed processes left behind. If their initdb is still writing, a later start removes it. */
function removeHalfMade(data: string): void {
  const directory = path.dirname(data);
  for (const name of fs.readdirSync(directory).filter((each) => each.startsWith(`${path.basename(data)}.new`))) {
    try {
      fs.rmSync(path.join(directory, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

/**
 * Starts the server detached from us: it survives when this process is killed, and a Ctrl-C in the terminal does not
 * reach it.
 */
export function spawnServer(home: Home): { child: ChildProcess; socketDirectory: string } {
  const previous = postmasterLines(home.data)[4];
  removeForeignLock(home.data);
  const socketDirectory = makeSocketDirectory(home.data, home.account, previous);
  if (fs.existsSync(home.log)) fs.renameSync(home.log, `${home.log}.1`);
  const log = fs.openSync(home.log, 'a', 0o600);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketDirectory}"`,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: '64MB',
    cluster_name: 'calsyncd',
    // Uses its own files, because a container's /dev/shm is small, and systemd empties it when the user logs out.
    dynamic_shared_memory_type: 'mmap',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    path.join(readyBinaries(home.root, home.account), 'bin', 'postgres'),
    ['-D', directoryArgument(home.data, home.account), ...args],
    { ...runAs(home.account, home.data), detached: true, stdio: ['ignore', log, log] },
  );
  fs.closeSync(log);
  child.unref();
  return { child, socketDirectory };
}

/** Shuts a server down (fast: clients are disconnected, everything is written) and waits until it has ended. */
export async function stopServer({ pid, socketDirectory }: Running): Promise<void> {
  const identity = processIdentity(pid);
  const gone = async (signal: NodeJS.Signals, waitMs: number): Promise<boolean> => {
    signalServer(pid, signal);
    for (const until = performance.now() + waitMs; performance.now() < until; await sleep(10))
      if (processIdentity(pid) !== identity) return true;
    return false;
  };
  // An immediate shutdown loses nothing either: the next start recovers from the log.
  if (identity !== undefined && !(await gone('SIGINT', 30_000)) && !(await gone('SIGQUIT', 10_000))) {
    throw new AppError(
      'database-stop',
      `PostgreSQL (process ${pid}) does not stop. End it by hand before the next start.`,
    );
  }
  if (socketDirectory) fs.rmSync(socketDirectory, { recursive: true, force: true });
}

/** Advice by what the server says; the last entry is for anything else. */
const START_ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/file descriptors|too many open files/i, 'Allow more open files: "ulimit -n 1024", or LimitNOFILE= of a service.'],
  [/no space left/i, 'Make room on its disk.'],
  [/(?:)/, 'Remove what is in its way, or install PostgreSQL and set DATABASE_URL.'],
];

/** An error that quotes what the server said. */
export function startFailure(said: string, cause?: unknown): AppError {
  const advice = START_ADVICE.find(([fits]) => fits.test(said))?.[1];
  return new AppError(
    'database-start',
    `The embedded PostgreSQL does not start: ${said.trim() || 'it said nothing'}\n${advice}`,
    { cause },
  );
}

/** Sends a signal to a server, unless it has gone already. */
export function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const runAs = (
  account: Account | undefined,
  cwd: string,
): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } => ({
  cwd,
  env: ENVIRONMENT,
  ...(account && { uid: account.uid, gid: account.gid }),
});

// The server's user may not be able to traverse the parents of the data directory, so root makes it the working
// directory.
function directoryArgument(directory: string, account: Account | undefined): string {
  if (canReach(directory, account)) return directory;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new AppError(
    'data-directory',
    `The user ${account?.name} that PostgreSQL runs as cannot reach ${directory}. Set DATA_DIR to a directory that it can reach.`,
  );
}

// After a reboot, or in a new container, the number in the lock file may belong to another program and keep PostgreSQL
// from starting. PostgreSQL still detects running servers by their shared memory.
function removeForeignLock(data: string): void {
  const pid = Number(postmasterLines(data)[0]);
  if (pid > 0 && processIdentity(pid) !== undefined && !isServerOf(pid, data))
    fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
}

function postmasterLines(data: string): readonly string[] {
  try {
    return fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}
