import { expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { migrate, type Migration } from '../../../src/db/migrate.ts';
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
