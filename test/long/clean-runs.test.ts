import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchFirstRuns } from '../../src/cli/open/watch-first-runs.ts';
import { cleanRuns } from '../../src/run/state/clean-runs.ts';
import { formerSources } from '../../src/run/decisions/forget-source.ts';
import { endedSince, findRun, listRuns } from '../../src/run/state/records.ts';
import { problemsOf } from '../../src/run/watch/history.ts';
import { commandIn } from '../support/command.ts';
import { body, conditional, feedServer, status, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

// What is kept of the past: runs for ninety days, removed sources as long as they have events.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (name: string): string =>
  `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  ${name}: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`;

test('runs are kept for ninety days, held ones until a person decides', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(10))));
  const app = await syncing.open(config('town'));
  const { run: first } = await app.sync('town');
  feeds.on('/town.ics', body(calendarText(feedEvents(10).filter((_, index) => index % 9 === 0))));
  const { run: held, state } = await app.sync('town');
  expect(state).toBe('held');
  const query = app.state.database.query();
  const age = (days: number): Promise<unknown> =>
    app.state.database.pool.query('update calsync.runs set finished_at = now() - make_interval(days => $1)', [days]);
  await age(89);
  expect(await cleanRuns(query, syncing.clock.now)).toEqual({ runs: 0, months: [] });
  expect((await listRuns(query, 'town', 10)).map(({ run }) => run)).toEqual([held, first]);
  await age(91);
  expect(await cleanRuns(query, syncing.clock.now)).toEqual({ runs: 1, months: [] });
  expect((await listRuns(query, 'town', 10)).map(({ run }) => run)).toEqual([held]);
});

test('where no daemon runs, "sync" deletes old runs, and "sync --dry-run" does not', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(3))));
  const app = await syncing.open(config('town'));
  const { run: first } = await app.sync('town');
  await app.state.database.pool.query("update calsync.runs set finished_at = now() - interval '91 days'");
  const runs = async (): Promise<readonly string[]> =>
    (await listRuns(app.state.database.query(), 'town', 10)).map(({ run }) => run);
  await commandIn(syncing, config('town'), ['sync', '--dry-run']);
  expect(await runs()).toEqual([first]);
  const { json } = await commandIn(syncing, config('town'), ['sync', '--json']);
  expect(await runs()).toEqual([json.runs[0]!['run']]);
});

test('runs of one day that find nothing to do share one row, which counts them', async () => {
  feeds.on('/town.ics', conditional(calendarText(feedEvents(3)), { etag: '"1"' }));
  const app = await syncing.open(config('town'));
  const query = app.state.database.query();
  const { run: first } = await app.sync('town');
  const names: string[] = [];
  // Half of them read everything, the others only get a 304.
  for (let turn = 0; turn < 20; turn += 1) {
    syncing.clock.now += 60_000;
    names.push((await app.sync('town', turn % 2 === 0)).run);
  }
  const [latest, ...before] = await listRuns(query, 'town', 50);
  expect(before.map(({ run }) => run)).toEqual([first]);
  expect(latest).toMatchObject({ run: names.at(-1), state: 'unchanged', times: 20, report: { unchanged: 3 } });
  expect(latest?.since?.getTime()).toBeLessThan(latest?.startedAt.getTime() ?? 0);
  const { rows } = await app.state.database.pool.query<{ runs: number; batches: number }>(
    'select (select count(*) from calsync.runs)::int as runs, (select count(*) from calsync.batches)::int as batches',
  );
  expect(rows).toEqual([{ runs: 2, batches: 1 }]);
  expect((await findRun(query, names[0] ?? ''))?.run).toBe(names.at(-1));
  expect((await findRun(query, first))?.run).toBe(first);
  const told = await commandIn(syncing, config('town'), ['runs', 'town']);
  expect(told.out).toMatch(/3 unchanged, 20 times since \d{4}-\d\d-\d\d \d\d:\d\d/);
  const shown = await commandIn(syncing, config('town'), ['show', names[3] ?? '']);
  expect(shown.out).toMatch(/the last of 20 in a row that found the same, since /);
  for (const command of ['approve', 'reject']) {
    const { err } = await commandIn(syncing, config('town'), [command, names[3] ?? '']);
    expect(err).toMatch(/The run \S+ found nothing to do: there is nothing to decide\./);
  }
  const undone = await commandIn(syncing, config('town'), ['undo', names[3] ?? '']);
  expect(undone.out).toContain('wrote no event: there is nothing to take back.');
});

