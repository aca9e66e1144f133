import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { openDatabase, sql, type DatabaseAddress } from '../../src/db/database.ts';
import { processIdentity } from '../../src/db/embedded/process.ts';
import { runningAddress, startEmbedded } from '../../src/db/embedded/start.ts';
import { until } from '../support/until.ts';

interface Said {
  readonly pid: number;
  readonly listen: string;
  readonly address: { readonly socketDirectory: string };
  readonly tookMs: number;
  readonly error?: string;
  readonly code?: string;
}
interface User {
  readonly child: ChildProcess;
  readonly said: Said;
}

const NOBODY = 65_534;
const asRoot = process.getuid?.() === 0;
const users: ChildProcess[] = [];
const directories: string[] = [];

afterEach(async () => {
  await Promise.all(users.splice(0).map(leave));
  for (const directory of directories.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

function newDirectory(...below: readonly string[]): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'calsyncd-embedded-'));
  fs.chmodSync(directory, 0o755);
  directories.push(directory);
  return path.join(directory, ...below);
}

// Does what systemd's PrivateTmp does, but keeps a clone below /tmp visible at its place.
const OWN_TMP = [
  'mount -t tmpfs -o mode=1777 tmpfs /tmp',
  'mkdir -p "$PWD"',
  'mount --no-canonicalize --bind /proc/self/cwd "$PWD"',
  'exec setpriv --reuid="$0" --regid="$0" --clear-groups "$@"',
].join(' && ');

async function use(directory: string, uid?: number, hasOwnTmp = false): Promise<User> {
  const command = [process.execPath, 'test/support/embedded-user.ts', directory];
  const [program = '', ...args] = hasOwnTmp
    ? ['unshare', '--mount', 'sh', '-c', OWN_TMP, String(uid), ...command]
    : command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && !hasOwnTmp && { uid, gid: uid }),
  });
  users.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { child, said: JSON.parse(line) as Said };
  throw new Error(`${program} ended with nothing said`);
}

async function leave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const isRunning = (pid: number): boolean => processIdentity(pid) !== undefined;

async function query<T>(address: DatabaseAddress, statement: string): Promise<T[]> {
  const database = openDatabase(address, 1);
  return sql
    .raw<T>(statement)
    .execute(database.query())
    .then(({ rows }) => rows)
    .finally(database.close);
}

