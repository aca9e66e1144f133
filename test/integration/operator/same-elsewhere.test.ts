import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comingEvents } from '../../support/coming.ts';
import { commandIn } from '../../support/command.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { calendarText } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// Two sources bring the same event: what its page and `explain` say about that.

const CONFIG = `builtin: { title: Town calendar }
sources:
  town: { url: "file:town.ics" }
  club: { url: "file:club.ics" }
`;

let world: SyncingApp;
let app: OpenedApp;
let clerk: ConsoleClient;

const publish = (name: string, own: Parameters<typeof calendarText>[0]): void =>
  writeFileSync(`${world.directory}/${name}.ics`, calendarText(own));

beforeAll(async () => {
  world = await syncingApp();
  world.clock.now = Date.now();
  const events = comingEvents(3);
  const [first, second, third] = events.map((event, index) => ({ ...event, title: `Quiz ${index}` }));
  publish('town', [first!, second!, third!]);
  // One has another title, and one another time.
  publish('club', [
    { ...first!, uid: 'a', title: 'QUIZ 0' },
    { ...second!, uid: 'b', title: 'Chess' },
    { ...third!, uid: 'c', start: first!.start! },
  ]);
  app = await world.open(CONFIG);
  for (const source of ['town', 'club']) await app.sync(source);
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => world.close());

const slugOf = async (title: string, isFirst = true): Promise<string> => {
  const found = (await app.events()).filter((event) => event.title === title);
  return (isFirst ? found[0] : found.at(-1))!.slug;
};
const explained = async (slug: string): Promise<unknown> =>
  (await commandIn(world, CONFIG, ['explain', slug, '--json'])).json;

test('each links to the other until one of them is removed', async () => {
  const [here, there] = [await slugOf('Quiz 0'), await slugOf('QUIZ 0')];
  expect(await explained(here)).toMatchObject({ alsoFrom: { events: [{ source: 'club', slug: there }], more: 0 } });
  expect(await explained(there)).toMatchObject({ alsoFrom: { events: [{ source: 'town', slug: here }], more: 0 } });
  expect((await commandIn(world, CONFIG, ['explain', here])).out).toMatch(
    new RegExp(`twice\\? +it also comes from club: ${there}`),
  );
  const { html, text } = await clerk.get(`/events/${here}/`);
  expect(text).toContain('Visitors probably see this event twice: it also comes from club');
  expect(html).toContain(`href="/operator/events/${there}/"`);
  expect((await commandIn(world, CONFIG, ['dismiss', there])).code).toBe(0);
  for (const slug of [here, there]) expect(await explained(slug)).toMatchObject({ alsoFrom: { events: [], more: 0 } });
  expect((await clerk.get(`/events/${here}/`)).text).not.toContain('twice');
});

test('an event with another title or time is not the same event', async () => {
  for (const title of ['Quiz 1', 'Chess', 'Quiz 2'])
    expect(await explained(await slugOf(title))).toMatchObject({ alsoFrom: { events: [], more: 0 } });
});

test('of many, the first five are named and the rest counted', async () => {
  const event = { ...comingEvents(4)[3]!, title: 'Market' };
  publish('town', [event]);
  publish(
    'club',
    ['m', 'n', 'o', 'p', 'q', 'r', 's'].map((uid) => ({ ...event, uid })),
  );
  for (const source of ['town', 'club']) await app.sync(source);
  const { json } = await commandIn(world, CONFIG, ['events', 'town', '--search', 'Market', '--json']);
  const [{ slug = '' } = {}] = json['events'] as readonly { readonly slug: string }[];
  expect(await explained(slug)).toMatchObject({
    alsoFrom: { events: Array.from({ length: 5 }, () => ({ source: 'club' })), more: 2 },
  });
  expect((await commandIn(world, CONFIG, ['explain', slug])).out).toContain('and from 2 more events');
  expect((await clerk.get(`/events/${slug}/`)).text).toContain(', and as 2 more events.');
});
