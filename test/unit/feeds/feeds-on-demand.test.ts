import { expect, test } from 'vitest';
import { AppError } from '../../../src/error.ts';
import type { FeedDefinition } from '../../../src/feeds/definition/definition.ts';
import { makeBudget } from '../../../src/budget.ts';
import { feedWorld, linesOf, music } from '../../support/feed-world.ts';
import { violationsOf } from '../../support/ical-check.ts';
import { siteEvent, siteOrganizer, siteTerm, siteVenue } from '../../support/memory-site.ts';

const hall = siteVenue(12, { venue: 'Town Hall', slug: 'town-hall' });
const club = siteOrganizer(30, { organizer: 'Jazz &amp; Co', slug: 'jazz-co' });
const cyrillic = { ...siteTerm(7, 'Живая музыка'), slug: encodeURIComponent('живая-музыка').toLowerCase() };
const events = [
  siteEvent(1, { title: 'Jazz', categories: [music], venue: hall, organizer: [club] }),
  siteEvent(2, { title: 'Chess', tags: [siteTerm(9, 'Indoors', 'tag')], venue: hall }),
  siteEvent(3, { title: 'Folk', categories: [music], featured: true }),
  siteEvent(4, { title: 'Hidden from lists', hide_from_listings: true }),
  siteEvent(5, { title: 'Concert', categories: [cyrillic] }),
];
const titles = async (answer: Response): Promise<readonly string[]> =>
  linesOf(await answer.text(), 'SUMMARY:').map((line) => line.slice(8));

test.each<[string, readonly string[], string]>([
  ['/feeds/events.ics', ['Jazz', 'Chess', 'Folk', 'Concert'], 'Town calendar'],
  ['/feeds/events.ics?categories=music&venue=12', ['Jazz'], 'Town calendar: Music, Town Hall'],
  ['/feeds/events.ics?venue=town-hall', ['Jazz', 'Chess'], 'Town calendar: Town Hall'],
  ['/feeds/events.ics?organizer=jazz-co&search=', ['Jazz'], 'Town calendar: Jazz & Co'],
  ['/feeds/events.ics?categories[]=Music&featured=true', ['Folk'], String.raw`Town calendar: Music\, featured`],
  // Every feed has published events only, but clients of the interface may ask for that.
  ['/feeds/events.ics?status=publish&search=chess', ['Chess'], 'Town calendar: “chess”'],
  ['/feeds/events.ics?search=chess', ['Chess'], 'Town calendar: “chess”'],
  ['/feeds/events.ics?include=1,3', ['Jazz', 'Folk'], 'Town calendar'],
  ['/feeds/category/music.ics', ['Jazz', 'Folk'], 'Town calendar: Music'],
  ['/feeds/tag/indoors.ics', ['Chess'], 'Town calendar: Indoors'],
  ['/feeds/venue/town-hall.ics', ['Jazz', 'Chess'], 'Town calendar: Town Hall'],
  ['/feeds/organizer/30.ics', ['Jazz'], 'Town calendar: Jazz & Co'],
  [`/feeds/category/${encodeURIComponent('живая-музыка')}.ics`, ['Concert'], 'Town calendar: Живая музыка'],
  [`/feeds/category/${encodeURIComponent(cyrillic.slug)}.ics`, ['Concert'], 'Town calendar: Живая музыка'],
  [`/feeds/events.ics?categories=${encodeURIComponent('Живая Музыка')}`, ['Concert'], 'Town calendar: Живая музыка'],
])('%s contains %j', async (path, expected, name) => {
  const answer = await feedWorld(events).get(path);
  const text = await answer.clone().text();
  expect(await titles(answer)).toEqual(expected);
  expect(violationsOf(Buffer.from(text))).toEqual([]);
  expect(linesOf(text, 'NAME:')).toEqual([`NAME:${name.replace('Music, ', String.raw`Music\, `)}`]);
});

test.each<[string, number, RegExp]>([
  [
    '/feeds/events.ics?colour=red',
    400,
    /^Unknown parameter: colour\. Known parameters: categories, tags, venue, organizer, search, featured, .*cancelled, variant\.\n$/,
  ],
  ['/feeds/events.ics?page=2', 400, /^Unknown parameter: page\./],
  ['/feeds/events.ics?status=publish,draft', 400, /^Unknown parameter: status\./],
  ['/feeds/events.ics?status=draft', 400, /^Unknown parameter: status\./],
  ['/feeds/events.ics?start_date=whenever', 400, /^Invalid parameter\(s\): start_date\. Known/],
  ['/feeds/events.ics?translation_language=xx', 400, /translation_language/],
  ['/feeds/events.ics?cancelled=no', 400, /^cancelled is one of keep, hide, title, not "no"\.\n$/],
  [
    '/feeds/all.ics?categories=music',
    400,
    /^Unknown parameter: categories\. Known parameters: cancelled, variant\.\n$/,
  ],
  ['/feeds/events.ics?categories=%00', 400, /^Invalid parameter\(s\): categories: .*Known parameters: categories/],
  ['/feeds/events.ics?search=a%00', 400, /^Invalid parameter\(s\): search/],
  ['/feeds/category/%00.ics', 404, /no such feed/],
  [`/feeds/events.ics?search=${'x'.repeat(3000)}`, 400, /longer than 2000/],
  ['/feeds/venue/nowhere.ics', 404, /^The calendar has no venue "nowhere"\.\n$/],
  ['/feeds/events.ics?categories=music,none', 404, /no category "none"/],
  ['/feeds/shelf/music.ics', 404, /no such feed/],
  ['/feeds/constructor/music.ics', 404, /no such feed/],
  ['/feeds/category/a/b.ics', 404, /no such feed/],
  ['/feeds/venue/a%2Fb.ics', 404, /no such feed/],
])('%s is %i', async (path, status, text) => {
  const answer = await feedWorld(events).get(path);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
});