test('starts in an empty directory, keeps data across a restart, and leaves no process or socket behind', async () => {
  const directory = newDirectory('data');
  const first = await startEmbedded(directory);
  await query(first.address, 'CREATE TABLE kept AS SELECT 1 AS one');
  await first.stop();
  const second = await use(directory);
  expect(second.said.listen).toBe('');
  expect(await query(first.address, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  expect(fs.statSync(second.said.address.socketDirectory).mode & 0o777).toBe(0o700);
  await leave(second.child);
  expect(isRunning(second.said.pid)).toBe(false);
  expect(fs.existsSync(second.said.address.socketDirectory)).toBe(false);
  expect(fs.readdirSync(path.join(directory, 'postgres', 'users'))).toEqual([]);
});

test('processes that start at the same time share one server, and the last to leave stops it', async () => {
  const directory = newDirectory();
  const [one, two, three] = await Promise.all([use(directory), use(directory), use(directory)]);
  expect([two.said.pid, three.said.pid]).toEqual([one.said.pid, one.said.pid]);
  await leave(one.child);
  await leave(two.child);
  expect(isRunning(three.said.pid)).toBe(true);
  await leave(three.child);
  expect(isRunning(three.said.pid)).toBe(false);
});

test('two uses in one process are counted separately, and a use that stops twice counts once', async () => {
  const directory = newDirectory();
  const one = await startEmbedded(directory);
  const two = await startEmbedded(directory);
  await one.stop();
  await one.stop();
  expect(await query(two.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await two.stop();
});

test('the process that starts the server is told so before it answers; one that finds it running is not', async () => {
  const directory = newDirectory();
  const heard: unknown[] = [];
  const first = await startEmbedded(directory, () => heard.push(['on its way', runningAddress(directory)]));
  const second = await startEmbedded(directory, () => heard.push('once more'));
  expect(heard).toEqual([['on its way', undefined]]);
  await second.stop();
  await first.stop();
});

test('a killed process leaves the server running; the next one attaches and stops it when it leaves', async () => {
  const directory = newDirectory();
  const killed = await use(directory);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  expect(isRunning(killed.said.pid)).toBe(true);
  const next = await use(directory);
  expect(next.said.pid).toBe(killed.said.pid);
  await leave(next.child);
  expect(isRunning(next.said.pid)).toBe(false);
});

test('a process killed while it creates the database does not keep later ones from starting', async () => {
  const directory = newDirectory();
  const half = (): readonly string[] => fs.globSync(path.join(directory, 'postgres', 'data.new*', '*'));
  // At several stages: the initdb that it has started carries on.
  for (const files of [1, 5, 20]) {
    const before = new Set(half());
    const killed = spawn(process.execPath, ['test/support/embedded-user.ts', directory], { stdio: 'ignore' });
    await until('a database that is being made', () => half().filter((file) => !before.has(file)).length >= files);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  }
  const server = await startEmbedded(directory);
  expect(await query(server.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a killed server is started again with all its data', async () => {
  const directory = newDirectory();
  const { said } = await use(directory);
  await query(said.address as DatabaseAddress, 'CREATE TABLE kept AS SELECT 1 AS one');
  process.kill(said.pid, 'SIGKILL');
  const next = await startEmbedded(directory);
  expect(await query(next.address, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  await next.stop();
});

test('a server that dies while in use comes back on the same socket, once for all its users', async () => {
  const directory = newDirectory();
  const server = await startEmbedded(directory);
  const { said } = await use(directory);
  await query(server.address, 'CREATE TABLE kept AS SELECT 1 AS one');
  process.kill(said.pid, 'SIGKILL');
  await expect
    .poll(() => query(server.address, 'SELECT one FROM kept').catch(String), { timeout: 30_000, interval: 100 })
    .toEqual([{ one: 1 }]);
  const { said: later } = await use(directory);
  expect([later.pid === said.pid, later.address]).toEqual([false, said.address]);
  await server.stop();
});

test('a lock file with the process ID of another living process does not keep the server from starting', async () => {
  const directory = newDirectory();
  await startEmbedded(directory).then(({ stop }) => stop());
  fs.writeFileSync(
    path.join(directory, 'postgres', 'data', 'postmaster.pid'),
    `${process.pid}\n/elsewhere\n1\n5432\n/tmp\n\n  1 1\n`,
  );
  const next = await startEmbedded(directory);
  expect(await query(next.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await next.stop();
});

test('a server whose socket was deleted is stopped and started again', async () => {
  const directory = newDirectory();
  const { said } = await use(directory);
  fs.rmSync(said.address.socketDirectory, { recursive: true });
  const next = await startEmbedded(directory);
  expect(await query(next.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(isRunning(said.pid)).toBe(false);
  await next.stop();
});

test.each([
  ['with blanks, quotes and umlauts in its name', ['d\'a ta, "ü" $HOME']],
  ['with a path too long for a socket', Array.from({ length: 12 }, () => 'a-very-long-name-of-a-directory')],
])('a data directory %s can be used', async (_, below) => {
  const server = await startEmbedded(newDirectory(...below));
  expect(await query(server.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await server.stop();
});

const canUnshare = asRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!canUnshare) process.stderr.write('NOT RUN: a server with a /tmp of its own (it takes root on Linux)\n');

test.runIf(canUnshare).each([
  { who: 'the process that starts the server', own: [true, false] },
  { who: 'the process that comes later', own: [false, true] },
])('$who has a private /tmp, and both use the same server', async ({ own: [first, later] }) => {
  const directory = fs.mkdtempSync('/var/tmp/calsyncd-embedded-');
  directories.push(directory);
  fs.chownSync(directory, NOBODY, NOBODY);
  const one = await use(directory, NOBODY, first);
  const two = await use(directory, NOBODY, later);
  expect(two.said.pid).toBe(one.said.pid);
  await leave(two.child);
  expect(isRunning(one.said.pid)).toBe(true);
  await leave(one.child);
  expect(isRunning(one.said.pid)).toBe(false);
});

test('a data directory that is a file is refused with a message', async () => {
  const file = newDirectory('file');
  fs.writeFileSync(file, '');
  await expect(startEmbedded(file)).rejects.toMatchObject({
    code: 'data-directory',
    message: expect.stringContaining('Set DATA_DIR'),
  });
});

test('on a platform without a bundled PostgreSQL, the message says what to install', async () => {
  const arch = Object.getOwnPropertyDescriptor(process, 'arch') as PropertyDescriptor;
  Object.defineProperty(process, 'arch', { ...arch, value: 'sparc' });
  try {
    await expect(startEmbedded(newDirectory())).rejects.toMatchObject({
      code: 'database-missing',
      message: expect.stringMatching(
        /no PostgreSQL is bundled for \w+-sparc\. Install PostgreSQL 15 or later, and set DATABASE_URL/,
      ),
    });
  } finally {
    Object.defineProperty(process, 'arch', arch);
  }
});

const modesIn = (root: string): readonly string[] =>
  ['', 'users', 'lock'].map((name) => (fs.statSync(path.join(root, name)).mode & 0o777).toString(8));

test('other users cannot hold its lock, even after its permissions were widened', async () => {
  const directory = newDirectory('data');
  const root = path.join(directory, 'postgres');
  const first = await startEmbedded(directory);
  await query(first.address, 'CREATE TABLE kept AS SELECT 1 AS one');
  await first.stop();
  expect(modesIn(root)).toEqual(['700', '700', '600']);
  for (const [name, mode] of [
    ['', 0o755],
    ['users', 0o755],
    ['lock', 0o644],
  ] as const)
    fs.chmodSync(path.join(root, name), mode);
  const again = await startEmbedded(directory);
  expect(modesIn(root)).toEqual(['700', '700', '600']);
  expect(await query(again.address, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  await again.stop();
});

test.runIf(asRoot)('another user cannot keep it from starting by creating its socket directory first', async () => {
  const directory = newDirectory();
  fs.chownSync(directory, NOBODY, NOBODY);
  const first = await use(directory, NOBODY);
  const { socketDirectory } = first.said.address;
  await leave(first.child);
  fs.mkdirSync(socketDirectory);
  directories.push(socketDirectory);
  const next = await use(directory, NOBODY);
  expect(next.said.error).toBeUndefined();
  expect(await query(next.said.address as DatabaseAddress, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  // Others find the server there, and it comes back at the same place.
  process.kill(next.said.pid, 'SIGKILL');
  await expect
    .poll(() => query(next.said.address as DatabaseAddress, 'SELECT 1 AS one').catch(String), {
      timeout: 30_000,
      interval: 100,
    })
    .toEqual([{ one: 1 }]);
  expect((await use(directory, NOBODY)).said.address).toEqual(next.said.address);
});

const usersOfTheMachine = (): readonly number[] =>
  fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]));
const userOf = (pid: number): number => fs.statSync(`/proc/${pid}`).uid;

test.runIf(asRoot)('root: the server has a user that no other program runs as', async () => {
  const directory = newDirectory();
  const { said } = await use(directory);
  expect([0, ...usersOfTheMachine()]).not.toContain(userOf(said.pid));
  expect(fs.statSync(path.join(directory, 'postgres', 'data', 'base')).uid).toBe(userOf(said.pid));
  // The server of another database runs as yet another user.
  const other = await use(newDirectory());
  expect([userOf(said.pid), 0, ...usersOfTheMachine()]).not.toContain(userOf(other.said.pid));
});

test.runIf(asRoot)(
  'root: a database that belongs to "nobody" gets an owner of its own, with all its data',
  async () => {
    const directory = newDirectory();
    const { child, said } = await use(directory);
    await query(said.address as DatabaseAddress, 'CREATE TABLE kept AS SELECT 1 AS one');
    const { socketDirectory } = said.address;
    process.kill(said.pid, 'SIGKILL');
    child.kill('SIGKILL');
    await until('the end of the server', () => !isRunning(said.pid));
    // The files belong to "nobody", as on a machine without a user `postgres`, and the server was killed.
    const data = path.join(directory, 'postgres', 'data');
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data, socketDirectory]);
    const next = await use(directory);
    expect(next.said.error).toBeUndefined();
    expect([0, ...usersOfTheMachine()]).not.toContain(userOf(next.said.pid));
    expect(
      fs
        .globSync('**', { cwd: data })
        .map((name) => fs.lstatSync(path.join(data, name)).uid)
        .filter((uid) => uid === NOBODY),
    ).toEqual([]);
    expect(await query(next.said.address as DatabaseAddress, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  },
);

test.runIf(asRoot)('root: the server runs as another user, even below a directory closed to that user', async () => {
  const closed = newDirectory();
  fs.chmodSync(closed, 0o700);
  const { said, child } = await use(path.join(closed, 'data'));
  expect(fs.statSync(`/proc/${said.pid}`).uid).not.toBe(0);
  await leave(child);
  const again = await use(path.join(closed, 'data'));
  expect(again.said.error).toBeUndefined();
});

test.runIf(asRoot)('not root: the server runs as the same user; root can join it, and other users cannot', async () => {
  const directory = newDirectory();
  fs.chownSync(directory, 65_534, 65_534);
  const { said } = await use(directory, 65_534);
  expect(said.error).toBeUndefined();
  expect(fs.statSync(`/proc/${said.pid}`).uid).toBe(65_534);
  expect((await use(directory)).said.pid).toBe(said.pid);
  fs.chmodSync(path.join(directory, 'postgres', 'users'), 0o777);
  expect((await use(directory, 1)).said).toMatchObject({ code: 'data-directory' });
});

test.runIf(asRoot)('a data directory that cannot be written is refused with a message', async () => {
  const data = newDirectory('data');
  expect((await use(data, NOBODY)).said).toEqual({
    code: 'data-directory',
    error: `The data directory ${data} cannot be used: calsyncd is not allowed to write it. Set DATA_DIR to a directory that this user can write to.`,
  });
});

test.runIf(asRoot && process.platform === 'linux')(
  'a data directory in a place where nobody can create one is refused with a message',
  async () => {
    expect((await use('/proc/calsyncd')).said).toMatchObject({
      code: 'data-directory',
      error: expect.stringContaining('/proc/calsyncd cannot be used: nobody can make a folder in /proc.'),
    });
  },
);

test.runIf(asRoot)('version says that it cannot read a closed data directory, instead of calling it empty', () => {
  const closed = newDirectory('data');
  fs.mkdirSync(path.join(closed, 'postgres', 'data'), { recursive: true, mode: 0o700 });
  const version = (dataDir: string): { readonly stdout: string; readonly stderr: string } =>
    spawnSync(process.execPath, ['src/launch.js', 'version'], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: undefined },
      uid: NOBODY,
      gid: NOBODY,
    });
  expect(version(closed)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `This user cannot read the data directory ${closed}. Run as the user that made it, or set DATA_DIR to another directory.\n`,
  });
  expect(version(newDirectory()).stdout).toContain('There is no database here yet: the first start creates it.');
});
