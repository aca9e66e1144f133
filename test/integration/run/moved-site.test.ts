import { afterEach, beforeEach, expect, test } from 'vitest';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';
import { townOn } from '../../support/two-sites.ts';

// The address of a site in the configuration changes.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
let other: RealSite;
beforeEach(async () => {
  syncing = await syncingApp();
  const now = (): number => syncing.clock.now;
  [feeds, real, other] = await Promise.all([feedServer(), realSite({ now }), realSite({ now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close(), other.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));

test('a site whose url changes from its home page to its interface keeps its events and edits', async () => {
  publish(feedEvents(8));
  const before = await syncing.open(
    townOn('a real site', real, feeds).replace(`url: "${real.root}"`, `url: "${real.home}/"`),
  );
  expect(await before.sync('town')).toMatchObject({ created: 8 });
  const { id } = (await before.events()).find(({ title }) => title === 'Event number 3')!;
  await before.site.write([{ method: 'POST', path: `/events/${id}`, body: { ...complete, title: 'By hand' } }]);
  await before.close();
  publish(feedEvents(9));
  const after = await syncing.open(townOn('a real site', real, feeds));
  expect(await after.sync('town')).toMatchObject({ state: 'done', created: 1, updated: 0, unchanged: 8, problems: [] });
  expect((await after.events()).find((event) => event.id === id)?.title).toBe('By hand');
  expect(await after.sync('town')).toMatchObject({ state: 'unchanged', requests: 0 });
});

test('another site starts without a history, and the first one goes on when it is configured again', async () => {
  publish(feedEvents(8));
  const first = await syncing.open(townOn('a real site', real, feeds));
  await first.sync('town');
  await first.close();
  other.person.addEvent({
    title: 'A stranger',
    start_date: '2027-03-01 10:00:00',
    end_date: '2027-03-01 11:00:00',
    timezone: 'Europe/Warsaw',
  });
  const second = await syncing.open(townOn('a real site', other, feeds));
  expect(await second.sync('town')).toMatchObject({ created: 8 });
  await second.close();
  const again = await syncing.open(townOn('a real site', real, feeds));
  expect(await again.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
});

const complete = {
  start_date: '2027-02-04 18:00:00',
  end_date: '2027-02-04 19:00:00',
  timezone: 'Europe/Warsaw',
  status: 'publish',
};
