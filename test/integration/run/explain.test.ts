import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandIn } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { realSite } from '../../support/real-site/real-site.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';
import { townOn } from '../../support/two-sites.ts';

// What `explain` tells while the site is away; what it tells otherwise is in person.test.ts.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

test('explain tells what is known here while the site cannot be asked, and says why', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const config = townOn('a real site', real, feeds);
  feeds.on('/town.ics', body(calendarText(feedEvents(8))));
  const app = await syncing.open(config);
  const { run } = await app.sync('town');
  const { slug, id } = (await app.events()).find(({ title }) => title.endsWith('number 3'))!;
  await real.close();
  const { code, json } = await commandIn(syncing, config, ['explain', slug, '--json']);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    slug,
    id,
    source: 'town',
    state: 'kept',
    onSite: null,
    notAsked: expect.stringContaining('could not be asked') as string,
    identity: { identity: 'event-3@feed.example' },
    feed: { presence: 'in the feed', where: { uid: 'event-3@feed.example' } },
    fields: { title: { origin: 'feed', site: 'Event number 3' } },
    edits: [],
    runs: [{ run, action: 'create' }],
  });
  expect((await commandIn(syncing, config, ['explain', slug])).out).toMatch(
    /; not asked now\n {4}127\.0\.0\.1:\d+ could not be asked .*\. The fields are as the site showed them after our last write\.\n/,
  );
});
