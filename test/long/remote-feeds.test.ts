import { afterEach, beforeEach, expect, test } from 'vitest';
import { siteNamed } from '../../src/cli/open/open-sites.ts';
import { exportedSite, openFeeds } from '../../src/cli/web/open-feeds.ts';
import { buildFeed } from '../../src/feeds/content/build-feed.ts';
import type { FeedCatalog } from '../../src/feeds/pages/feed-catalog.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { linesOf } from '../support/feed-world.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, START, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

let syncing: SyncingApp;
let site: RealSite;
let feeds: FeedCatalog;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, site] = [await syncingApp(), await realSite({ now: () => START })];
  const { username, applicationPassword } = site.credentials;
  app = await syncing.open(`site:
  url: "${site.root}"
  namespace: ${site.namespace}
  username: ${username}
  application_password: "${applicationPassword}"
  language: pl
feeds: { all: { title: All } }
`);
  for (const day of ['02', '03', '04', '05', '06'])
    await app.site.write([
      {
        method: 'POST',
        path: '/events',
        body: {
          title: `Event ${day}`,
          start_date: `2027-02-${day} 18:00:00`,
          end_date: `2027-02-${day} 19:00:00`,
          status: 'publish',
        },
      },
    ]);
  feeds = openFeeds(app);
});
afterEach(async () => {
  await syncing.close();
  await site.close();
});

const get = (path: string): Promise<Response> => handleFeeds(feeds, new Request(`http://127.0.0.1:8080/feeds/${path}`));
const reads = (): number => site.requests.filter((request) => request.startsWith('GET ')).length;

test('a remote site gets few requests, however many subscribers there are, and however many feeds outsiders make up', async () => {
  const before = reads();
  for (let minute = 0; minute < 60; minute += 1) {
    syncing.clock.now = START + minute * 60_000;
    await Promise.all(Array.from({ length: 20 }, () => get('all.ics')));
    await get('all');
  }
  // The index twice, and a few times the list and the choices that the page offers, which is five requests each time.
  expect(reads() - before).toBeLessThanOrEqual(2 + 5 * 5);
  const statuses = new Set<number>();
  for (let number = 0; number < 400; number += 1) statuses.add((await get(`events.ics?search=word${number}`)).status);
  expect(statuses).toEqual(new Set([200, 503]));
  expect(reads() - before).toBeLessThan(300);
});

test('while a remote site is unreachable, feeds stay as they were for some hours, and their pages say so', async () => {
  const first = await (await get('all.ics')).text();
  expect(linesOf(first, 'SUMMARY:')).toHaveLength(5);
  expect(linesOf(first, 'URL:')[0]).toBe(`URL:${site.home}/`);
  site.fail({ kind: 'hang-up' }, { times: Infinity });
  syncing.clock.now += 3_600_000;
  const [again, page] = [await get('all.ics'), await (await get('all')).text()];
  expect([again.status, await again.text()]).toEqual([200, first]);
  expect(page).toContain('Oto stan, jaki podawał 60 minut temu');
  expect(page).toContain(`<a href="${site.home}/">Co się dzieje</a>`);
  expect((await get('events.ics?search=new')).status).toBe(503);
  syncing.clock.now += 6 * 3_600_000;
  const late = await get('all.ics');
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '300']);
  site.heal();
  syncing.clock.now += 60_000;
  expect((await get('all.ics')).status).toBe(200);
  expect(await (await get('all')).text()).not.toContain('Oto stan');
});

test('if a gateway no longer finds the site, feeds are not emptied, and nothing is cancelled', async () => {
  const first = await (await get('all.ics')).text();
  site.fail({ kind: 'astray' }, { times: Infinity });
  syncing.clock.now += 20 * 60_000;
  const kept = await get('all.ics');
  expect([kept.status, await kept.text()]).toEqual([200, first]);
  expect((await get('events.ics?search=Event')).status).toBe(503);
  expect((await handleFeeds(openFeeds(app), new Request('http://127.0.0.1:8080/feeds/all.ics'))).status).toBe(503);
  site.heal();
  syncing.clock.now += 60_000;
  expect((await (await get('all.ics')).text()).match(/STATUS:CONFIRMED/g)).toHaveLength(5);
});

test('if a site has lost its events, they are not cancelled until a person says that they were deleted on purpose', async () => {
  const first = await (await get('all.ics')).text();
  const slugs = site.person.events().map(({ slug }) => slug);
  site.person.trash(slugs[0] ?? '');
  for (const slug of slugs.slice(1)) site.person.erase(slug);
  syncing.clock.now += 20 * 60_000;
  const held = await get('all.ics');
  expect([held.status, await held.text()]).toEqual([200, first]);
  const built = (cancelLost: boolean) => {
    const remote = siteNamed(app.sites, undefined);
    return buildFeed({ ...exportedSite(app, remote), cancelLost }, { id: 'all', title: 'All' }, syncing.clock.now);
  };
  // After a restart, there is no former feed to serve.
  expect((await handleFeeds(openFeeds(app), new Request('http://127.0.0.1:8080/feeds/all.ics'))).status).toBe(503);
  await expect(built(false)).rejects.toMatchObject({
    code: 'events-lost',
    message: expect.stringContaining('4 of 5 coming events'),
  });
  const cancelled = String(await (await built(true)).body.bytes());
  expect(cancelled.match(/STATUS:CANCELLED/g)).toHaveLength(5);
});

test('events that people move to the trash are cancelled, however many', async () => {
  await get('all.ics');
  for (const { slug } of site.person.events()) site.person.trash(slug);
  syncing.clock.now += 20 * 60_000;
  expect((await (await get('all.ics')).text()).match(/STATUS:CANCELLED/g)).toHaveLength(5);
});
