import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// An unknown name is a usage error, never an empty answer.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/town.ics', body(calendarText(feedEvents(3))));
  const app = await syncing.open(config('theatre'));
  await app.sync('theatre');
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));

const config = (source: string): string =>
  `fetch: { allow_addresses: [127.0.0.1/32] }\nsources: { ${source}: { url: "${feeds.url}/town.ics" } }\n`;
const said = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config('theatre'), words);

test.each([
  ['events', 'teatre'],
  ['runs', 'teatre'],
  ['runs', 'teatre', '--follow'],
  ['show', 'last', 'teatre'],
  ['undo', 'last', 'teatre'],
  ['approve', 'last', 'teatre'],
  ['settle', '--source', 'teatre'],
  ['sync', 'teatre'],
  ['sources', 'teatre'],
  ['pause', 'teatre'],
  ['adopt', 'teatre'],
  ['preview', 'teatre'],
] as const)('%s %s: the unknown source is a usage error that names the one that was meant', async (...words) => {
  const { code, out, err } = await said(...words);
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err).toMatch(/source.* "teatre".* Did you mean "theatre"\? .*: theatre\.\n$/);
});

test('a source that is no longer configured can still be named to show its events and runs', async () => {
  const gone = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config('other'), words);
  expect((await gone('events', 'theatre')).out).toContain('3 events.');
  expect((await gone('runs', 'theatre')).out).toContain('3 created');
  expect((await gone('show', 'last', 'theatre')).out).toContain('of theatre');
  expect(await gone('forget', 'teatre')).toMatchObject({
    code: 64,
    err: expect.stringContaining('Did you mean "theatre"?'),
  });
});

test('an unknown account is refused without a question, with the one that was meant', async () => {
  await said('users', 'add', 'anna', 'editor');
  for (const words of [
    ['users', 'remove', 'ana'],
    ['users', 'role', 'ana', 'author'],
    ['password', 'ana', 'phone'],
    ['password', 'ana', '--account'],
  ])
    expect(await said(...words)).toMatchObject({
      code: 64,
      out: '',
      err: expect.stringContaining('There is no account "ana". Did you mean "anna"?'),
    });
  expect(await said('users', 'remove', 'calsyncd')).toMatchObject({
    code: 1,
    err: expect.stringContaining('it cannot be removed'),
  });
  // With a role, a new account is meant.
  expect(await said('password', 'ana', 'phone', '--role', 'author')).toMatchObject({ code: 0 });
  expect((await said('users')).out).toMatch(/^ana +author/m);
});

test('an event can also be named by the address of its page', async () => {
  const [event] = (await said('events', '--json')).json['events'] as readonly { readonly slug: string }[];
  const { slug } = event!;
  const bySlug = await said('explain', slug);
  expect(bySlug).toMatchObject({ code: 0, out: expect.stringContaining(`(${slug})`) as string });
  const pageOf = (more: string): string => `https://town.example/event/${slug}${more}`;
  for (const more of ['', '/', '/?view=month#top']) expect(await said('explain', pageOf(more))).toEqual(bySlug);
  expect(await said('restore', pageOf('/'))).toEqual(await said('restore', slug));
  const undo = await said('undo', 'last', '--event', pageOf('/'), '--dry-run');
  expect({ code: undo.code, out: undo.out }).toMatchObject({ code: 2, out: expect.stringContaining(slug) as string });
});

test('an unknown event is refused without a question, with the one that was meant', async () => {
  const slugs = (await said('events', '--json')).json['events'] as readonly { readonly slug: string }[];
  const slug = slugs[0]!.slug;
  const asked: string[] = [];
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return 'n';
  };
  const forget = (event: string): Promise<Said> =>
    commandIn(syncing, config('theatre'), ['forget', '--event', event], { ask });
  expect(await forget(slug.slice(0, -2))).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringMatching(/Neither a site nor a feed has an event .*Did you mean .*\?\n$/),
  });
  expect(asked).toEqual([]);
  expect(await forget(slug)).toMatchObject({ code: 1, err: 'Nothing was done.\n' });
  expect(asked).toEqual([expect.stringMatching(`^"${slug}" goes off the site, and subscribers .* Do it`)]);
});

test.each([[], ['--dry-run']])(
  'undo %s of an event that the run did not touch is a usage error and makes no run',
  async (...options) => {
    const before = (await said('runs', '--json')).json.runs;
    expect(await said('undo', 'last', '--event', 'nosuch', ...options)).toMatchObject({
      code: 64,
      out: '',
      err: expect.stringMatching(
        /The run theatre-\S+ did nothing to nosuch\. "npm run -s calsyncd -- show theatre-/,
      ) as string,
    });
    expect((await said('runs', '--json')).json.runs).toEqual(before);
  },
);

test.each([
  ['', 'the argument is empty'],
  ['ftp://town.example/a.ics', 'not over ftp:'],
])('preview %j is a usage error', async (feed, why) => {
  expect(await said('preview', feed)).toMatchObject({ code: 64, err: expect.stringContaining(why) as string });
});

test('sync reads a source that is named twice once, and says if all are paused', async () => {
  const twice = await said('sync', 'theatre', 'theatre', '--json');
  expect(twice).toMatchObject({ code: 0, json: { runs: [{ source: 'theatre' }] } });
  expect(twice.json.runs).toHaveLength(1);
  const paused = config('theatre').replace('.ics" }', '.ics", paused: true }');
  expect(await commandIn(syncing, paused, ['sync'])).toMatchObject({
    code: 0,
    err: expect.stringContaining('All sources are paused') as string,
  });
});
