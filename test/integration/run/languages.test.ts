import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const open = (settings: readonly string[]): Promise<OpenedApp> =>
  syncing.open(
    'builtin: { timezone: Europe/Warsaw, languages: [en, pl] }\nfetch: ' +
      '{ allow_addresses: [127.0.0.1/32] }\nsources:\n' +
      `${settings.map((each, index) => `  town${index}: { url: "${feeds.url}/town.ics"${each} }\n`).join('')}`,
  );

test('a source that gets a language still finds, changes and removes its events, and duplicates none', async () => {
  publish(feedEvents(8));
  expect(await (await open([''])).sync('town0')).toMatchObject({ created: 8 });
  const app = await open([', language: pl, missing: { after: 1 }']);
  expect(await app.sync('town0')).toMatchObject({ state: 'unchanged', unchanged: 8, problems: [] });
  publish(
    feedEvents(9)
      .map((event, index) => (index === 2 ? { ...event, title: 'Another title' } : event))
      .filter((_, index) => index !== 4),
  );
  expect(await app.sync('town0')).toMatchObject({ state: 'done', created: 1, updated: 1, removed: 1, problems: [] });
  expect(
    (await app.events()).map(({ title, translation_language: language }) => `${title} ${language}`).sort(),
  ).toEqual(
    [
      'Another title en',
      ...[0, 1, 3, 5, 6, 7].map((number) => `Event number ${number} en`),
      'Event number 8 pl',
    ].sort(),
  );
  await sql`delete from calsync.ledger`.execute(app.context.database.query());
  expect(await app.sync('town0', true)).toMatchObject({ created: 0, updated: 0, unchanged: 8 });
});

const states = (status: string): FeedEvent[] =>
  feedEvents(6).map((event, index) => (index === 3 ? { ...event, lines: [`STATUS:${status}`] } : event));

test('a tag that a source of another language has made is removed again', async () => {
  publish(states('CONFIRMED'));
  const app = await open(['', ', language: pl']);
  for (const status of ['CONFIRMED', 'CANCELLED', 'CONFIRMED', 'TENTATIVE', 'CONFIRMED']) {
    publish(states(status));
    for (const source of ['town0', 'town1']) expect(await app.sync(source)).toMatchObject({ problems: [] });
    const shown = status === 'CONFIRMED' ? [] : [status.toLowerCase()];
    expect(
      (await app.events())
        .filter(({ title }) => title.endsWith('Event number 3'))
        .map(({ tags }) => tags.map(({ name }) => name)),
    ).toEqual([shown, shown]);
  }
});
