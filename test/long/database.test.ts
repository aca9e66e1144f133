import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, PREPARED, sql, type Queryable } from '../../src/db/database.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

test('a fresh database is migrated, and has nothing of other tests', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
  await sql`CREATE TABLE mine (id bigint)`.execute(one.database.query());
  const { rows } = await sql<{ mine: string | null; done: string }>`SELECT to_regclass('mine')::text AS mine,
    to_regclass('calsyncd_migration')::text AS done`.execute(two.database.query());
  expect(rows).toEqual([{ mine: null, done: 'calsyncd_migration' }]);
  await Promise.all([one.close(), two.close()]);
});

test('only a marked statement is prepared, once per connection, and survives a change of its table', async () => {
  const { database, close } = await freshDatabase({ connections: 1 });
  const db = database.query();
  await sql`create table marked (id integer primary key)`.execute(db);
  await sql`insert into marked values (1), (2)`.execute(db);
  const read = async (id: number): Promise<readonly unknown[]> =>
    (await sql`${PREPARED} select id from marked where id = ${id}`.execute(db)).rows;
  expect([await read(1), await read(2), await read(3)]).toEqual([[{ id: 1 }], [{ id: 2 }], []]);
  await sql`alter table marked add column more text`.execute(db);
  expect(await read(1)).toEqual([{ id: 1 }]);
  const { rows } = await sql<{ runs: number }>`
    select generic_plans + custom_plans as runs from pg_prepared_statements where statement like '%from marked%'`.execute(
    db,
  );
  expect(rows).toEqual([{ runs: 4 }]);
  await expect(sql`${PREPARED} select nothing from marked`.execute(db)).rejects.toThrow('nothing');
  await close();
});

test('after an idle time, a pool keeps only as many connections as it should', async () => {
  const { address, close } = await freshDatabase();
  const pools = [0, 2].map((kept) => openDatabase(address, 10, undefined, kept));
  const counts = (): readonly number[] => pools.map(({ pool }) => pool.totalCount);
  const ask = (): Promise<unknown> =>
    Promise.all(pools.flatMap(({ pool }) => [1, 2, 3].map(() => pool.query('select 1'))));
  await ask();
  expect(counts()).toEqual([3, 3]);
  await sleep(10_500);
  await expect.poll(counts).toEqual([0, 2]);
  await ask();
  expect(counts()).toEqual([3, 3]);
  await Promise.all(pools.map((database) => database.close()));
  await close();
});

const write = (id: number, on: Queryable): Promise<unknown> => sql`insert into kept values (${id})`.execute(on);

describe('a transaction', () => {
  let fresh: FreshDatabase;
  let db: Queryable;
  beforeAll(async () => {
    fresh = await freshDatabase({ connections: 1 });
    db = fresh.database.query();
    await sql`create table kept (id integer primary key)`.execute(db);
  });
  beforeEach(() => sql`truncate kept`.execute(db));
  afterAll(() => fresh.close());
  const kept = async (): Promise<readonly unknown[]> => (await sql<{ id: number }>`table kept`.execute(db)).rows;

  test('is committed as a whole, and returns the result of its callback', async () => {
    expect(
      await db.transaction(async (transaction) => {
        await write(1, transaction);
        await write(2, transaction);
        return transaction.isTransaction;
      }),
    ).toBe(true);
    expect(await kept()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each<[what: string, work: (transaction: Queryable) => Promise<unknown>, message: string]>([
    [
      'whose callback fails',
      async (transaction) => {
        await write(1, transaction);
        throw new Error('no more');
      },
      'no more',
    ],
    [
      'with a failed statement',
      async (transaction) => {
        await write(1, transaction);
        await write(1, transaction);
      },
      'duplicate key',
    ],
    [
      'that ignores a failed statement',
      async (transaction) => {
        await write(1, transaction);
        await write(1, transaction).catch(() => undefined);
      },
      'a statement of it had failed',
    ],
    [
      'that begins another one inside',
      async (transaction) => {
        await write(1, transaction);
        await transaction.transaction(async () => undefined);
      },
      'no transaction inside another',
    ],
  ])('%s is rolled back, and its connection serves others', async (_, work, message) => {
    await expect(db.transaction(work)).rejects.toThrow(message);
    expect(await kept()).toEqual([]);
  });

  test('that has ended accepts no statement', async () => {
    const ended = await db.transaction(async (transaction) => transaction);
    await expect(write(1, ended)).rejects.toThrow('has ended');
    expect(await kept()).toEqual([]);
  });

  test('whose connection is lost fails, and the next one gets another connection', async () => {
    await expect(
      db.transaction((transaction) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction)),
    ).rejects.toThrow('terminating connection');
    await db.transaction((transaction) => write(3, transaction));
    expect(await kept()).toEqual([{ id: 3 }]);
  });
});
