import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadTally, makeMonth, monthOf } from '../../src/run/state/batches.ts';
import { cleanRuns, monthAt, monthsThereAre } from '../../src/run/state/clean-runs.ts';
import { listRuns } from '../../src/run/state/records.ts';
import { runId } from '../../src/run/steps/start-run.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

// Batches of runs are stored in one partition per month, and deleted with it. These tests begin in January 2027.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  app = await syncing.open(config());
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (): string =>
  `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`;
const pool = () => app.state.database.pool;
const query = () => app.state.database.query();
const publish = (count: number): void => feeds.on('/town.ics', body(calendarText(feedEvents(count))));
const itIs = (date: string): void => void (syncing.clock.now = Date.parse(`${date}T12:00:00Z`));
const clean = () => cleanRuns(query(), syncing.clock.now);
const months = () => monthsThereAre(query());
/** Makes a run, or all runs, older than ninety days. */
const age = (run = '%'): Promise<unknown> =>
  pool().query(`update calsync.runs set finished_at = now() - interval '91 days' where run like $1`, [run]);

test('the month of a run is the one in its name, even at the turn of the year', () => {
  const at = Date.parse('2026-12-31T23:59:59.999Z');
  expect([monthOf(runId('town-202701', at)), monthOf(runId('town', at + 1))]).toEqual([202612, 202701]);
  expect(['', 'town', 'town-20261231T235959', 'town-20261231T235959-0A1B2C'].map(monthOf)).toEqual([0, 0, 0, 0]);
  expect([0, 1, 12, 13].map((later) => monthAt(at, later))).toEqual([202612, 202701, 202712, 202801]);
});

test('a month is dropped with its last run, and the next one is created before its first', async () => {
  publish(3);
  const { run: january } = await app.sync('town');
  itIs('2027-02-10');
  publish(4);
  const { run: february } = await app.sync('town');
  expect(await clean()).toEqual({ runs: 0, months: [] });
  expect(await months()).toEqual([202701, 202702, 202703]);
  itIs('2027-05-20');
  expect(await clean()).toEqual({ runs: 0, months: [] });
  await age(january);
  expect(await clean()).toEqual({ runs: 1, months: [202701] });
  expect(await months()).toEqual([202702, 202703, 202705, 202706]);
  expect((await listRuns(query(), 'town', 9)).map(({ run }) => run)).toEqual([february]);
  expect(await loadTally(query(), february)).toMatchObject({ writes: 1, created: 1, open: 0 });
});

test('deleting a run of the current month keeps its batches, but explain no longer lists it', async () => {
  publish(3);
  const { run } = await app.sync('town');
  await age();
  expect(await clean()).toEqual({ runs: 1, months: [] });
  const [event] = await app.events();
  const { json } = await commandIn(syncing, config(), ['explain', event?.slug ?? '', '--json']);
  expect(json).toMatchObject({ state: 'kept', runs: [] });
  expect((await loadTally(query(), run)).writes).toBe(3);
});

/** A plan held since January, after a run that is deleted with its month in May. */
async function heldSinceJanuary(): Promise<string> {
  publish(10);
  const { run: first } = await app.sync('town');
  feeds.on('/town.ics', body(calendarText(feedEvents(10).filter((_, index) => index % 9 === 0))));
  const { run, state } = await app.sync('town');
  expect(state).toBe('held');
  itIs('2027-05-20');
  await age(first);
  return run;
}

test('a plan held for months can be written and undone although its month was dropped', async () => {
  const held = await heldSinceJanuary();
  expect(await clean()).toEqual({ runs: 1, months: [202701] });
  expect((await commandIn(syncing, config(), ['approve', held])).out).toContain('8 removed');
  expect(await loadTally(query(), held)).toMatchObject({ writes: 8, removed: 8 });
  expect(await clean()).toEqual({ runs: 0, months: [] });
  expect((await commandIn(syncing, config(), ['undo', held])).out).toContain('8 ');
  expect(await app.events()).toHaveLength(10);
  await age();
  expect(await clean()).toEqual({ runs: 2, months: [202701] });
});

test('a month is not dropped if somebody writes into it meanwhile, and writing does not wait', async () => {
  const held = await heldSinceJanuary();
  const writing = await pool().connect();
  await writing.query('begin');
  await writing.query('select calsync.make_month(202701)');
  expect(await clean()).toEqual({ runs: 1, months: [] });
  const cleaning = clean();
  await until('the lock is waited for', async () => {
    // Only in this database: other tests use the same server.
    const { rows } = await pool().query(`select from pg_locks where not granted and mode = 'AccessExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`);
    return rows.length > 0;
  });
  await writing.query(`update calsync.runs set state = 'writing', finished_at = null where run = $1`, [held]);
  await writing.query(
    `insert into calsync.batches (run, month, stage, number, items, tally) values ($1, 202701, 'events', 0, '', '{"writes":1}')`,
    [held],
  );
  await writing.query('commit');
  writing.release();
  expect(await cleaning).toEqual({ runs: 0, months: [] });
  expect((await loadTally(query(), held)).writes).toBe(1);
});

test('a month that cannot be dropped stays, and is dropped the next time', async () => {
  publish(3);
  await app.sync('town');
  itIs('2027-05-20');
  await age();
  await pool().query('create view watched as select * from calsync.batches_202701');
  await expect(clean()).rejects.toThrow('other objects depend on it');
  expect(await months()).toEqual([202701]);
  expect(await listRuns(query(), 'town', 9)).toEqual([]);
  await pool().query('drop view watched');
  expect(await clean()).toEqual({ runs: 0, months: [202701] });
});

test('processes can create or drop the same month at the same time', async () => {
  await Promise.all(Array.from({ length: 8 }, () => makeMonth(query(), 202601)));
  expect(await months()).toEqual([202601, 202701]);
  const dropped = await Promise.all([1, 2, 3].map(clean));
  expect(dropped.flatMap((one) => one.months)).toEqual([202601]);
  expect(await months()).toEqual([202701, 202702]);
});

test('a month is reported as dropped once, even if another process drops it after it was listed', async () => {
  await makeMonth(query(), 202601);
  const others: (readonly number[])[] = [];
  const overtaken: ReturnType<typeof query> = {
    ...query(),
    run: (text, values) => query().run(text, values),
    transaction: async (work) => {
      others.push((await clean()).months);
      return query().transaction(work);
    },
  };
  expect((await cleanRuns(overtaken, syncing.clock.now)).months).toEqual([]);
  expect(others[0]).toEqual([202601]);
  expect(await months()).not.toContain(202601);
});