test('a request that the site refuses is answered with 400 and the site’s message', async () => {
  const { get, site, problems } = feedWorld(events);
  site.failure = new AppError(
    'site-refused',
    'site.example answered 400 when reading /events: Invalid parameter(s): ticketed.',
  );
  const answer = await get('/feeds/events.ics?ticketed=true');
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('Invalid parameter(s): ticketed.'),
  ]);
  expect(problems).toEqual([]);
  expect((await get('/feeds/all.ics')).status).toBe(503);
});

test('different spellings of the same query are one feed', async () => {
  const { get, site } = feedWorld(events);
  const answers = await Promise.all(
    [
      '?tags=&categories=music,jazz',
      '?categories=jazz,music',
      '?categories[]=jazz&categories[]=music&search=&status=publish',
    ].map((query) => get(`/feeds/events.ics${query}`)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect(site.reads).toBe(2);
});

test('dates in the query replace the window', async () => {
  const { get, site } = feedWorld(events);
  for (const query of ['ends_after=2027-01-01', 'start_date=2027-01-01&end_date=2027-02-01', 'include=1'])
    await get(`/feeds/events.ics?${query}`);
  expect(site.queries).toEqual([
    { status: 'publish', starts_before: '2028-05-13', ends_after: '2027-01-01' },
    { status: 'publish', start_date: '2027-01-01', end_date: '2027-02-01' },
    { status: 'publish', include: '1' },
  ]);
});

test('feeds on demand cause a limited number of requests, and the configured feeds go on', async () => {
  const { get, clock, site } = feedWorld(events);
  const ask = (number: number): Promise<Response> => get(`/feeds/events.ics?search=x${number}`);
  const answers = [];
  for (let number = 0; number < 30; number++) answers.push(await ask(number));
  expect(Map.groupBy(answers, ({ status }) => status).get(200)).toHaveLength(10);
  expect([answers.at(-1)!.status, answers.at(-1)!.headers.get('retry-after')]).toEqual([503, '60']);
  expect(site.queries).toHaveLength(10);
  expect((await get('/feeds/all.ics')).status).toBe(200);
  // A kept feed is given even if it is old, and the allowance fills up again.
  clock.revision += 1;
  expect((await ask(0)).status).toBe(200);
  expect(site.queries).toHaveLength(11);
  clock.now += 61_000;
  expect((await ask(29)).status).toBe(200);
});

const definition = (number: number): FeedDefinition => ({
  id: 'events',
  title: '',
  onDemand: true,
  search: `x${number}`,
  path: `/feeds/events.ics?search=x${number}`,
});

test('of too many feeds on demand, those that nobody asks for are forgotten first', async () => {
  const { feeds, clock } = feedWorld(events);
  for (let number = 0; number < 120; number++) {
    clock.now += 3_600_000;
    await feeds.feed(definition(0));
    await feeds.feed(definition(number));
  }
  const kept = Array.from({ length: 120 }, (_, number) => number).filter((number) => feeds.latest(definition(number)));
  expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([100, 0, 21, 119]);
});

test('an allowance fills up over time, to its maximum', () => {
  let now = 0;
  const budget = makeBudget({ burst: 10, perHour: 60 }, () => now);
  budget.spend(12);
  expect(budget.waitMs()).toBe(180_000);
  now = 180_000;
  expect(budget.waitMs()).toBe(0);
  now = 36_000_000;
  budget.spend(10);
  expect(budget.waitMs()).toBe(60_000);
});

const staff: FeedDefinition = {
  id: 'staff',
  title: 'Staff',
  access: { secret: { reveal: () => 'abcdefgh-12345678' } },
};
const board: FeedDefinition = {
  id: 'board',
  title: 'Board',
  access: { basic: { username: 'böard', password: { reveal: () => 'pass:word' } } },
};
const basic = (text: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});

test.each<[string, Record<string, string>, number]>([
  ['/feeds/~abcdefgh-12345678/staff.ics', {}, 200],
  ['/feeds/staff.ics', {}, 404],
  ['/feeds/~wrong/staff.ics', {}, 404],
  ['/feeds/staff.ics?colour=red', {}, 404],
  ['/feeds/~abcdefgh-12345678/all.ics', {}, 404],
  ['/feeds/board.ics', {}, 401],
  ['/feeds/board.ics', basic('böard:wrong'), 401],
  ['/feeds/board.ics', basic('böard:pass:word'), 200],
  ['/feeds/all.ics', {}, 200],
])('private feeds: %s %j is %i', async (path, headers, status) => {
  const { get } = feedWorld(events, [{ id: 'all', title: 'All' }, staff, board]);
  const answer = await get(path, headers);
  expect(answer.status).toBe(status);
  expect(await answer.text()).not.toMatch(/abcdefgh|staff\.ics/);
  expect(await (await get('/feeds/')).text()).not.toMatch(/Staff|Board/);
});

test('a private feed is not stored by shared caches', async () => {
  const { headers } = await feedWorld(events, [staff]).get('/feeds/~abcdefgh-12345678/staff.ics');
  expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
    'private, max-age=900',
    null,
  ]);
});