test('a row that ends with runs of an unchanged feed still says which problems the last reading found', async () => {
  const fixed = calendarText(feedEvents(3));
  feeds.on(
    '/town.ics',
    body(fixed.replace('END:VCALENDAR', 'BEGIN:VEVENT\r\nUID:no-start@x\r\nEND:VEVENT\r\nEND:VCALENDAR')),
  );
  const app = await syncing.open(config('town'));
  const query = app.state.database.query();
  const problems = async (): Promise<readonly string[] | undefined> =>
    (await problemsOf(query, { site: 'builtin', source: 'town' }))?.kinds.map(({ code }) => code);
  await app.sync('town');
  expect(await problems()).toEqual(['event-without-start']);
  feeds.on('/town.ics', conditional(fixed, { etag: '"1"' }));
  for (let turn = 0; turn < 4; turn += 1) {
    syncing.clock.now += 60_000;
    await app.sync('town');
    expect(await problems()).toEqual([]);
  }
  expect((await listRuns(query, 'town', 1))[0]).toMatchObject({ steps: { fetch: { status: 304 } } });
});

test('a run with another outcome or on another day has its own row', async () => {
  const publish = (count: number): void => feeds.on('/town.ics', body(calendarText(feedEvents(count))));
  publish(3);
  const app = await syncing.open(config('town'));
  await app.sync('town');
  await app.sync('town');
  feeds.on('/town.ics', status(500));
  await app.sync('town');
  publish(3);
  await app.sync('town');
  await app.sync('town');
  const rows = async (): Promise<readonly string[]> =>
    (await listRuns(app.state.database.query(), 'town', 50)).map(({ state, times }) => `${state} ${times}`);
  expect(await rows()).toEqual(['unchanged 2', 'failed 1', 'unchanged 1', 'done 1']);
  await app.state.database.pool.query("update calsync.runs set started_at = started_at - interval '1 day'");
  await app.sync('town');
  expect(await rows()).toEqual(['unchanged 1', 'unchanged 2', 'failed 1', 'unchanged 1', 'done 1']);
});

test('runs that have ended since a moment are listed once, with the moment to continue from', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(1))));
  const app = await syncing.open(config('town'));
  const query = app.state.database.query();
  const { run } = await app.sync('town');
  const { reports, until } = await endedSince(query, new Date(0));
  expect(reports.map((report) => report.run)).toEqual([run]);
  expect((await endedSince(query, new Date(until.getTime() + 1))).reports).toEqual([]);
});

test('a first run that is committed after one that ended later is reported as well', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(1))));
  const app = await syncing.open(
    `${config('town')}  village: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`,
  );
  const { pool } = app.state.database;
  const { run: early } = await app.sync('town');
  await pool.query('update calsync.runs set finished_at = null where run = $1', [early]);
  const ending = await pool.connect();
  await ending.query('begin');
  await ending.query('update calsync.runs set finished_at = now() where run = $1', [early]);
  const { run: later } = await app.sync('village');
  const told: string[] = [];
  const stop = watchFirstRuns(app.context, ({ run }) => told.push(run), 0);
  await until('the later one', () => told.includes(later));
  await ending.query('commit');
  ending.release();
  await until('the earlier one', () => told.includes(early));
  stop();
  expect(told).toEqual([later, early]);
});

test('a source removed from the configuration is still listed with the number of its events', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(10))));
  const app = await syncing.open(config('town'));
  await app.sync('town');
  expect(await formerSources(app.context)).toEqual([]);
  const later = await syncing.open(config('village'));
  expect(await formerSources(later.context)).toEqual([{ site: 'builtin', source: 'town', kept: 10 }]);
});
