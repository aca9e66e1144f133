import { expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { migrate, MIGRATIONS, type Migration } from '../../../src/db/migrate.ts';
import { causeInWords, type Cause } from '../../../src/run/state/causes.ts';
import { waitForDatabase } from '../../../src/db/wait.ts';
import { freshDatabase } from '../../support/database.ts';

const table = (name: string): Migration => ({
  name,
  up: async (db) => {
    await sql`CREATE TABLE ${sql.table(name)} (id bigint)`.execute(db);
  },
});
const broken: Migration = {
  name: 'broken',
  up: async (db) => {
    await sql`CREATE TABLE half (id bigint)`.execute(db);
    await sql`SELECT nonsense`.execute(db);
  },
};
const exists = async (db: Parameters<Migration['up']>[0], name: string): Promise<boolean> =>
  (await sql<{ found: string | null }>`SELECT to_regclass(${name})::text AS found`.execute(db)).rows[0]?.found === name;

test('each migration is done once, in order, also by several at the same time', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  expect(await migrate(database, [table('a')])).toEqual(['a']);
  const done = await Promise.all([1, 2, 3].map(() => migrate(database, [table('a'), table('b'), table('c')])));
  expect(done.flat()).toEqual(['b', 'c']);
  await close();
});

test('one that fails leaves nothing of the whole', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  await expect(migrate(database, [table('a'), broken])).rejects.toThrow('nonsense');
  expect([await exists(database.query(), 'a'), await exists(database.query(), 'half')]).toEqual([false, false]);
  expect(await migrate(database, [table('a')])).toEqual(['a']);
  await close();
});

test('a database of a newer program is refused', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  await migrate(database, [table('a'), table('z')]);
  await expect(migrate(database, [table('a')])).rejects.toMatchObject({
    code: 'database-newer',
    message: expect.stringContaining('z'),
  });
  await close();
});

test('the schema of this program is there, and stays as it is', async () => {
  const { database, close } = await freshDatabase();
  expect(await migrate(database)).toEqual([]);
  await close();
});

test('the causes of earlier runs become data, and read as before', async () => {
  const stored: readonly (readonly [string, object])[] = [
    ['schedule', { kind: 'schedule' }],
    ['start', { kind: 'start' }],
    ['command', { kind: 'command' }],
    ['undo of town-20270115T120000-0a1b2c', { kind: 'undo', of: 'town-20270115T120000-0a1b2c' }],
    ['settle jazz-for-the-feed-abc for the site', { kind: 'settle', of: 'jazz-for-the-feed-abc', winner: 'site' }],
    ['settle jazz-abc for the feed', { kind: 'settle', of: 'jazz-abc', winner: 'feed' }],
    ['restore undo-of-jazz', { kind: 'restore', of: 'undo-of-jazz' }],
    ['adopt', { kind: 'adopt' }],
    ['forget', { kind: 'forget' }],
    ['of a version before', { kind: 'of a version before' }],
  ];
  const { database, close } = await freshDatabase({ empty: true });
  const before = MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex(({ name }) => name === '023-causes'),
  );
  await migrate(database, before);
  for (const [index, [cause]] of stored.entries())
    await sql`insert into calsync.runs (run, site, source, cause, state) values (${String(index)}, 'site', 'town', ${cause}, 'done')`.execute(
      database.query(),
    );
  expect(await migrate(database)).toContain('023-causes');
  const { rows } = await sql<{ cause: Cause }>`select cause from calsync.runs order by run`.execute(database.query());
  expect(rows.map(({ cause }) => cause)).toEqual(stored.map(([, cause]) => cause));
  expect(rows.map(({ cause }) => causeInWords(cause))).toEqual(stored.map(([words]) => words));
  await close();
});

test('waiting: an answering database at once, a missing one until the time is up, a wrong one not at all', async () => {
  const { address, close } = await freshDatabase({ empty: true });
  await waitForDatabase(address, 1000);
  await close();
  await expect(waitForDatabase(address, 60_000)).rejects.toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining('does not exist'),
  });
  const begun = performance.now();
  await expect(waitForDatabase({ url: 'postgres://me:secret@127.0.0.1:1/none' }, 1500)).rejects.toMatchObject({
    code: 'database-unreachable',
    message: expect.not.stringContaining('secret'),
  });
  expect(performance.now() - begun).toBeGreaterThan(300);
});
