import { afterEach, beforeEach, expect, test } from 'vitest';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => { [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]); });
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

test.each(['preserve', 'feed'])('that a person protects an event by a password is no change of what it says (%s)', async (authority) => {
  const events = feedEvents(4).map((event) => ({ ...event, lines: ['DESCRIPTION:As the feed says', 'LOCATION:Town Hall', 'CATEGORIES:Music'] }));
  feeds.on('/town.ics', body(calendarText(events)));
  const app = await syncing.open(`fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics", authority: ${authority} }\n`);
  await app.sync('town');
  const [, event] = await app.events();
  const [answer] = await app.site.write([{ method: 'POST', path: `/events/${event!.id}`, body: { password: 'sesame' } }]);
  expect(answer).toMatchObject({ status: 200 });
  expect((await app.events())[1]).toMatchObject({ description: '', featured: null });
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', conflicts: 0, writes: 0, problems: [] });

  feeds.on('/town.ics', body(calendarText(events.map((each, index) => (index === 1 ? { ...each, lines: ['DESCRIPTION:As the feed says now', ...each.lines.slice(1)] } : each)))));
  expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, conflicts: 0 });
  const written = await app.sites.builtin.rest(new Request(`http://in.process/api/calendar/events/v1/events/${event!.id}?password=sesame`));
  expect(await written.json()).toMatchObject({ description: '<p>As the feed says now</p>', venue: { venue: 'Town Hall' }, categories: [{ name: 'Music' }] });
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
});
