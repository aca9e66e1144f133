import { setTimeout as rest } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openDatabase,
  openPool,
  PATIENT,
  sql,
  type Database,
  type DatabaseAddress,
  type Limits,
} from '../../src/db/database.ts';
import { isPassing } from '../../src/db/wait.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

// Limits that keep one connection from blocking another for ever.

/** Limits that a test does not try are out of reach even on a busy machine. */
const NONE: Limits = { connectMs: 60_000, statementMs: 0, lockMs: 0, idleInTransactionMs: 0, silenceMs: 0 };

let fresh: FreshDatabase;
let frozen: number | undefined;
const opened: Database[] = [];
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(async () => {
  if (frozen !== undefined) process.kill(frozen, 'SIGCONT');
  frozen = undefined;
  for (const database of opened.splice(0)) await database.close();
  await fresh.close();
});

function open(limits: Partial<Limits>, connections = 2): Database {
  const database = openDatabase(fresh.address, connections, { ...NONE, ...limits });
  opened.push(database);
  return database;
}

/** Starts a transaction that locks the row that everybody needs, and is idle until it is told to end. */
async function holdTurn(database: Database): Promise<{ readonly end: () => Promise<unknown> }> {
  const [has, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database
    .query()
    .transaction(async (transaction) => {
      await sql`select from site.revision for update`.execute(transaction);
      has.resolve();
      await mayEnd.promise;
      await sql`select 1`.execute(transaction);
    })
    .then(
      () => 'kept',
      (error: Error) => error,
    );
  await Promise.race([has.promise, holding]);
  return {
    end: () => {
      mayEnd.resolve();
      return holding;
    },
  };
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );
const takeTurn = (database: Database): Promise<unknown> =>
  failure(sql`select from site.revision for update`.execute(database.query()));

const ALL = ['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout'];

test.each<[string, (address: DatabaseAddress) => Pool, readonly string[]]>([
  ['the pool of the program', (address) => openDatabase(address, 1).pool, ALL],
  ['the pool of the queue', (address) => openPool(address, 1, 'bullmq'), ALL],
  [
    'the pool of housekeeping (except for statements)',
    (address) => openDatabase(address, 1, PATIENT).pool,
    ALL.slice(0, 2),
  ],
])('%s has time limits', async (_, open, bounded) => {
  const pool = open(fresh.address);
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [ALL],
  );
  await pool.end();
  expect(
    rows
      .filter(({ setting }) => setting !== '0')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(bounded);
});

test('waiting too long for a lock fails with an error that counts as temporary', async () => {
  const turn = await holdTurn(open({}));
  const refused = await takeTurn(open({ lockMs: 200 }));
  expect(refused).toMatchObject({ code: '55P03' });
  expect(isPassing(refused)).toBe(true);
  expect(await turn.end()).toBe('kept');
});

test('an idle transaction loses its locks', async () => {
  const turn = await holdTurn(open({ idleInTransactionMs: 2_000 }));
  expect(await takeTurn(open({}))).toBe('done');
  expect(isPassing(await turn.end())).toBe(true);
});

test('a slow statement is cancelled, and so is a long wait for a connection', async () => {
  const database = open({ connectMs: 300, statementMs: 1_000 }, 1);
  await until('a connection', async () => (await failure(sql`select 1`.execute(database.query()))) === 'done');
  const slow = failure(sql`select pg_sleep(60)`.execute(database.query()));
  const waiting = await failure(sql`select 1`.execute(database.query()));
  expect((waiting as Error).message).toMatch(/timeout exceeded when trying to connect/);
  expect(isPassing(waiting)).toBe(true);
  expect(await slow).toMatchObject({ code: '57014' });
  expect(await failure(sql`select 1`.execute(database.query()))).toBe('done');
});

test('a connection whose server no longer answers is given up and replaced', async (context) => {
  if ('url' in fresh.address) context.skip('NOT RUN: a server that is elsewhere cannot be frozen');
  const database = open({ silenceMs: 2_000 }, 1);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.query());
  // A connection that has been idle for longer than the limit is watched like a new one.
  await rest(2_500);
  frozen = rows[0]!.pid;
  process.kill(frozen, 'SIGSTOP');
  const silent = await failure(sql`select 1`.execute(database.query()));
  expect(isPassing(silent)).toBe(true);
  expect(await failure(sql`select 1`.execute(database.query()))).toBe('done');
});

test('a connection that has been idle for longer than the limit is kept', async () => {
  const database = open({ silenceMs: 2_000 }, 1);
  const pid = async (): Promise<number> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.query())).rows[0]!.pid;
  const before = await pid();
  await rest(3_000);
  expect(await pid()).toBe(before);
});
