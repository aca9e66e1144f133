import { afterEach, beforeEach, expect, test } from 'vitest';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

test('an event is published with its venue and organizer although drafts of those names exist', async () => {
  const lines = ['LOCATION:Town Hall', 'ORGANIZER;CN=Town Band:mailto:band@example.org'];
  feeds.on('/town.ics', body(calendarText(feedEvents(2).map((event) => ({ ...event, lines })))));
  const app = await syncing.open(
    `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
  );
  const drafted = await app.site.write([
    { method: 'POST', path: '/venues', body: { venue: 'Town Hall', status: 'draft' } },
    { method: 'POST', path: '/organizers', body: { organizer: 'Town Band', status: 'draft' } },
  ]);
  expect(drafted).toMatchObject([{ status: 201 }, { status: 201 }]);
  expect(await app.sync('town')).toMatchObject({ created: 2, problems: [] });
  const seen = await app.sites.builtin.rest(new Request('http://in.process/api/calendar/events/v1/events'));
  const shown = { venue: { venue: 'Town Hall' }, organizer: [{ organizer: 'Town Band' }] };
  expect(await seen.json()).toMatchObject({ events: [shown, shown] });
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
  expect(await app.site.count('venues', { status: 'publish' })).toBe(1);
});
