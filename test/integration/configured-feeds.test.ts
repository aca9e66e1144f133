import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFeeds } from '../../src/cli/web/open-feeds.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { linesOf } from '../support/feed-world.ts';
import { violationsOf } from '../support/ical-check.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

const YAML = `builtin: { title: Town, timezone: Europe/Warsaw, languages: [en, pl] }
feeds:
  all: { title: Everything on, description: All of it, color: "#3366cc" }
  polish: { language: pl }
  hall: { venue: [town-hall] }
  club: { organizer: [jazz-club] }
  nowhere: { venue: [nowhere], categories: [none-yet] }
  words: { search: chess }
  best: { featured: true }
  tagged: { tags: [indoors] }
  soon: { window: { past: 1d, future: 60d } }
  lite: { variant: lite }
  google: { variant: google }
`;
const dates = { start_date: '2027-02-05 18:00:00', end_date: '2027-02-05 20:00:00' };
const EVENTS = [
  {
    title: 'Jazz',
    venue: { venue: 'Town Hall' },
    organizer: { organizer: 'Jazz Club' },
    description: '<p>Doors <b>at</b> 17:00</p>',
  },
  { title: 'Chess', featured: true, tags: ['Indoors'] },
  { title: 'Late', start_date: '2027-06-05 18:00:00', end_date: '2027-06-05 20:00:00' },
];

let syncing: SyncingApp;
let app: OpenedApp;
beforeAll(async () => {
  syncing = await syncingApp();
  app = await syncing.open(YAML);
  for (const event of EVENTS) await app.site.write([{ method: 'POST', path: '/events', body: { ...dates, ...event } }]);
  await app.sites.builtin
    .client('pl')
    .write([{ method: 'POST', path: '/events', body: { ...dates, title: 'Po polsku' } }]);
});
afterAll(() => syncing.close());

const feed = async (path: string): Promise<string> => {
  const answer = await handleFeeds(openFeeds(app), new Request(`http://127.0.0.1:8080/feeds/${path}`));
  const text = await answer.text();
  expect([answer.status, violationsOf(Buffer.from(text))]).toEqual([200, []]);
  return text;
};

test.each<[string, readonly string[]]>([
  ['all.ics', ['Chess', 'Jazz', 'Late', 'Po polsku']],
  ['polish.ics', ['Po polsku']],
  ['hall.ics', ['Jazz']],
  ['club.ics', ['Jazz']],
  ['nowhere.ics', []],
  ['words.ics', ['Chess']],
  ['best.ics', ['Chess']],
  ['tagged.ics', ['Chess']],
  ['soon.ics', ['Chess', 'Jazz', 'Po polsku']],
  ['lite.ics', ['Chess', 'Jazz', 'Late', 'Po polsku']],
  ['events.ics?translation_language=pl', ['Po polsku']],
  ['events.ics?venue=town-hall&translation_language=en', ['Jazz']],
])('%s has the events that it selects', async (path, titles) =>
  expect(
    linesOf(await feed(path), 'SUMMARY:')
      .map((line) => line.slice(8))
      .toSorted(),
  ).toEqual(titles),
);

test('title, description, colour and variants have an effect', async () => {
  const [all, lite, google] = await Promise.all(['all.ics', 'lite.ics', 'google.ics'].map(feed));
  expect(
    linesOf(all!, '')
      .filter((line) => /^(?:NAME|DESCRIPTION|COLOR|X-APPLE-CALENDAR-COLOR):/.test(line))
      .slice(0, 4),
  ).toEqual(['NAME:Everything on', 'DESCRIPTION:All of it', 'COLOR:royalblue', 'X-APPLE-CALENDAR-COLOR:#3366CC']);
  expect([all, lite, google].map((text) => linesOf(text!, 'X-ALT-DESC').length)).toEqual([1, 0, 0]);
  expect(linesOf(google!, 'DESCRIPTION:')).toContain('DESCRIPTION:<p>Doors <b>at</b> 17:00</p>');
  expect(linesOf(lite!, 'DESCRIPTION:')).toContain('DESCRIPTION:Doors at 17:00');
});

test('the subscription page offers only venues and organizers with events', async () => {
  await app.site.write([
    { method: 'POST', path: '/venues', body: { venue: 'Never Used' } },
    { method: 'POST', path: '/organizers', body: { organizer: 'Nobody Yet' } },
  ]);
  const answer = await handleFeeds(openFeeds(app), new Request('http://127.0.0.1:8080/feeds/'));
  const offered = [...(await answer.text()).matchAll(/href="\/feeds\/((?:venue|organizer)\/[^"]+)"/g)];
  expect(offered.map(([, path]) => path)).toEqual(['venue/town-hall', 'organizer/jazz-club']);
});

test('terms, venues and organizers only of events with a password are not offered', async () => {
  await app.site.write([
    {
      method: 'POST',
      path: '/events',
      body: {
        ...dates,
        title: 'Guarded',
        password: 'open sesame',
        categories: ['Cat unseen'],
        tags: ['Tag unseen'],
        venue: { venue: 'Hall unseen' },
        organizer: { organizer: 'Club unseen' },
      },
    },
  ]);
  const page = async (path: string): Promise<string> =>
    (await handleFeeds(openFeeds(app), new Request(`http://127.0.0.1:8080/feeds/${path}`))).text();
  for (const path of ['', 'events']) {
    const text = await page(path);
    expect(text).toContain('Town Hall');
    expect(text).not.toContain('unseen');
  }
});
