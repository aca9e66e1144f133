import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOwnQueue } from '../../src/queue/own-queue.ts';
import { openDatabase, sql, type Database } from '../../src/db/database.ts';
import { createLogger } from '../../src/log.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { schedule } from '../../src/queue/schedulers.ts';
import { SYNC_QUEUE } from '../../src/queue/jobs.ts';
import { waitForDatabase } from '../../src/db/wait.ts';
import { runProgram } from '../../src/cli/program.ts';
import { scratchPath } from '../support/scratch.ts';
import { tableDigests } from '../support/table-digests.ts';
import { sampleTown } from '../support/sample-town.ts';

// Moves from the embedded server to another PostgreSQL version and back, each time with a backup and a restore.

const BINARIES = '/usr/lib/postgresql/15/bin';
const OTHER = existsSync(BINARIES);
const folder = mkdtempSync(scratchPath('moving'));
const homes = { first: path.join(folder, 'first'), back: path.join(folder, 'back') };
const config = path.join(folder, 'town.yaml');
let other: { readonly url: string; readonly process: ChildProcess } | undefined;

beforeAll(async () => {
  writeFileSync(config, await sampleTown(folder));
  if (OTHER) other = await startOther();
});
afterAll(async () => {
  const { process: server } = other ?? {};
  if (server) {
    const ended = new Promise((resolve) => void server.on('exit', resolve));
    server.kill('SIGINT');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts Debian's PostgreSQL on a socket; root starts it as the user that Debian has created for it. */
async function startOther(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const home = mkdtempSync('/tmp/calsyncd-other-');
  const data = path.join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  const account = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  const user = process.getuid?.() === 0 && account ? { uid: Number(account[1]), gid: Number(account[2]) } : {};
  if (user.uid !== undefined) for (const each of [home, data]) chownSync(each, user.uid, user.gid);
  execFileSync(`${BINARIES}/initdb`, ['-D', data, '-U', 'town', '-A', 'trust', '-E', 'UTF8', '--locale=C'], {
    ...user,
    cwd: home,
  });
  const server = spawn(`${BINARIES}/postgres`, ['-D', data, '-k', home, '-c', 'listen_addresses='], {
    ...user,
    cwd: home,
    stdio: 'ignore',
  });
  server.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const url = `postgresql:///postgres?host=${encodeURIComponent(home)}&user=town`;
  const database = openDatabase({ url }, 1);
  await waitForDatabase(database, { url }, 30_000).finally(database.close);
  return { url, process: server };
}

interface Where {
  readonly home?: string;
  readonly url?: string;
}

/** Runs a command on the database at `where`, checks that it succeeds, and returns its output. */
async function command(where: Where, ...words: readonly string[]): Promise<string> {
  const { code, said } = await outcome(where, ...words);
  expect([code, said]).toEqual([0, said]);
  return said;
}

async function outcome(
  where: Where,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  const env = {
    DATA_DIR: where.home ?? path.join(folder, 'unused'),
    DATABASE_URL: where.url ?? '',
    LOG_LEVEL: 'fatal',
  };
  let said = '';
  const note = (text: string): void => {
    said += text;
  };
  Object.assign(process.env, env);
  try {
    const code = await runProgram([...words, '--config', config], {
      out: note,
      err: note,
      isTerminal: false,
      now: Date.now,
      stopped: new Promise(() => undefined),
    });
    return { code, said };
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
}

/** What a database contains, except for what programs note about themselves. */
async function contentOf(database: Database): Promise<Readonly<Record<string, string>>> {
  const all = await tableDigests(database.query());
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => /^site\.(?!sessions)|ledger|runs|batches/.test(name)),
  );
}

async function contentAt(where: Where): Promise<Readonly<Record<string, string>>> {
  const server = where.home === undefined ? undefined : await startEmbedded(where.home);
  const database = openDatabase(server?.address ?? { url: where.url ?? '' }, 2);
  return contentOf(database).finally(async () => {
    await database.close();
    await server?.stop();
  });
}

test.runIf(OTHER)('moving from the embedded server to PostgreSQL 15 and back loses nothing', async () => {
  const url = other?.url ?? '';
  const [first, second] = [path.join(folder, 'first.tar.zst'), path.join(folder, 'second.tar.zst')];
  await command({ home: homes.first }, 'sync');
  await command({ home: homes.first }, 'backup', first);
  const before = await contentAt({ home: homes.first });
  const events = Number.parseInt(before['site.events'] ?? '', 10);
  expect(events).toBeGreaterThan(50);

  expect(await command({ url }, 'restore', first)).toContain('Restored');
  expect(await contentAt({ url })).toEqual(before);
  expect(await command({ url }, 'sync')).toContain(`${events} unchanged`);

  await command({ url }, 'backup', second);
  const there = await contentAt({ url });
  await command({ home: homes.back }, 'restore', second);
  expect(await contentAt({ home: homes.back })).toEqual(there);
  expect(await command({ home: homes.back }, 'sync')).toContain(`${events} unchanged`);
});

test('a backup does not contain the queue, whose schedules are created from the configuration', async () => {
  const file = path.join(folder, 'queue.tar.zst');
  const home = path.join(folder, 'queue');
  await command({ home }, 'sync');
  const server = await startEmbedded(home);
  const due = { source: 'theatre', everyMs: 6 * 3_600_000 };
  await schedulersOf(server.address, async (queue) => schedule(queue, [due]));
  await command({ home }, 'backup', file);
  await command({ home }, 'restore', file, '--yes');
  const database = openDatabase(server.address, 1);
  const { rows } = await sql`select from information_schema.tables where table_schema = 'bullmq'`.execute(
    database.query(),
  );
  expect(rows).toEqual([]);
  await database.close();
  await schedulersOf(server.address, async (queue) => {
    expect(await queue.getJobSchedulers()).toEqual([]);
    await schedule(queue, [due]);
    expect(await queue.getJobSchedulers()).toMatchObject([{ key: expect.stringContaining('theatre') }]);
  });
  await server.stop();
});

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

test.runIf(canMount)(
  'restoring to a disk without enough space is refused before anything is created there',
  async () => {
    const file = path.join(folder, 'small.tar.zst');
    const disk = path.join(folder, 'small');
    mkdirSync(disk);
    await command({ home: path.join(folder, 'large') }, 'sync');
    await command({ home: path.join(folder, 'large') }, 'backup', file);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    try {
      const { code, said } = await outcome({ home: path.join(disk, 'made', 'later') }, 'restore', file);
      expect(code).toBe(1);
      expect(said).toMatch(/not enough space in .*later: about .* is needed, 66 kB is free\. Nothing was changed\./);
      expect(existsSync(path.join(disk, 'made'))).toBe(false);
    } finally {
      execFileSync('umount', [disk]);
    }
  },
);

type Queue = Parameters<typeof schedule>[0];

async function schedulersOf(
  address: Awaited<ReturnType<typeof startEmbedded>>['address'],
  work: (queue: Queue) => Promise<void>,
): Promise<void> {
  const own = makeOwnQueue({ database: address }, () => ['site'], createLogger('fatal'));
  try {
    await work(await (await own.backend()).queue(SYNC_QUEUE));
  } finally {
    await own.close();
  }
}
