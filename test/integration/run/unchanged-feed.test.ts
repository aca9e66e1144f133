import { afterEach, beforeEach, expect, test } from 'vitest';
import { textFromHtml } from '../../../src/html/text.ts';
import { startDetach } from '../../../src/run/decisions/detach-event.ts';
import { loadSourceRecord } from '../../../src/run/state/feed-state.ts';
import { beginRun, holdsLease } from '../../../src/run/state/lease.ts';
import { finishUnchanged, loadRun } from '../../../src/run/state/records.ts';
import { loadFacts } from '../../../src/run/watch/facts.ts';
import { daysInNumbers } from '../../../src/run/watch/history.ts';
import { watchedSources } from '../../../src/cli/terminal/watched-sources.ts';
import { newReport } from '../../../src/run/steps/keep-plan.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { body, conditional, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { realSite } from '../../support/real-site/real-site.ts';
import { townOn } from '../../support/two-sites.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/town.ics', conditional(calendarText(feedEvents(3)), { etag: '"1"' }));
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const open = (): Promise<OpenedApp> =>
  syncing.open(`fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`);
const standing = (app: OpenedApp): ReturnType<typeof loadSourceRecord> =>
  loadSourceRecord(app.context.database.query(), app.setup('town').site.key, 'town');

test('the body of a feed is requested again only if the stored one is not the one handled last', async () => {
  const app = await open();
  await app.sync('town');
  expect(await standing(app)).toMatchObject({ hasLedger: true, kept: 3, hasUnanswered: false, hasHeld: false });
  // As after an older version, or after a run that failed once it had stored its body.
  await app.state.database.pool.query('update calsync.sources set stored_hash = null');
  for (const _ of [1, 2]) expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 3 });
  expect(feeds.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, '"1"']);
  const { storedHash, feed } = await standing(app);
  expect(storedHash).toBe(feed.bodyHash);
});

test('an unchanged feed counts the events that it had when it was read, not those on the site', async () => {
  const app = await open();
  const [first, ...others] = feedEvents(3).map((event, index) => ({
    ...event,
    start: `202701${10 + 5 * index}T180000`,
  }));
  const publish = (events: Parameters<typeof calendarText>[0]): void => {
    feeds.on('/town.ics', body(calendarText(events)));
  };
  publish([first!, ...others]);
  expect(await app.sync('town')).toMatchObject({ created: 3 });
  expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 3 });
  // The first one is over, so it stays on the site.
  publish(others);
  for (const _ of [1, 2, 3]) expect(await app.sync('town')).toMatchObject({ created: 0, removed: 0, unchanged: 2 });
  expect(await standing(app)).toMatchObject({ kept: 3, synced: 2 });
  // A run for a single event counts only that one, so only the number on the site is known after it.
  const [, second] = await app.events();
  const own = app.setup('town');
  await carryOn(app.context, own, await startDetach(app.context, own, second!.slug), () => undefined);
  expect(await standing(app)).toMatchObject({ kept: 2, synced: null });
  const days = await daysInNumbers(app.context.database.query(), { site: own.site.key, source: 'town' }, 0, 'UTC');
  expect(days).toMatchObject([{ events: 2 }]);
  for (const _ of [1, 2]) expect(await app.sync('town')).toMatchObject({ unchanged: 1 });
});

test('every run of a table with unrecognized columns reports that, not only the first', async () => {
  feeds.on('/town.ics', conditional('Alpha,Beta\nA – B,2027-03-01 18:00\n', { etag: '"1"' }));
  const app = await open();
  for (const _ of [1, 2, 3]) expect(await app.sync('town')).toMatchObject({ problems: [{ code: 'csv-header' }] });
  const [facts] = await loadFacts(app.state.database.query(), await watchedSources(app.config), syncing.clock.now);
  expect(facts).toMatchObject({ noEventsBecause: expect.stringMatching(/^No column was recognized/) });
});

