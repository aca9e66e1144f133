import { afterEach, beforeEach, expect, test } from 'vitest';
import { cleanRuns } from '../../../src/run/state/clean-runs.ts';
import { formerSources } from '../../../src/run/decisions/forget-source.ts';
import { listRuns } from '../../../src/run/state/records.ts';
import { commandIn } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// What is kept of the past: runs for ninety days, sources as long as they have events.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (name: string): string =>
  `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  ${name}: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`;

test('runs are kept for ninety days, held ones until somebody decides', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(10))));
  const app = await syncing.open(config('town'));
  const { run: first } = await app.sync('town');
  feeds.on('/town.ics', body(calendarText(feedEvents(10).filter((_, index) => index % 9 === 0))));
  const { run: held, state } = await app.sync('town');
  expect(state).toBe('held');
  const query = app.state.database.query<unknown>();
  const age = (days: number): Promise<unknown> =>
    app.state.database.pool.query('update calsync.runs set finished_at = now() - make_interval(days => $1)', [days]);
  await age(89);
  expect(await cleanRuns(query)).toBe(0);
  expect((await listRuns(query, 'town', 10)).map(({ run }) => run)).toEqual([held, first]);
  await age(91);
  expect(await cleanRuns(query)).toBe(1);
  expect((await listRuns(query, 'town', 10)).map(({ run }) => run)).toEqual([held]);
  expect((await app.state.database.pool.query('select distinct run from calsync.batches')).rows).toEqual([]);
});

test('where no daemon runs, "sync" lets old runs go, a dry one does not', async () => {
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

test('a source that was taken out of the configuration is known by what it has left', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(10))));
  const app = await syncing.open(config('town'));
  await app.sync('town');
  expect(await formerSources(app.context)).toEqual([]);
  const later = await syncing.open(config('village'));
  expect(await formerSources(later.context)).toEqual([{ site: 'builtin', source: 'town', kept: 10 }]);
});
