import { expect, test } from 'vitest';
import { PREPARED, sql } from '../../../src/db/database.ts';
import { freshDatabase } from '../../support/database.ts';

test('a fresh database is empty of others, migrated and PostgreSQL 18', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
  await sql`CREATE TABLE mine (id bigint)`.execute(one.database.query());
  const { rows } = await sql<{
    found: string | null;
    version: string;
  }>`SELECT to_regclass('mine')::text AS found, current_setting('server_version') AS version`.execute(
    two.database.query(),
  );
  expect(rows).toEqual([{ found: null, version: expect.stringMatching(/^1[6-9]\b/) }]);
  await Promise.all([one.close(), two.close()]);
});

test('a marked statement is prepared once a connection, others are not; a table may change meanwhile', async () => {
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
