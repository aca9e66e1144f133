import { afterEach, beforeEach, expect, test } from 'vitest';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';

// A site that refuses to answer about single events: because a firewall dislikes their addresses, or because of missing
// rights.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const FIREWALL = { kind: 'page', status: 403 } as const;
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const renamed = (title: string): FeedEvent[] =>
  feedEvents(6).map((event, index) => (index === 0 ? { ...event, title } : event));
const titles = async (app: OpenedApp): Promise<readonly string[]> =>
  (await app.events()).map(({ title }) => title).toSorted();
const refuse = (fault: typeof FIREWALL | { readonly kind: 'forbidden' }, ...parts: readonly string[]): void =>
  real.fail(fault, {
    when: (method, path) =>
      method === 'GET' && parts.some((part) => path.endsWith(part) || path.includes(`/by-slug/${part}`)),
    times: 1000,
  });
async function town(): Promise<OpenedApp> {
  publish(feedEvents(6));
  const app = await syncing.open(townOn('a real site', real, feeds));
  await app.sync('town');
  return app;
}

test('a new event whose slug a firewall refuses is skipped, and the rest of the run is written', async () => {
  const app = await town();
  const select = { uid: 'select', title: 'Union Select Committee' };
  refuse(FIREWALL, 'union-select');
  const waits = {
    skipped: 1,
    created: 0,
    problems: [
      {
        code: 'event-unread',
        message: expect.stringMatching(
          /^"Union Select Committee" could not be looked up on the site: .*firewall/,
        ) as string,
        where: { uid: 'select' },
      },
    ],
  };
  publish([...renamed('Renamed'), select]);
  expect(await app.sync('town')).toMatchObject({ ...waits, state: 'done', updated: 1 });
  publish([...renamed('Renamed again'), select]);
  expect(await app.sync('town', true)).toMatchObject({ ...waits, state: 'done', updated: 1 });
  expect(await app.sync('town', true)).toMatchObject({ ...waits, writes: 0 });
  real.heal();
  expect(await app.sync('town', true)).toMatchObject({ state: 'done', created: 1, skipped: 0, problems: [] });
  expect(await titles(app)).toEqual([...renamed('Renamed again').map(({ title }) => title), select.title].toSorted());
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
});

test.each([{ kind: 'forbidden' } as const, FIREWALL])(
  'an event that no list shows and that cannot be read is left alone ($kind)',
  async (fault) => {
    const app = await town();
    const { id, slug, title } = (await app.events()).find((event) => event.title === 'Event number 3')!;
    real.person.edit(slug, { hide_from_listings: true });
    refuse(fault, `/events/${id}`, slug);
    publish(renamed('Renamed'));
    expect(await app.sync('town', true)).toMatchObject({
      state: 'done',
      updated: 1,
      skipped: 1,
      problems: [{ code: 'event-unread', where: { slug } }],
    });
    real.heal();
    publish(renamed('Renamed').map((event) => (event.title === title ? { ...event, title: 'Another' } : event)));
    expect(await app.sync('town', true)).toMatchObject({ state: 'done', updated: 1, skipped: 0, problems: [] });
    expect(real.person.event(slug).title).toBe('Another');
  },
);

test('if none of several new events can be looked up, the run fails', async () => {
  const app = await town();
  publish([...feedEvents(6), { uid: 'a', title: 'Union Select One' }, { uid: 'b', title: 'Union Select Two' }]);
  refuse(FIREWALL, 'union-select');
  expect(await app.sync('town')).toMatchObject({ state: 'failed', writes: 0, problems: [{ code: 'site-forbidden' }] });
  expect(await titles(app)).toHaveLength(6);
});

test('a create whose answer was lost, and whose event cannot be looked up, is not repeated', async () => {
  const app = await town();
  publish([...feedEvents(6), { uid: 'lost', title: 'Lost' }]);
  real.fail({ kind: 'lost' }, { when: (method, path) => method === 'POST' && path.endsWith('/events') });
  real.fail(FIREWALL, {
    when: (method, path) => method === 'GET' && path.includes('/by-slug/lost-'),
    after: 1,
    times: 1000,
  });
  expect(await app.sync('town')).toMatchObject({ created: 0, problems: [{ code: 'event-unread' }] });
  real.heal();
  expect(await app.sync('town', true)).toMatchObject({ created: 0, problems: [] });
  expect(await titles(app)).toHaveLength(7);
});
