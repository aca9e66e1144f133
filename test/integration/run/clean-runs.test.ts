import { afterEach, beforeEach, expect, test } from 'vitest';
import { cleanRuns } from '../../../src/run/clean-runs.ts';
import { formerSources } from '../../../src/run/forget-source.ts';
import { listRuns } from '../../../src/run/records.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// What is kept of the past: runs for ninety days, sources as long as they have events.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => { [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]); });
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const DAY_MS = 86_400_000;
const config = (name: string): string => `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  ${name}: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`;

test('runs are kept for ninety days, held ones until somebody decides', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(10))));
  const app = await syncing.open(config('town'));
  const { run: first } = await app.sync('town');
  feeds.on('/town.ics', body(calendarText(feedEvents(10).filter((_, index) => index % 9 === 0))));
  const { run: held, state } = await app.sync('town');
  expect(state).toBe('held');
  const query = app.state.database.query<unknown>();
  const now = Date.now();
  expect(await cleanRuns(query, now + 89 * DAY_MS)).toBe(0);
  expect((await listRuns(query, 'town', 10)).map(({ run }) => run)).toEqual([held, first]);
  expect(await cleanRuns(query, now + 91 * DAY_MS)).toBe(1);
  expect((await listRuns(query, 'town', 10)).map(({ run }) => run)).toEqual([held]);
  expect((await app.state.database.pool.query('select distinct run from calsync.batches')).rows).toEqual([]);
});

test('a source that was taken out of the configuration is known by what it has left', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(10))));
  const app = await syncing.open(config('town'));
  await app.sync('town');
  expect(await formerSources(app.context)).toEqual([]);
  const later = await syncing.open(config('village'));
  expect(await formerSources(later.context)).toEqual([{ site: 'builtin', source: 'town', kept: 10 }]);
});
