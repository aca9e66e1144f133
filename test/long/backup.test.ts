import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArchive } from '../../src/backup/archive.ts';
import { LEFT_OUT, readSequences } from '../../src/backup/catalog.ts';
import { checkBackup } from '../../src/backup/check-backup.ts';
import { makeBackup, type Making, type Progress } from '../../src/backup/make-backup.ts';
import { restoreBackup, type Restored, type Restoring } from '../../src/backup/restore-backup.ts';
import { openDatabase, PATIENT, sql, type Database } from '../../src/db/database.ts';
import { MIGRATIONS, type Migration } from '../../src/db/migrate.ts';
import { isAnybodyThere, joinProcesses } from '../../src/run/state/process.ts';
import { keepVersion } from '../../src/run/watch/config-versions.ts';
import { checkedPortable } from '../support/checked-portable.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { repacked } from '../support/repacked.ts';
import { tableDigests, tableRules } from '../support/table-digests.ts';
import { syncingApp, type SyncingApp } from '../support/syncing-app.ts';

// A backup is the database as of one moment; a restore is all or nothing.

const YAML = `
builtin: { title: Town, timezone: Europe/Warsaw }
sources:
  theatre: { url: "file:${path.resolve('config/samples/theatre.ics')}", language: pl }
  sports-club:
    url: "file:${path.resolve('config/samples/sports-club.csv')}"
    columns: { title: Match, start_date: Kick-off, end_date: Final whistle, venue: Ground }
fetch: { allow_files: [${path.resolve('config/samples')}] }
`;
const SECRET = 'a-password-in-the-file';
const NAMES = MIGRATIONS.map(({ name }) => name);

let syncing: SyncingApp;
let database: Database;
let file: string;
let uploads: string;
const fresh: FreshDatabase[] = [];

beforeAll(async () => {
  syncing = await syncingApp();
  const app = await syncing.open(YAML);
  for (const source of ['theatre', 'sports-club']) await app.sync(source, true);
  // Anything that the app writes in the background would show up as a difference.
  await app.close();
  database = openDatabase(syncing.address, 4, PATIENT);
  await keepVersion(
    database,
    { bytes: Buffer.from(SECRET), hash: 'x', by: { name: 'clerk', from: 'console' }, changes: '' },
    async () => undefined,
  );
  uploads = path.join(syncing.directory, 'data', 'uploads');
  await mkdir(uploads, { recursive: true });
  await writeFile(path.join(uploads, `${'a'.repeat(32)}.ics`), 'BEGIN:VCALENDAR');
  file = path.join(syncing.directory, 'town.backup');
  await backup(file);
});
afterAll(async () => {
  for (const { close } of fresh) await close();
  await database.close();
  await syncing.close();
});

const backup = (to: string, onProgress: Making['onProgress'] = () => undefined) =>
  makeBackup({ database, file: to, uploads, program: '9.9.9', now: syncing.clock.now, onProgress });

async function emptyDatabase(): Promise<Database> {
  const own = await freshDatabase({ empty: true });
  fresh.push(own);
  return own.database;
}

async function restore(
  from: string,
  into: Database,
  more: Partial<Restoring> = {},
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Restored> {
  const checked = await checkedPortable(
    from,
    migrations.map(({ name }) => name),
  );
  return restoreBackup({
    database: into,
    file: from,
    checked,
    uploads: path.join(syncing.directory, 'elsewhere'),
    replaces: false,
    isInUse: async () => false,
    migrations,
    onProgress: () => undefined,
    ...more,
  });
}

test('a restore brings back every row, sequence, rule and upload', async () => {
  const into = await emptyDatabase();
  await restore(file, into);
  const [before, after] = [await tableDigests(database.query()), await tableDigests(into.query())];
  const taken = Object.keys(before).filter((name) => !(name in LEFT_OUT));
  expect(taken.length).toBeGreaterThan(40);
  expect(before['site.events']).toMatch(/^75 /);
  for (const name of taken) expect([name, after[name]]).toEqual([name, before[name]]);
  expect(await readSequences(into.query())).toEqual(await readSequences(database.query()));
  expect(await tableRules(into.query())).toEqual(await tableRules(database.query()));
  expect(await readdir(path.join(syncing.directory, 'elsewhere'))).toEqual([`${'a'.repeat(32)}.ics`]);
});

test('a backup is readable by its owner only, and contains no configuration and no session', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const texts: string[] = [];
  await readArchive(file, {
    begin: () => undefined,
    part: (bytes) => void texts.push(bytes.toString()),
    end: () => undefined,
  });
  const hex = Buffer.from(SECRET).toString('hex');
  expect(texts.filter((text) => text.includes(SECRET) || text.includes(hex))).toEqual([]);
  const { manifest } = await checkedPortable(file, NAMES);
  expect(Object.keys(manifest.tables)).not.toContain('site.sessions');
  expect(manifest).toMatchObject({
    program: '9.9.9',
    migrations: NAMES,
    keepToo: expect.arrayContaining([expect.stringContaining('configuration')]),
  });
  const unknown = Object.keys(LEFT_OUT).filter((name) => !(name in manifest.leftOut));
  expect(unknown).toEqual([]);
});

