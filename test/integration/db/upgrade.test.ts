import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTables, stepsDone } from '../../../src/backup/catalog.ts';
import { checkBackup } from '../../../src/backup/check-backup.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { openDatabase, PATIENT, sql, type Database } from '../../../src/db/database.ts';
import { migrate, MIGRATIONS, type Migration } from '../../../src/db/migrate.ts';
import { freshDatabase } from '../../support/database.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';
import { tableDigests, tableRules } from '../../support/table-digests.ts';

// Each file is a backup that a version of the program has made, of a calendar with one source: theatre.ics of
// config/samples, read on the day of the backup. `calsyncd backup test/released/VERSION.tar.zst` makes another one.

const FOLDER = 'test/released';
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.tar.zst'));
const NAMES = MIGRATIONS.map(({ name }) => name);
const YAML = `
builtin: { title: Town, timezone: Europe/Warsaw }
sources: { theatre: { url: "file:${path.resolve('config/samples/theatre.ics')}", language: pl } }
fetch: { allow_files: [${path.resolve('config/samples')}] }
`;

test('every version that was released has one', () => {
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+), (?!not released)/gm)];
  const missing = released.map(([, version]) => `${version}.tar.zst`).filter((name) => !FILES.includes(name));
  expect(missing).toEqual([]);
  expect(FILES.length).toBeGreaterThan(1);
});

/** The database as that version has left it. */
async function restored(
  file: string,
  database: Database,
): Promise<{ readonly madeAt: number; readonly steps: readonly string[] }> {
  const checked = await checkBackup(file, NAMES);
  const steps = checked.manifest.migrations;
  const { migrated } = await restoreBackup({
    database,
    file,
    checked,
    uploads: '/nowhere',
    replaces: true,
    isInUse: async () => false,
    migrations: MIGRATIONS.filter(({ name }) => steps.includes(name)),
    onProgress: () => undefined,
  });
  expect(migrated).toEqual([]);
  expect(await stepsDone(database.query())).toEqual(steps);
  return { madeAt: Date.parse(checked.manifest.madeAt), steps };
}

describe.each(FILES)('the database of %s', (name) => {
  let syncing: SyncingApp;
  let database: Database;
  let before: Awaited<ReturnType<typeof restored>>;

  beforeAll(async () => {
    syncing = await syncingApp();
    database = openDatabase(syncing.address, 2, PATIENT);
    before = await restored(path.join(FOLDER, name), database);
    syncing.clock.now = before.madeAt;
  });
  afterAll(async () => {
    await database.close();
    await syncing.close();
  });

  test('is as it was when a step of its migration fails, also the last', async () => {
    const old = await tableDigests(database.query());
    const failing: Migration = {
      name: '999-failing',
      up: async (db) => {
        await sql`delete from site.events`.execute(db);
        await sql`select 1/0`.execute(db);
      },
    };
    await expect(migrate(database, [...MIGRATIONS, failing])).rejects.toThrow('division by zero');
    expect(await stepsDone(database.query())).toEqual(before.steps);
    expect(await tableDigests(database.query())).toEqual(old);
  });

  test('is migrated to the schema that a new one has, and loses nothing', async () => {
    const events = (await tableDigests(database.query()))['site.events'];
    expect(events).toMatch(/^79 /);
    expect((await migrate(database)).length).toBe(NAMES.length - before.steps.length);
    const fresh = await freshDatabase();
    const months = /batches_\d+/;
    const rulesOf = async (one: Database): Promise<readonly string[]> =>
      (await tableRules(one.query())).filter((rule) => !months.test(rule));
    expect(await rulesOf(database)).toEqual(await rulesOf(fresh.database));
    await fresh.close();
    expect((await tableDigests(database.query()))['site.events']).toMatch(/^79 /);
    expect((await listTables(database.query())).length).toBeGreaterThan(50);
  });

  test('goes on: the same feed changes nothing, and its history is there', async () => {
    const app = await syncing.open(YAML);
    expect(await app.events()).toHaveLength(79);
    expect(await app.sync('theatre', true)).toMatchObject({
      state: 'unchanged',
      created: 0,
      updated: 0,
      removed: 0,
      unchanged: 79,
      conflicts: 0,
    });
    const { rows } = await sql`select run from calsync.runs where state = 'done'`.execute(database.query());
    expect(rows.length).toBeGreaterThan(0);
  });
});
