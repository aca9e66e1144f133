import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSiteClient } from '../../src/client/make-site-client.ts';
import { memoryExportState } from '../support/memory-export-state.ts';
import { makeFeedCatalog } from '../../src/feeds/pages/feed-catalog.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { makeFeedCache } from '../../src/feeds/serve/feed-cache.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { violationsOf } from '../support/ical-check.ts';

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

/** The feeds of the built-in site, which calsyncd reads as an editor. */
function feedsOfSite() {
  const client = makeSiteClient({
    root: 'https://site.example/api/',
    namespace: 'calendar/events/v1',
    transport: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { status, headers, body } = await site.ask('editor', request.method, pathname + search);
      return new Response(JSON.stringify(body), { status, headers });
    },
  });
  let revision = 0;
  const feeds = makeFeedCache({
    client,
    ourKeys: async () => new Map(),
    state: memoryExportState(),
    host: 'site.example',
    publicUrl: 'https://site.example',
    home: 'https://site.example/',
    waitMs: 2000,
    onDemand: { burst: 100, perHour: 100 },
    now: () => site.clock.now,
    revision: () => String(revision++),
    report: () => undefined,
  });
  const catalog = makeFeedCatalog(
    [{ name: 'site', languages: ['en', 'pl'], ...feeds }],
    [
      { id: 'all', title: 'All' },
      { id: 'music', title: 'Music', categories: ['music'] },
    ],
    {
      look: { title: 'Town calendar', publicUrl: 'https://site.example', language: 'en' },
      freshness: async () => ({ kind: 'none' }),
    },
    () => site.clock.now,
    async () => {
      throw new Error('no network here');
    },
  );
  return async (name: string): Promise<string> => {
    const text = await (await handleFeeds(catalog, new Request(`https://site.example/feeds/${name}.ics`))).text();
    expect(violationsOf(Buffer.from(text))).toEqual([]);
    return text.replaceAll('\r\n ', '');
  };
}

test('feeds have the public events of the site with their details, and no drafts or private events', async () => {
  const feed = feedsOfSite();
  const dates = { start_date: '2026-12-05 18:00:00', end_date: '2026-12-05 20:00:00', timezone: 'Europe/Warsaw' };
  const create = async (fields: object) => {
    const { status, body } = await site.ask('editor', 'POST', '/events', { ...dates, ...fields });
    expect(status).toBe(201);
    return body;
  };
  const jazz = await create({
    title: 'Jazz & “Blues”',
    description: '<p>Doors <b>at</b> 17:00.</p>',
    categories: ['Music'],
    website: 'https://jazz.example/?a=1&b=2',
    venue: { venue: 'Hall & Bar', address: 'ul. Długa 1', city: 'Kraków', geo_lat: 50.06, geo_lng: 19.94 },
    organizer: { organizer: 'Jazz Society', email: 'info@jazz.example' },
  });
  await create({
    title: 'Whole days',
    all_day: true,
    start_date: '2026-12-24 00:00:00',
    end_date: '2026-12-26 23:59:59',
  });
  await create({ title: 'Secret draft', status: 'draft' });
  await create({ title: 'Secret private', status: 'private' });
  await create({ title: 'Running', start_date: '2026-11-01 10:00:00', end_date: '2026-12-31 18:00:00' });
  const all = await feed('all');
  expect(all).not.toContain('Secret');
  expect(all.match(/^SUMMARY:.*$/gm)?.map((line) => line.trimEnd())).toEqual([
    'SUMMARY:Running',
    'SUMMARY:Jazz & “Blues”',
    'SUMMARY:Whole days',
  ]);
  expect(all).toContain('DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261227\r\n');
  const music = (await feed('music')).split('\r\n');
  expect(music).toEqual(
    expect.arrayContaining([
      `UID:${jazz.id}@site.example`,
      'DTSTART;TZID=Europe/Warsaw:20261205T180000',
      'DTEND;TZID=Europe/Warsaw:20261205T200000',
      String.raw`LOCATION:Hall & Bar\, ul. Długa 1\, Kraków`,
      'CATEGORIES:Music',
      'DESCRIPTION:Doors at 17:00.',
      'ORGANIZER;CN="Jazz Society":mailto:info@jazz.example',
      'GEO:50.06;19.94',
      'URL:https://jazz.example/?a=1&b=2',
      'DTSTAMP:20261120T104059Z',
      'X-WR-TIMEZONE:Europe/Warsaw',
    ]),
  );
  site.clock.now += 3_600_000;
  await site.ask('editor', 'POST', `/events/${jazz.id}`, {
    start_date: '2026-12-06 18:00:00',
    end_date: '2026-12-06 20:00:00',
  });
  const moved = (await feed('music')).split('\r\n');
  expect(moved).toEqual(
    expect.arrayContaining([
      `UID:${jazz.id}@site.example`,
      'DTSTART;TZID=Europe/Warsaw:20261206T180000',
      'DTSTAMP:20261120T114059Z',
    ]),
  );
});