test.each([
  ['/proc/town.tar.zst', /cannot be written: .* No file was left\.$/],
  [`${path.resolve('package.json')}/town.tar.zst`, /cannot be written: a part of its path is a file, not a folder\.$/],
])('a backup that cannot be written says why: %s', (file, message) =>
  expect(backup(file)).rejects.toMatchObject({ code: 'backup-file', message: expect.stringMatching(message) }),
);

const counted = (all: readonly Progress[] = []) => all.filter(({ done }) => done !== undefined).map(({ done }) => done);

test('making and restoring a backup reports progress in rows, checking one in bytes', async () => {
  const [made, read, loaded]: Progress[][] = [[], [], []];
  const copy = path.join(syncing.directory, 'copy.backup');
  const { rows, bytes } = await backup(copy, (progress) => void made!.push(progress));
  const checked = await checkedPortable(copy, NAMES, (progress) => read!.push(progress));
  await restore(copy, await emptyDatabase(), { checked, onProgress: (progress) => loaded!.push(progress) });
  for (const [all, last] of [
    [made, rows],
    [read, bytes],
    [loaded, rows],
  ] as const) {
    expect(counted(all)).toEqual(counted(all).toSorted((one = 0, other = 0) => one - other));
    expect(counted(all).at(-1)).toBe(last);
  }
  expect(read!.at(-1)).toEqual({ done: bytes, of: bytes, unit: 'bytes' });
  expect(loaded!.findLast(({ unit }) => unit === 'rows')).toMatchObject({ done: rows, of: rows });
  expect(made!.map(({ doing }) => doing)).toContain('site.events');
});

test('a backup contains nothing that is written while it is made', async () => {
  const during = path.join(syncing.directory, 'during.backup');
  let isWritten = false;
  const begun = new Set<string>();
  await backup(during, async ({ doing = '' }) => {
    // The rows of this table, and those of the last one, have not been read yet.
    if (isWritten || begun.add(doing).size !== 2) return;
    const others = database.query();
    await sql`insert into calsync.notes (site, source, text, name) values ('builtin', 'theatre', 'meanwhile', 'clerk')`.execute(
      others,
    );
    await sql`delete from site.venues`.execute(others);
    isWritten = true;
  });
  expect(isWritten).toBe(true);
  const into = await emptyDatabase();
  await restore(during, into);
  expect((await sql`select from calsync.notes`.execute(into.query())).rows).toEqual([]);
  expect((await sql`select from site.venues`.execute(into.query())).rows.length).toBeGreaterThan(1);
  expect((await sql`select from site.venues`.execute(database.query())).rows).toEqual([]);
});

/** The same backup with some of its members changed, and with the right checksums. */
const changed = (change: Parameters<typeof repacked>[2], also: object = {}): Promise<string> =>
  repacked(file, path.join(syncing.directory, `${randomBytes(4).toString('hex')}.backup`), change, also);

const replaced = (name: string, by: (text: string) => string): Promise<string> =>
  changed((member) => (member.name === name ? { name, content: [Buffer.from(by(member.bytes.toString()))] } : member));