test('only the process that holds a run can end it', async () => {
  const app = await open();
  await app.sync('town');
  const { database, member } = app.context;
  const site = app.setup('town').site.key;
  const lease = { site, source: 'town', run: 'town-9' };
  expect(await beginRun(database, lease, { kind: 'command' }, 0)).toBe(true);
  expect(await beginRun(database, { ...lease, run: 'town-10' }, { kind: 'command' }, 0)).toBe(false);
  const steps = { fetch: { ms: 12, status: 304, bytes: null } };
  const feed = {
    site,
    etag: '"9"',
    lastModified: null,
    notBefore: 0,
    traffic: { requests: 2, statuses: { 200: 2 } },
    steps,
    lines: [],
  };
  const end = (owner: number): ReturnType<typeof finishUnchanged> =>
    finishUnchanged(database.query(), owner, newReport('town-9', 'town'), feed);
  expect(await end(member.id())).toBe('busy');
  expect(await holdsLease(database, 'town-9', 0)).toBe(true);
  expect((await standing(app)).feed.etag).toBe('"1"');
  expect(await end(0)).toMatchObject({ state: 'unchanged', requests: 2 });
  expect(await holdsLease(database, 'town-9', 0)).toBe(false);
  expect((await standing(app)).feed.etag).toBe('"9"');
  expect(await loadRun(database.query(), 'town-9')).toMatchObject({
    state: 'unchanged',
    requests: 2,
    statuses: { 200: 2 },
  });
  expect(await loadRun(database.query(), 'town-10')).toBeUndefined();
});

test('a run that was taken over while it fetched its feed stores nothing', async () => {
  const app = await open();
  await app.sync('town');
  const { pool } = app.state.database;
  await pool.query('update calsync.sources set stored_hash = null');
  feeds.on('/town.ics', (request, response) => {
    void pool
      .query('update calsync.leases set owner = 0')
      .then(() => body(calendarText(feedEvents(3)))(request, response));
  });
  expect(await startRun(app.context, app.setup('town'), 'command', false)).toEqual({ kind: 'busy' });
  expect((await standing(app)).storedHash).toBeNull();
});

test('a feed may be as large as fetch.max_megabytes, which the refusal names', async () => {
  feeds.on('/town.ics', body(`${calendarText(feedEvents(1))}\n`.padEnd(1_000_001)));
  const withLimit = (megabytes: number): Promise<OpenedApp> =>
    syncing.open(
      `fetch: { allow_addresses: [127.0.0.1/32], max_megabytes: ${megabytes} }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
    );
  const message = expect.stringMatching(/larger than 1 MB, .*fetch\.max_megabytes/) as string;
  expect(await (await withLimit(1)).sync('town')).toMatchObject({
    state: 'failed',
    problems: [{ code: 'feed-too-large', message }],
  });
  expect(await (await withLimit(2)).sync('town')).toMatchObject({ state: 'done', created: 1 });
});

test('an event that the site refuses is tried and named again although the feed is unchanged', async () => {
  const real = await realSite({ now: () => syncing.clock.now, isOld: true });
  const app = await syncing.open(townOn('a real site', real, feeds));
  await app.sync('town');
  feeds.on('/town.ics', conditional(calendarText(feedEvents(5)), { etag: '"2"' }));
  real.fail({ kind: 'forbidden' }, { when: (method) => method === 'POST', times: 3 });
  const refused = { code: 'event-not-accessible' };
  expect(await app.sync('town')).toMatchObject({ state: 'failed', created: 0, problems: [refused, refused] });
  // Now one of them is refused, and the other one is created.
  const writes = real.requests.filter((request) => request.startsWith('POST')).length;
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, problems: [refused] });
  expect(real.requests.filter((request) => request.startsWith('POST'))).toHaveLength(writes + 2);
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, problems: [] });
  expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 5, problems: [] });
  await real.close();
});

test('writes that are not sent after a 503 are not counted as writes', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const app = await syncing.open(townOn('a real site', real, feeds));
  real.fail({ kind: 'status', status: 503 }, { when: (method) => method === 'POST' });
  const { created, writes } = await app.sync('town');
  expect(created).toBe(3);
  expect(writes).toBe(real.requests.filter((request) => request.startsWith('POST')).length);
  await real.close();
});

test('backslashes survive on a site that strips them from texts', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const [first] = feedEvents(1);
  const written = String.raw`Back\slash C:\new`;
  const lines = [`DESCRIPTION:${written.replaceAll('\\', '\\\\')}`];
  feeds.on('/town.ics', body(calendarText([{ ...first!, title: written.replaceAll('\\', '\\\\'), lines }])));
  const app = await syncing.open(townOn('a real site', real, feeds));
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, problems: [] });
  const [event] = await app.events();
  expect([event?.title, event?.description].map((text) => textFromHtml(text ?? ''))).toEqual([written, written]);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', unchanged: 1, problems: [] });
  await real.close();
});
