import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedInConsole, type Answered, type ConsoleClient } from '../../support/console.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The rules workbench: rules are tried on the stored feed, and written to the file only when they are saved.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let browser: ConsoleClient;
const event = (uid: string, title: string, venue: string, category: string): FeedEvent => ({
  uid,
  title,
  start: '20270306T180000',
  lines: [`LOCATION:${venue}`, `CATEGORIES:${category}`],
});
const CONFIG = (url: string): string =>
  'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
  `[127.0.0.1/32] }\nsources:\n  town:\n    url: ${url}/town.ics\n` +
  '    skip:\n      # theirs\n      - { field: title, matches: Staff }\n';
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on(
    '/town.ics',
    body(
      calendarText([
        event('a', 'Quartet', 'Main Library', 'Konzert'),
        event('b', 'Trio', 'The Main Library', 'Konzert'),
        event('c', 'Staff meeting', 'Main Library', 'Office'),
      ]),
    ),
  );
  app = await syncing.open(CONFIG(feeds.url));
  browser = await signedInConsole(app);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const PATH = '/sources/town/rules/';
const rulesIn = ({ html }: Answered): string =>
  (/name="rules" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const pathIn = ({ html }: Answered): string =>
  (/name="path" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"');
/** Presses a button of an open page, with the values of its fields. */
const press = (
  page: Answered,
  name: string,
  fields: Readonly<Record<string, string | readonly string[]>> = {},
  query = '',
): Promise<Answered> =>
  browser.post(`${PATH}${query}`, { do: name, rules: rulesIn(page), path: pathIn(page), ...fields });

test('rules are tried on the stored feed, and change the file only when they are saved', async () => {
  expect((await browser.get(PATH)).text).toContain('The feed has not been read yet.');
  await app.sync('town');
  const first = await browser.get(PATH);
  expect(first.text).toMatch(/2 of 3 events come through 1 Leave out events whose title matches Staff −1 /);
  expect(first.text).toContain('no rule touches 2 events');

  const mapped = await press(first, 'map', { from: ['Konzert'], mapped: ['Music'] });
  expect(mapped.text).toContain('1 Category Konzert is Music 2');
  const chosen = await press(mapped, 'pick', {}, `?at=${encodeURIComponent('["categories","map","Konzert"]')}`);
  expect(chosen.text).toMatch(/Rule 1 touches 2 events .*Quartet, Sat 6 Mar 2027, 18:00 Konzert Music/);

  const aliased = await press(
    chosen,
    'alias',
    { key: 'Konzert', value: 'Concerts' },
    '?from=The+Main+Library&to=Main+Library',
  );
  expect(aliased.text).toContain('1 Category Konzert is Concerts 2');
  expect(aliased.text).toContain('2 The venue The Main Library is Main Library 1');
  expect(await readFile(app.config.file, 'utf8')).toBe(CONFIG(feeds.url));

  // A preview of what they would change on the site writes nothing.
  const dry = await press(aliased, 'plan');
  expect(dry.text).toContain('What a run of town would change with these rules');
  expect(dry.text).toContain('A run would move 1, change 1.');
  expect(dry.html).not.toContain('value="check"');
  expect(await readFile(app.config.file, 'utf8')).toBe(CONFIG(feeds.url));
  expect(rulesIn(dry)).toBe(rulesIn(aliased));
  expect((await press(dry, 'try')).text).toContain('2 The venue The Main Library is Main Library 1');

  const { to } = await press(dry, 'save');
  expect(to).toBe(`${PATH}?saved`);
  expect(await readFile(app.config.file, 'utf8')).toBe(
    `${CONFIG(feeds.url)}    categories: { map: { Konzert: Concerts } }\n    venue: { aliases: { The Main Library: Main Library } }\n`,
  );
  const inForce = await press(await browser.get(to), 'plan');
  expect(inForce.text).toContain('A run would move 1, change 1.');
  expect(inForce.html).toContain('value="check"');
  await browser.post(PATH, { do: 'run' });
  const events = (await app.events()).map(
    ({ title, venue }) => `${title}, ${JSON.stringify(venue).includes('"Main Library"')}`,
  );
  expect(events.toSorted()).toEqual(['Quartet, true', 'Trio, true']);
});

test('a button that adds a rule leaves existing ones unchanged', async () => {
  await app.sync('town');
  const rules = '{"venue":{"default":"Town Hall"},"tags":{"map":{"Name in the feed":"Jazz"}}}';
  const page = await press(await browser.get(PATH), 'try', { rules });
  const edited = await press(page, 'new', {}, '?kind=venue.default');
  expect([rulesIn(edited), pathIn(edited)]).toEqual([rules, '["venue","default"]']);
  const map = await press(page, 'new', {}, '?kind=tags.map');
  expect([rulesIn(map), pathIn(map)]).toEqual([rules, '["tags","map","Name in the feed"]']);
  const added = await press(page, 'new', {}, '?kind=organizer.default');
  expect(rulesIn(added)).toBe(`${rules.slice(0, -1)},"organizer":{"default":"Name"}}`);
});

test('venue texts that hold a name and an address are split on request', async () => {
  const named = (uid: string, venue: string): FeedEvent => event(uid, `Talk ${uid}`, venue, 'Talk');
  feeds.on(
    '/town.ics',
    body(calendarText([named('a', 'Town Hall\\, 12 High Street'), named('b', 'Club\\, Mill 3'), named('c', 'Park')])),
  );
  await app.sync('town');
  const first = await browser.get(PATH);
  expect(first.text).toMatch(/Name and address are one text in (?:Club, Mill 3|Town Hall, 12 High Street) and 1 other/);
  const split = await press(first, 'part');
  expect(split.text).toContain(
    '1 Events whose venue matches ^(.+?), (.*\\d.*)$ get venue {1} and the venue’s address {2} 2',
  );
  expect(split.text).toMatch(/Talk a, Sat 6 Mar 2027, 18:00 Town Hall, 12 High Street Town Hall \(12 High Street\)/);
  expect(split.text).not.toContain('are one text in');
  // Aliases apply before this rule, so an alias for a name that the rule makes would change nothing.
  expect(split.text).not.toContain('is like');
  expect((await press(split, 'save')).status).toBe(303);
  expect(await readFile(app.config.file, 'utf8')).toContain('address: "{2}"');
  await browser.post(PATH, { do: 'run' });
  expect((await app.events()).map(({ venue }) => venue)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ venue: 'Town Hall', address: '12 High Street' }),
      expect.objectContaining({ venue: 'Club', address: 'Mill 3' }),
      expect.not.objectContaining({ address: expect.anything() }),
    ]),
  );
});