/** Files that are not a valid backup. */
const BROKEN: Readonly<Record<string, readonly [make: () => Promise<string>, code: string, says: string]>> = {
  'a file that does not exist': [async () => '/nowhere/town.backup', 'backup-unreadable', 'it does not exist'],
  'a file of another kind': [
    async () => path.resolve('package.json'),
    'backup-unreadable',
    'it is not compressed by zstd',
  ],
  'a backup that is cut off': [
    () => bytesChanged((bytes) => bytes.subarray(0, bytes.length - 200)),
    'backup-unreadable',
    'it ends in the middle',
  ],
  'a backup with a damaged byte': [
    () =>
      bytesChanged((bytes) =>
        Buffer.concat([bytes.subarray(0, 5_000), Buffer.from([~bytes[5_000]! & 255]), bytes.subarray(5_001)]),
      ),
    'backup-unreadable',
    'it is damaged',
  ],
  'an archive of something else': [
    () => changed((member) => ({ ...member, name: `holiday/${member.name}` })),
    'backup-unreadable',
    'its first file is not manifest.json',
  ],
  'a backup with a table twice': [
    () =>
      changed((member) =>
        member.name === 'tables/site.users' ? [member, { name: 'tables/x', content: [] }, member] : member,
      ),
    'backup-unreadable',
    'tables/site.users is there twice',
  ],
  'a backup without one of its tables': [
    () => changed((member) => (member.name === 'tables/site.users' ? undefined : member)),
    'backup-unreadable',
    'site.users is missing',
  ],
  'a backup whose manifest lists no files': [
    () => changed((member) => member, { members: {} }),
    'backup-unreadable',
    'not meant to be there',
  ],
  'a backup of a newer version': [
    () => replaced('manifest.json', (text) => text.replace('"migrations": [', '"migrations": ["900-later",')),
    'backup-newer',
    'newer calsyncd (9.9.9, with the database changes 900-later)',
  ],
  'a backup with a table that its version does not have': [
    () =>
      replaced('manifest.json', (text) => text.replace('"site.users": [', '"site.pg_nothing": [],\n"site.users": [')),
    'backup-unreadable',
    'site.pg_nothing is missing',
  ],
  'a backup with an SQL statement as a table name': [
    () => replaced('manifest.json', (text) => text.replace('"site.users"', '"site.users; drop table site.users"')),
    'backup-unreadable',
    'not a backup of calsyncd',
  ],
  'a backup whose rows do not fit the table': [
    () => replaced('tables/site.users', () => 'nonsense\n'),
    'backup-unreadable',
    'invalid input syntax',
  ],
  'a backup with dangling foreign keys': [
    () => replaced('tables/calsync.bodies', () => ''),
    'backup-unreadable',
    'foreign key',
  ],
  'a backup with a sequence value out of bounds': [
    () => changed((member) => member, { sequences: { 'site.post_id': { last: -5, called: true } } }),
    'backup-unreadable',
    'value -5 is out of bounds',
  ],
};

async function bytesChanged(change: (bytes: Buffer) => Buffer): Promise<string> {
  const target = path.join(syncing.directory, `${randomBytes(4).toString('hex')}.backup`);
  await writeFile(target, change(await readFile(file)));
  return target;
}

test.each(Object.keys(BROKEN))('%s is refused, and the database stays unchanged', async (what) => {
  const [make, code, says] = BROKEN[what]!;
  const before = await tableDigests(database.query());
  await expect(restore(await make(), database, { replaces: true })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(says),
  });
  expect(await tableDigests(database.query())).toEqual(before);
});

const LONGER: Record<string, (bytes: Buffer) => Buffer> = {
  'by text': (bytes) => Buffer.concat([bytes, Buffer.from('and more')]),
  'by another backup': (bytes) => Buffer.concat([bytes, bytes]),
  'by compressed data': (bytes) => Buffer.concat([bytes, zstdCompressSync(Buffer.from('and more'))]),
  'by damaged compressed data': (bytes) =>
    Buffer.concat([bytes, zstdCompressSync(Buffer.from('and more'.repeat(1_000))).subarray(0, -6)]),
  'by text within its compressed data': (bytes) =>
    zstdCompressSync(Buffer.concat([zstdDecompressSync(bytes), Buffer.from('and more')])),
};

test.each(Object.keys(LONGER))(
  'a backup that is followed %s still checks as valid, with a note that there is more',
  async (how) => {
    const longer = await bytesChanged(LONGER[how]!);
    expect(await checkBackup(longer, NAMES)).toEqual({ ...(await checkBackup(file, NAMES)), goesOn: true });
  },
);

test('a complete backup, also one padded as tar does, gets no such note', async () => {
  const filled = await bytesChanged((bytes) =>
    zstdCompressSync(Buffer.concat([zstdDecompressSync(bytes), Buffer.alloc(10_240)])),
  );
  for (const one of [file, filled]) expect((await checkBackup(one, NAMES)).goesOn).toBe(false);
});

test('a restore replaces existing data only on request, and never while a process uses it', async () => {
  const into = await emptyDatabase();
  await restore(file, into);
  await sql`insert into calsync.notes (site, source, text, name) values ('builtin', 'theatre', 'later', 'clerk')`.execute(
    into.query(),
  );
  await expect(restore(file, into)).rejects.toMatchObject({ code: 'backup-not-empty' });
  await expect(restore(file, into, { replaces: true, isInUse: isAnybodyThere })).resolves.toEqual({ migrated: [] });
  expect((await sql`select from calsync.notes`.execute(into.query())).rows).toEqual([]);
  const member = await joinProcesses(into);
  await expect(restore(file, into, { replaces: true, isInUse: isAnybodyThere })).rejects.toMatchObject({
    code: 'backup-in-use',
  });
  await member.leave();
});
