import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LEFT_OUT } from '../../src/backup/catalog.ts';
import { checkBackup } from '../../src/backup/check-backup.ts';
import { makePhysicalBackup } from '../../src/backup/physical/make-physical.ts';
import { restorePhysical } from '../../src/backup/physical/restore-physical.ts';
import { runProgram } from '../../src/cli/program.ts';
import { openDatabase, PATIENT, sql, type Database } from '../../src/db/database.ts';
import { runningServer } from '../../src/db/embedded/server.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { MIGRATIONS } from '../../src/db/migrate.ts';
import { processIdentity } from '../../src/db/embedded/process.ts';
import { repacked } from '../support/repacked.ts';
import { sampleTown } from '../support/sample-town.ts';
import { scratchPath } from '../support/scratch.ts';
import { tableDigests } from '../support/table-digests.ts';
import { printLine } from '../support/town.ts';
import { until } from '../support/until.ts';

// The files of the embedded server, copied while it is in use, and restored in the place of others.

const folder = mkdtempSync(scratchPath('physical'));
const config = path.join(folder, 'town.yaml');
const home = path.join(folder, 'home');
const file = path.join(folder, 'town.tar.zst');
const UPLOAD = `${'a'.repeat(32)}.ics`;
const NAMES = MIGRATIONS.map(({ name }) => name);

/** How many rows were written before the backup and until its end; then what the database contained, and its report. */
let written: { readonly before: number; readonly after: number };
let content: Readonly<Record<string, string>>;
let said: unknown;

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function command(dataDir: string, ...words: readonly string[]): Promise<Said> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'fatal' };
  let [out, err] = ['', ''];
  Object.assign(process.env, env);
  try {
    const code = await runProgram([...words, '--config', config], {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      isTerminal: false,
      now: Date.now,
      stopped: new Promise(() => undefined),
    });
    return { code, out, err };
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
}

/** Runs a command that has to succeed; returns its output. */
async function done(dataDir: string, ...words: readonly string[]): Promise<string> {
  const { code, out, err } = await command(dataDir, ...words);
  if (code !== 0) throw new Error(`${words.join(' ')} has ended with ${code}: ${err}`);
  return out;
}

/** Starts a command in a new process. */
const spawned = (dataDir: string, ...words: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['src/main.ts', ...words, '--config', config], {
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'fatal' },
  });

async function inDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const server = await startEmbedded(dataDir);
  const database = openDatabase(server.address, 4, PATIENT);
  return work(database).finally(async () => {
    await database.close();
    await server.stop();
  });
}

const write = (database: Database, number: number) =>
  sql`insert into calsync.notes (site, source, text, name)
    values ('builtin', ${`s${number}`}, ${`${number} ${'x'.repeat(3_000)}`}, 'clerk')`.execute(database.query());

async function notes(database: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`select substr(source, 2)::int as number from calsync.notes
    where source ~ '^s\\d+$' order by 1`.execute(database.query());
  return rows.map(({ number }) => number);
}

/** Digests of the tables, except those that change all the time and those that a backup leaves out. */
async function contentOf(database: Database): Promise<Readonly<Record<string, string>>> {
  const all = await tableDigests(database.query());
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !(name in LEFT_OUT) && name !== 'calsync.notes' && !/leases/.test(name)),
  );
}

const postgresIn = (dataDir: string): readonly string[] =>
  readdirSync(path.join(dataDir, 'postgres'))
    .filter((name) => !name.startsWith('postgres.log'))
    .toSorted();
const NOTHING_ELSE = ['data', 'lock', 'users'];

/** The data directory after the first sync. */
const fresh = path.join(folder, 'fresh');
// Keeps the owners of the files.
const copyTo = (place: string): Buffer => execFileSync('cp', ['-a', fresh, place]);
/** Another such directory without a running server; copying one takes a tenth of the time of creating one. */
function syncedHome(): string {
  const place = path.join(mkdtempSync(path.join(folder, 'synced-')), 'home');
  copyTo(place);
  return place;
}

