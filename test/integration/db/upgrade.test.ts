import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTables, stepsDone } from '../../../src/backup/catalog.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { openDatabase, PATIENT, sql, type Database } from '../../../src/db/database.ts';
import { migrate, MIGRATIONS, type Migration } from '../../../src/db/migrate.ts';
import { loadBody } from '../../../src/run/state/feed-state.ts';
import { checkedPortable } from '../../support/checked-portable.ts';
import { freshDatabase } from '../../support/database.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';
import { tableDigests, tableRules } from '../../support/table-digests.ts';

// Each file is a backup that a version of the program made of a calendar with one source, the feed of a theatre, just
// after it was read. `npm run keep-version` makes another one.

const FOLDER = 'test/released';
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.tar.zst'));
const NAMES = MIGRATIONS.map(({ name }) => name);
const YAML = `
builtin: { title: Town, timezone: Europe/Warsaw }
sources: { theatre: { url: "file:theatre.ics", language: pl } }
`;

test('every released version has a database file', () => {
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+), (?!not released)/gm)];
  const missing = released.map(([, version]) => `${version}.tar.zst`).filter((name) => !FILES.includes(name));
  expect(missing).toEqual([]);
  expect(FILES.length).toBeGreaterThan(1);
});

const eventsIn = async ({ query }: Database): Promise<number> =>
  Number((await sql<{ count: string }>`select count(*) from site.events`.execute(query())).rows[0]?.count);

/** Restores the database as that version left it. */
async function restored(
  file: string,
  database: Database,
): Promise<{ readonly madeAt: number; readonly steps: readonly string[] }> {
  const checked = await checkedPortable(file, NAMES);
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

  test('is unchanged after a migration that fails at its last step', async () => {
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

  test('is migrated to the schema of a new one, and loses nothing', async () => {
    const events = await eventsIn(database);
    expect(events).toBeGreaterThan(0);
    expect((await migrate(database)).length).toBe(NAMES.length - before.steps.length);
    const fresh = await freshDatabase();
    const months = /batches_\d+/;
    const rulesOf = async (one: Database): Promise<readonly string[]> =>
      (await tableRules(one.query())).filter((rule) => !months.test(rule));
    expect(await rulesOf(database)).toEqual(await rulesOf(fresh.database));
    await fresh.close();
    expect(await eventsIn(database)).toBe(events);
    expect((await listTables(database.query())).length).toBeGreaterThan(50);
  });

  test('still works: the same feed changes nothing, and its runs are kept', async () => {
    // The feed of the samples follows the current date, so each database brings its own.
    const feed = await loadBody(database.query(), 'builtin', 'theatre');
    await writeFile(path.join(syncing.directory, 'theatre.ics'), feed!);
    const app = await syncing.open(YAML);
    const events = await eventsIn(database);
    expect(await app.events()).toHaveLength(events);
    expect(await app.sync('theatre', true)).toMatchObject({
      state: 'unchanged',
      created: 0,
      updated: 0,
      removed: 0,
      unchanged: events,
      conflicts: 0,
    });
    const { rows } = await sql`select run from calsync.runs where state = 'done'`.execute(database.query());
    expect(rows.length).toBeGreaterThan(0);
  });
});
