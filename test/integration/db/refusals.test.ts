import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, sql } from '../../../src/db/database.ts';
import { databaseRefusal } from '../../../src/db/refusals.ts';
import { commandIn, type Said } from '../../support/command.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { urlOf } from '../../support/database-address.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// An ordinary role of a server, as an administrator creates it.

const ROLE = `clerk_${randomBytes(4).toString('hex')}`;
const PASSWORD = 'a long one';

let syncing: SyncingApp;
let empty: FreshDatabase;
let name = '';

beforeAll(async () => {
  [syncing, empty] = [await syncingApp(), await freshDatabase({ empty: true })];
  await onServer(`create role ${ROLE} login password '${PASSWORD}'`);
  name = new URL(urlOf(empty.address).replace('///', '//host/')).pathname.slice(1);
});
afterAll(async () => {
  await onServer(`drop owned by ${ROLE} cascade`, `drop role ${ROLE}`);
  await empty.close();
  await syncing.close();
});

async function onServer(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql`${sql.raw(statement)}`.execute(empty.database.query());
}

/** A command that works as the role. */
async function asClerk(...words: readonly string[]): Promise<Said> {
  const url = new URL(urlOf(empty.address).replace('///', '//host/'));
  if ('url' in empty.address) [url.username, url.password] = [ROLE, PASSWORD];
  else url.searchParams.set('user', ROLE);
  const address = 'url' in empty.address ? url.href : url.href.replace('//host/', '///');
  return commandIn(syncing, 'sources: {}\n', words, { env: { DATABASE_URL: address } });
}

test('a role that may not create tables is told which statement allows it', async () => {
  const { code, json, err } = await asClerk('runs', '--json');
  expect({ code, error: json['error'] }).toEqual({
    code: 1,
    error: { code: 'database-no-right', message: expect.stringContaining('permission denied') as string },
  });
  expect(err).toContain(`ALTER DATABASE ${name} OWNER TO ${ROLE}`);
  expect(err).toContain(`GRANT CREATE ON SCHEMA public TO ${ROLE}`);
  expect(err).not.toContain('    at ');
});

test('a read-only database is reported as such', async () => {
  await onServer(`alter role ${ROLE} set default_transaction_read_only = on`);
  const { code, json, err } = await asClerk('runs', '--json');
  expect({ code, error: json['error'] }).toMatchObject({ code: 1, error: { code: 'database-read-only' } });
  expect(err).toContain('read-only transaction');
  await onServer(`alter role ${ROLE} reset all`);
});

test('a role that may open no more connections is told its limit', async () => {
  await onServer(
    `grant create on database ${name} to ${ROLE}`,
    `grant create on schema public to ${ROLE}`,
    `alter role ${ROLE} connection limit 1`,
  );
  const { code, json, err } = await asClerk('runs', '--json');
  expect({ code, error: json['error'] }).toMatchObject({ code: 1, error: { code: 'database-full' } });
  expect(err).toContain(`ALTER ROLE ${ROLE} CONNECTION LIMIT`);
  await onServer(`alter role ${ROLE} connection limit -1`);
});

test('the rights that the manual names are enough', async () => {
  expect(await asClerk('runs', '--json')).toMatchObject({ code: 0, json: { runs: [] } });
});

test('a server that goes away in the middle of a command is reported in words, and nothing else is taken for it', async () => {
  const gone = openDatabase({ url: 'postgres://me:secret@127.0.0.1:1/town' }, 1);
  const query = gone.query();
  for (const ask of [() => sql`select 1`.execute(query), () => query.transaction(async () => undefined)]) {
    const error: unknown = await ask().catch((reason: unknown) => reason);
    expect(databaseRefusal(error)).toMatchObject({
      code: 'database-unreachable',
      message: 'The database does not answer: connect ECONNREFUSED 127.0.0.1:1. Try again in a moment.',
    });
  }
  await gone.close();
  const [elsewhere] = (await once(net.connect(1, '127.0.0.1'), 'error').catch((reason: unknown) => [
    reason,
  ])) as unknown[];
  expect(elsewhere).toMatchObject({ code: 'ECONNREFUSED' });
  expect(databaseRefusal(elsewhere)).toBeUndefined();
});
