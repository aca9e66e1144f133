import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventCalendars, openFeeds } from '../../src/cli/web/open-feeds.ts';
import { databaseExportState } from '../../src/feeds/content/export-state.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { linesOf } from '../support/feed-world.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

let syncing: SyncingApp;
beforeEach(async () => {
  syncing = await syncingApp();
});
afterEach(() => syncing.close());

const yaml = (publicUrl = ''): string =>
  `builtin: { timezone: Europe/Warsaw, public_url: "${publicUrl}" }\nfeeds: { all: {} }\n`;
const MADE = { title: 'Made by hand', start_date: '2027-04-01 18:00:00', end_date: '2027-04-01 19:00:00' };
const makeEvent = async (app: OpenedApp): Promise<void> => {
  await app.site.write([{ method: 'POST', path: '/events', body: MADE }]);
};
const uidIn = (text: string): string | undefined => linesOf(text, 'UID:')[0];
const uidOf = async (app: OpenedApp): Promise<string | undefined> =>
  uidIn(await (await handleFeeds(openFeeds(app), new Request('http://127.0.0.1:8080/feeds/all.ics'))).text());

test('an event made by hand has the same UID in every file, whatever the port and address', async () => {
  const first = await syncing.open(yaml());
  await makeEvent(first);
  const [event] = await first.events();
  const uid = await uidOf(first);
  expect(uid).toMatch(new RegExp(`^UID:${event!.id}@[0-9a-f]{8}-[0-9a-f-]{27}$`));
  expect(
    uidIn(
      await (await eventCalendars(first)(new Request(`http://127.0.0.1:8080/event/${event!.slug}.ics`), '')).text(),
    ),
  ).toBe(uid);
  expect(await uidOf(await syncing.open(yaml('https://town.example')))).toBe(uid);
  expect(await uidOf(await syncing.open(yaml('http://127.0.0.1:9090')))).toBe(uid);
});

test('UIDs contain the first public address of a site, even after it moves', async () => {
  const first = await syncing.open(yaml('https://town.example/calendar'));
  await makeEvent(first);
  const uid = await uidOf(first);
  expect(uid).toMatch(/^UID:\d+@town\.example$/);
  expect(await uidOf(await syncing.open(yaml('https://city.example')))).toBe(uid);
});

test('UIDs published before the site had an identity of its own stay', async () => {
  const former = await syncing.open(yaml());
  await former.state.database.pool.query('delete from site.identity');
  await databaseExportState(former.state.database, 'builtin').keep([
    { uid: '1@127.0.0.1:8080', hash: 'a', modifiedAt: 1_000 },
    { uid: '2@localhost:9000', hash: 'b', modifiedAt: 2_000 },
    { uid: 'aaaabbbbccccdd@calsyncd', hash: 'c', modifiedAt: 3_000 },
  ]);
  const app = await syncing.open(yaml('http://127.0.0.1:8080'));
  await makeEvent(app);
  expect(await uidOf(app)).toMatch(/^UID:\d+@127\.0\.0\.1:8080$/);
});

test('of the hosts in published UIDs, the last one is kept if none is the current one', async () => {
  const former = await syncing.open(yaml());
  await former.state.database.pool.query('delete from site.identity');
  await databaseExportState(former.state.database, 'builtin').keep([
    { uid: '1@127.0.0.1:8080', hash: 'a', modifiedAt: 1_000 },
    { uid: '2@localhost:9000', hash: 'b', modifiedAt: 2_000 },
  ]);
  const app = await syncing.open(yaml('https://town.example'));
  await makeEvent(app);
  expect(await uidOf(app)).toMatch(/^UID:\d+@localhost:9000$/);
});
