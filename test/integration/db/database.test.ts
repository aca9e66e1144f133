import { expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
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