beforeAll(async () => {
  writeFileSync(config, await sampleTown(folder));
  await done(fresh, 'sync');
  copyTo(home);
  mkdirSync(path.join(home, 'uploads'), { recursive: true });
  writeFileSync(path.join(home, 'uploads', UPLOAD), 'BEGIN:VCALENDAR');
  await inDatabase(home, async (database) => {
    await sql`create schema if not exists bullmq; create table bullmq.left_over (id int);
      insert into calsync.config_versions (hash, bytes, name, via, changes)
      values ('x', 'a password', 'clerk', 'console', '')`.execute(database.query());
    content = await contentOf(database);
    // Keeps writing during the backup.
    const leaving = new AbortController();
    let count = 0;
    const writing = (async () => {
      for (; !leaving.signal.aborted; count += 1) await write(database, count);
    })();
    await until('some notes', () => count > 100);
    const before = count;
    said = JSON.parse(await done(home, 'backup', file, '--physical', '--json'));
    leaving.abort();
    await writing;
    written = { before, after: count };
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a restore has everything from before the backup began, and what came later up to one moment', async () => {
  const there = path.join(folder, 'there');
  printLine(`${written.before} rows before the backup, ${written.after} after it, ${statSync(file).size} bytes`);
  expect(written.after).toBeGreaterThan(written.before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(said).toMatchObject({
    kind: 'physical',
    file,
    bytes: statSync(file).size,
    uploads: 1,
    platform: `${process.platform}-${process.arch}`,
  });
  expect(await done(there, 'restore', file)).toMatch(/files of PostgreSQL 18\.\d.*, 1 uploaded file/);
  expect(postgresIn(there)).toEqual(NOTHING_ELSE);
  expect(readFileSync(path.join(there, 'uploads', UPLOAD), 'utf8')).toBe('BEGIN:VCALENDAR');
  await inDatabase(there, async (database) => {
    const found = await notes(database);
    expect(found.length).toBeGreaterThanOrEqual(written.before);
    expect(found).toEqual(Array.from(found, (_, index) => index));
    expect(await contentOf(database)).toEqual(content);
    const all = await tableDigests(database.query());
    for (const name of Object.keys(LEFT_OUT)) expect([name, all[name]]).toEqual([name, '0 ']);
    const { rows } = await sql`select from pg_namespace where nspname = 'bullmq'`.execute(database.query());
    expect(rows).toEqual([]);
    await write(database, found.length);
  });
  expect(await done(there, 'sync')).toContain('unchanged');
});

test('a backup can be made without a daemon, and doctor knows it afterwards', async () => {
  const alone = path.join(folder, 'alone.tar.zst');
  expect(await done(home, 'backup', alone, '--physical')).toMatch(
    /files of PostgreSQL.*It is for the same PostgreSQL/s,
  );
  expect((await command(home, 'doctor')).out).toContain(alone);
  const slots = await inDatabase(home, ({ query }) => sql`select from pg_replication_slots`.execute(query()));
  expect(slots.rows).toEqual([]);
});

test.each([[[]], [['--physical']]])('a backup that is stopped leaves no file behind (%j)', async (options) => {
  const stopped = mkdtempSync(path.join(folder, 'stopped-'));
  const to = path.join(stopped, 'town.tar.zst');
  const child = spawned(home, 'backup', to, ...options);
  const ended = once(child, 'exit');
  while (readdirSync(stopped).length === 0 && child.exitCode === null) await sleep(1);
  child.kill('SIGINT');
  // The backup may have been faster.
  const [code] = await ended;
  expect(readdirSync(stopped)).toEqual(code === 0 ? ['town.tar.zst'] : []);
});

test('a restore replaces existing data only on request, and not while it is in use', async () => {
  const there = syncedHome();
  expect(await command(there, 'restore', file)).toMatchObject({
    code: 64,
    err: expect.stringMatching(/Everything that calsyncd keeps in the database in .* add --yes to do it/),
  });
  const used = await startEmbedded(there);
  expect(await command(there, 'restore', file, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('calsyncd is running on this database. Stop it first.'),
  });
  await used.stop();
  await inDatabase(there, async (database) => expect(await notes(database)).toEqual([]));
  for (const _ of ['once', 'again']) {
    expect(JSON.parse(await done(there, 'restore', file, '--yes', '--json'))).toMatchObject({
      kind: 'physical',
      file,
      uploads: 1,
      goes_on: false,
      migrated: [],
    });
    expect(postgresIn(there)).toEqual(NOTHING_ELSE);
    await inDatabase(there, async (database) => expect((await notes(database)).length).toBeGreaterThan(100));
  }
});

/** Makes a backup, and lets something happen once while its first files are copied. */
async function backupWhile(dataDir: string, to: string, happens: (database: Database) => Promise<void>): Promise<void> {
  await inDatabase(dataDir, async (database) => {
    let isDone = false;
    await makePhysicalBackup({
      database,
      data: path.join(dataDir, 'postgres', 'data'),
      file: to,
      uploads: path.join(dataDir, 'uploads'),
      program: '9.9.9',
      now: Date.now(),
      onProgress: async ({ unit }) => {
        if (isDone || unit !== 'bytes') return;
        isDone = true;
        await happens(database);
      },
    });
    expect(isDone).toBe(true);
  });
}

test('files that appear, vanish, grow and shrink while they are copied are restored correctly', async () => {
  const [there, to] = [syncedHome(), path.join(folder, 'changing.tar.zst')];
  await inDatabase(there, async ({ query }) => {
    await sql`create table calsync.going as select * from generate_series(1, 100000) as id;
      create table calsync.shrinking as select * from generate_series(1, 100000) as id`.execute(query());
  });
  await backupWhile(there, to, async (database) => {
    await sql`create table calsync.coming as select * from generate_series(1, 100000) as id;
      drop table calsync.going; delete from calsync.shrinking where id > 10`.execute(database.query());
    for (const statement of ['vacuum calsync.shrinking', 'vacuum full site.events'])
      await sql.raw(statement).execute(database.query());
    // Each checkpoint allows the server to remove earlier log.
    for (let round = 0; round < 10; round += 1) {
      await write(database, round);
      for (const statement of ['select pg_switch_wal()', 'checkpoint'])
        await sql.raw(statement).execute(database.query());
    }
  });
  const kept = await inDatabase(there, contentOf);
  await done(there, 'restore', to, '--yes');
  await inDatabase(there, async (database) => {
    const found = await contentOf(database);
    expect(found).toEqual(kept);
    expect(found['calsync.coming']).toMatch(/^100000 /);
    expect(found['calsync.shrinking']).toMatch(/^10 /);
    expect(found).not.toHaveProperty('calsync.going');
    expect(await notes(database)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

test('a backup fails if log is removed before it is copied', async () => {
  const [there, to] = [syncedHome(), path.join(folder, 'gone.tar.zst')];
  const making = backupWhile(there, to, async (database) => {
    const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_current_wal_lsn()) as name`.execute(
      database.query(),
    );
    await sql`select pg_switch_wal()`.execute(database.query());
    for (const { name } of rows) rmSync(path.join(there, 'postgres', 'data', 'pg_wal', name));
  });
  await expect(making).rejects.toMatchObject({
    code: 'backup-physical',
    message: expect.stringMatching(/has removed its log.*No file was left/),
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('gone.tar'))).toEqual([]);
});

test.runIf(process.getuid?.() === 0)(
  'root can restore into the data directory of another user, who stays its owner',
  async () => {
    const NOBODY = 65_534;
    const there = syncedHome();
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, there]);
    for (const _ of ['once', 'again']) {
      await done(there, 'restore', file, '--yes');
      const owners = ['postgres', 'postgres/data', 'postgres/data/global/pg_control'].map(
        (name) => statSync(path.join(there, name)).uid,
      );
      expect(owners).toEqual([NOBODY, NOBODY, NOBODY]);
    }
  },
);

test('a backup of an earlier version is migrated after the restore', async () => {
  const there = path.join(folder, 'upgraded');
  const checked = await checkBackup(file, NAMES);
  if (checked.kind !== 'physical') throw new Error('it is one of rows');
  const later = {
    name: '999-later',
    up: async (db: Parameters<(typeof MIGRATIONS)[number]['up']>[0]) => {
      await sql`create table calsync.later (id int)`.execute(db);
    },
  };
  const told: string[] = [];
  const restored = await restorePhysical({
    dataDir: there,
    file,
    checked,
    uploads: path.join(there, 'uploads'),
    migrations: [...MIGRATIONS, later],
    onProgress: ({ doing }) => void told.push(doing ?? ''),
  });
  expect(restored).toEqual({ migrated: ['999-later'] });
  expect([...new Set(told)].slice(0, 4)).toEqual([
    'unpacking',
    'replaying the log',
    'reading every table',
    'bringing it up to date',
  ]);
  await inDatabase(there, async ({ query }) =>
    expect((await sql`select from calsync.later`.execute(query())).rows).toEqual([]),
  );
});

/** A backup with a damaged page that nothing in the log rewrites. */
async function damagedPage(): Promise<string> {
  const [relation = ''] = await inDatabase(home, async ({ query }) => {
    const { rows } = await sql<{ at: string }>`select pg_relation_filepath('site.events') as at`.execute(query());
    return rows.map(({ at }) => at);
  });
  let hit = 0;
  const damaged = await repacked(file, path.join(folder, 'page.tar.zst'), (member) => {
    if (member.name !== `server/${relation}`) return member;
    hit += 1;
    const bytes = Buffer.from(member.bytes);
    bytes.writeUInt8(~bytes.readUInt8(8_100) & 255, 8_100);
    return { name: member.name, content: [bytes] };
  });
  expect(hit).toBe(1);
  return damaged;
}

const without = (what: RegExp, name: string): Promise<string> =>
  repacked(file, path.join(folder, name), (member) => (what.test(member.name) ? undefined : member));

/** Unusable backups with the right checksums, and one that is cut off. */
const BROKEN: Readonly<Record<string, readonly [make: () => Promise<string>, says: RegExp]>> = {
  'a backup with a damaged page': [damagedPage, /cannot be used: .*invalid page in block 0.*Nothing was changed/],
  'a backup without its log': [
    () => without(/^server\/pg_wal\//, 'log.tar.zst'),
    /cannot be used: (?:no server can start on it|the log .* ends too early).*Nothing was changed/s,
  ],
  'a backup without the end of its log': [
    async () => {
      const segments: string[] = [];
      await repacked(file, path.join(folder, 'x.tar.zst'), (member) => {
        if (member.name.startsWith('server/pg_wal/')) segments.push(member.name);
        return member;
      });
      return repacked(file, path.join(folder, 'end.tar.zst'), (member) =>
        member.name === segments.at(-1) ? { name: member.name, content: [Buffer.alloc(member.bytes.length)] } : member,
      );
    },
    /cannot be used: (?:no server can start on it|the log .* ends too early).*Nothing was changed/s,
  ],
  'a backup without a file of the catalog': [
    () => without(/^server\/global\/pg_filenode\.map$/, 'map.tar.zst'),
    /cannot be used: no server can start on it.*Nothing was changed/s,
  ],
  'a backup that is cut off': [
    async () => {
      const cut = path.join(folder, 'cut.tar.zst');
      writeFileSync(cut, readFileSync(file).subarray(0, -500));
      return cut;
    },
    /cannot be used: it ends in the middle\. Nothing was changed/,
  ],
};

test.each(Object.keys(BROKEN))('%s is refused, and the existing data stays', async (what) => {
  const [make, says] = BROKEN[what]!;
  const there = syncedHome();
  const kept = await inDatabase(there, contentOf);
  expect(await command(there, 'restore', await make(), '--yes')).toMatchObject({
    code: 1,
    err: expect.stringMatching(says),
  });
  expect(postgresIn(there)).toEqual(NOTHING_ELSE);
  expect(await inDatabase(there, contentOf)).toEqual(kept);
});

test('a restore that is killed at any moment leaves either the old or the new data', async () => {
  const there = syncedHome();
  const staged = path.join(there, 'postgres', 'restoring', 'postgres', 'data');
  const outcomes: string[] = [];
  // At each of its stages, and shortly after it.
  const moments: readonly (() => boolean)[] = [
    () => existsSync(path.join(staged, 'PG_VERSION')),
    () => existsSync(path.join(staged, 'backup_label')),
    () => existsSync(path.join(staged, 'postmaster.pid')),
    () => existsSync(path.join(staged, 'backup_label.old')),
    () => existsSync(path.join(there, 'postgres', 'data.replaced')),
  ];
  const MARK = 1_000_000;
  for (const [index, moment] of moments.entries()) {
    await inDatabase(there, async (database) => {
      await sql`delete from calsync.notes`.execute(database.query());
      await write(database, MARK);
    });
    const child = spawned(there, 'restore', file, '--yes');
    const ended = once(child, 'exit');
    while (!moment() && child.exitCode === null) await sleep(1);
    await sleep(index * 20);
    child.kill('SIGKILL');
    await ended;
    const stagedServer = runningServer(staged);
    const isOld = await inDatabase(there, async (database) => {
      expect(Object.keys(await contentOf(database)).length).toBeGreaterThan(40);
      const found = await notes(database);
      expect(found.length === 1 || found.length > written.before).toBe(true);
      return found.includes(MARK);
    });
    expect(postgresIn(there)).toEqual(NOTHING_ELSE);
    expect(stagedServer && processIdentity(stagedServer.pid)).toBeUndefined();
    outcomes.push(isOld ? 'old' : 'new');
  }
  printLine(`killed: ${outcomes.join(', ')}`);
  expect(outcomes).toContain('old');
  await done(there, 'restore', file, '--yes');
});