test('rooms that differ only in what looks like an address are not split without a warning', async () => {
  const named = (uid: string, venue: string): FeedEvent => event(uid, `Talk ${uid}`, venue, 'Talk');
  const halls = [named('a', 'Fair\\, Hall 1'), named('b', 'Fair\\, Hall 2')];
  feeds.on('/town.ics', body(calendarText(halls)));
  await app.sync('town');
  expect((await browser.get(PATH)).text).not.toContain('are one text in');

  feeds.on('/town.ics', body(calendarText([...halls, named('c', 'Town Hall\\, 12 High Street')])));
  await app.sync('town');
  const first = await browser.get(PATH);
  expect(first.text).toContain('Name and address are one text in Town Hall, 12 High Street Split them');
  expect(first.text).not.toContain('would become one');
  expect((await press(first, 'part')).text).toContain('Fair would stand for 2 venues of the feed: Hall 1; Hall 2');
});

test('an expression that could take forever is refused with its position, and nothing is saved', async () => {
  await app.sync('town');
  const begun = await press(await browser.get(PATH), 'new', {}, '?kind=only');
  const slow = await press(begun, 'try', { field: ['title'], expression: ['^(a+)+$'] });
  expect(slow.html).toContain('^<mark>(a+)+</mark>$');
  expect(slow.text).toContain('From character 2 on');
  expect(slow.html).not.toContain('value="save"');
  expect((await press(slow, 'save', { field: ['title'], expression: ['^(a+)+$'] })).status).toBe(200);
  expect(await readFile(app.config.file, 'utf8')).toBe(CONFIG(feeds.url));
  const wrong = await press(slow, 'try', { field: ['title'], expression: ['(a'] });
  expect(wrong.text).toContain('Expected a regular expression');
});

test('rules can be moved with their comments, and removed', async () => {
  await app.sync('town');
  const begun = await press(await browser.get(PATH), 'new', {}, '?kind=skip');
  const second = await press(begun, 'up', { field: ['title'], expression: ['(?i)trio'] });
  expect(second.text).toMatch(
    /1 Leave out events whose title matches \(\?i\)trio −1 2 Leave out events whose title matches Staff −1/,
  );
  expect((await press(second, 'save', { field: ['title'], expression: ['(?i)trio'] })).status).toBe(303);
  const skip =
    '    skip:\n      - { field: title, matches: (?i)trio }\n      # theirs\n      - { field: title, matches: Staff }\n';
  expect(await readFile(app.config.file, 'utf8')).toContain(skip.replace('(?i)trio', '"(?i)trio"'));
  const dropped = await press(second, 'drop');
  expect(dropped.text).toMatch(/through 1 Leave out events whose title matches Staff −1 Add a rule/);
});

test('a category that exists on the site in another language is not reported as unknown', async () => {
  await app.close();
  const other = `  hall:\n    url: ${feeds.url}/hall.ics\n`;
  feeds.on('/hall.ics', body(calendarText([event('h', 'Sonata', 'Town Hall', 'Konzert')])));
  app = await syncing.open(`${CONFIG(feeds.url)}    language: pl\n${other}`);
  browser = await signedInConsole(app);
  await app.sync('hall');
  await app.sync('town');
  const { text } = await browser.get(PATH);
  expect(text).toContain('2 of 3 events come through');
  expect(text).not.toContain('Category Konzert');
});

test('the page of an event quotes the beginning of a long line that a rule has changed', async () => {
  const hall = 'A hall with a very long name '.repeat(4).trim();
  feeds.on('/town.ics', body(calendarText([event('a', 'Quartet', hall, 'Concert')])));
  await app.sync('town');
  const page = await press(
    await browser.get(PATH),
    'alias',
    {},
    `?${new URLSearchParams({ from: hall, to: 'Hall' }).toString()}`,
  );
  await press(page, 'save');
  await app.sync('town', true);
  const [shown] = await app.events();
  const { text } = await browser.get(`/events/${shown!.slug}/`);
  expect(text).toContain(`“LOCATION:${hall.slice(0, 69)}…”`);
  expect(text).toContain('Status published settings of the source');
});
