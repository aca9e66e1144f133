import { afterEach, beforeEach, expect, test } from 'vitest';
import { hiddenIn, signedInConsole, type Answered, type ConsoleClient } from '../support/console.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// What the page of one event shows of its feed, and what its buttons decide.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (): string =>
  `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`;
const publish = (title: string, lines: readonly string[] = []): void =>
  feeds.on('/town.ics', body(calendarText([{ ...feedEvents(1)[0]!, title, lines }, ...feedEvents(4).slice(1)])));

/** Opens an app with one source, whose first event the tests look at, and a browser that is signed in. */
async function opened(...lines: readonly string[]): Promise<{
  readonly app: OpenedApp;
  readonly browser: ConsoleClient;
  readonly path: string;
  readonly edit: (body: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly now: () => Promise<unknown>;
}> {
  publish('Quiz', lines);
  const app = await syncing.open(config());
  await app.sync('town');
  const { id, slug } = (await app.events()).find(({ title }) => title === 'Quiz')!;
  return {
    app,
    browser: await signedInConsole(app),
    path: `/events/${slug}/`,
    edit: async (fields) => app.site.write([{ method: 'POST', path: `/events/${id}`, body: fields }]),
    now: async () => (await app.events()).find((event) => event.slug === slug),
  };
}

/** Presses a button of the page as it is now. */
async function press(browser: ConsoleClient, path: string, act: string): Promise<void> {
  await browser.post(path, { ...hiddenIn((await browser.get(path)).html, `value="${act}"`), do: act });
}

const OF_TITLE = 'name="field" value="title"';
const CHANGED = 'This has changed on the site or in the feed since you opened the page, so nothing was decided.';

test.each([
  ['the field in conflict, for the feed', 'give-back', OF_TITLE],
  ['the field in conflict, for the site', 'keep', OF_TITLE],
  ['all edited fields, for the feed', 'give-back', 'value="give-back"'],
])('an outdated page decides nothing that it has not shown: %s', async (_what, act, mark) => {
  const { app, browser, path, edit, now } = await opened();
  await edit({ title: 'Quiz by hand' });
  publish('Quiz night');
  await app.sync('town');
  const old = hiddenIn((await browser.get(path)).html, mark);
  const press = async (hidden: Readonly<Record<string, string>>): Promise<Answered> =>
    browser.get((await browser.post(path, { ...hidden, do: act })).to);

  await edit({ title: 'Quiz of the year' });
  expect((await press(old)).text).toContain(CHANGED);
  const edited = hiddenIn((await browser.get(path)).html, mark);
  publish('Called off by mistake');
  await app.sync('town');
  const shown = await press(edited);
  expect(shown.text).toContain(CHANGED);
  expect(shown.text).toMatch(/Quiz of the year .*The feed says: .*Called off by mistake/);
  expect(await now()).toMatchObject({ title: 'Quiz of the year' });

  const done = await press(hiddenIn(shown.html, mark));
  expect(done.text).toMatch(/Settling (?:it for the (?:site|feed)|1 event) : done;/);
  expect(await now()).toMatchObject({ title: act === 'keep' ? 'Quiz of the year' : 'Called off by mistake' });
});

test.each(['lock', 'detach'])('an outdated page does not %s an event that was edited since', async (act) => {
  const { app, browser, path, edit, now } = await opened();
  const old = hiddenIn((await browser.get(path)).html, `value="${act}"`);
  await edit({ title: 'Quiz by hand' });
  const { to } = await browser.post(path, { ...old, do: act });
  expect((await browser.get(to)).text).toContain(CHANGED);
  // The feed still decides about the event.
  await edit({ title: 'Quiz' });
  publish('Quiz night');
  await app.sync('town');
  expect(await now()).toMatchObject({ title: 'Quiz night' });
});

test('an outdated page does not unlock a field that the feed has changed since', async () => {
  const { app, browser, path, now } = await opened();
  await press(browser, path, 'lock');
  publish('Quiz night');
  await app.sync('town');
  const old = hiddenIn((await browser.get(path)).html, OF_TITLE);
  publish('Called off by mistake');
  await app.sync('town');
  const { to } = await browser.post(path, { ...old, do: 'unlock' });
  expect((await browser.get(to)).text).toContain(CHANGED);
  await app.sync('town');
  expect(await now()).toMatchObject({ title: 'Quiz' });
});

test('trying a picture again is reported as that, not as settling a conflict', async () => {
  const { browser, path } = await opened(`IMAGE:${feeds.url}/missing.png`);
  const hidden = hiddenIn((await browser.get(path)).html, 'value="retry"');
  const { to } = await browser.post(path, { ...hidden, do: 'retry' });
  const { text } = await browser.get(to);
  expect(text).toContain('Trying the picture of it again :');
  expect(text).toContain('a person had the picture tried again');
  expect(text).toContain('had the picture tried again.');
  expect(text).not.toMatch(/settl/i);
});

test('the page of conflicts heads an event with its current title and time on the site', async () => {
  const { app, browser, edit } = await opened();
  publish('Quiz, second edition');
  await app.sync('town');
  const times = { start_date: '2027-05-01 20:30:00', end_date: '2027-05-01 22:00:00' };
  await edit({ title: 'Quiz of the year', ...times });
  publish('Quiz night');
  await app.sync('town');
  const { text } = await browser.get('/conflicts/');
  expect(text).toContain('Quiz of the year To town · Saturday 1 May 2027, 20:30 ·');
  expect(text).toMatch(/Both agreed on · written \S/);
});

test.each(['lock', 'detach'])('after %s, the page of an event shows what the feed says meanwhile', async (act) => {
  const { app, browser, path, now } = await opened();
  await press(browser, path, act);
  expect((await browser.get(path)).text).not.toContain('The feed says:');
  publish('Quiz night');
  await app.sync('town');
  expect(await now()).toMatchObject({ title: 'Quiz' });
  const { text } = await browser.get(path);
  expect(text.match(/The feed says:/g)).toHaveLength(1);
  expect(text).toMatch(/Title Quiz The feed says: Quiz night /);
});

test('the page of a detached event shows nothing from the feed once the feed no longer has it', async () => {
  const { app, browser, path, edit } = await opened();
  await press(browser, path, 'detach');
  await edit({ title: 'Our own quiz' });
  expect((await browser.get(path)).text).toMatch(/The feed says: .*Quiz/);
  feeds.on('/town.ics', body(calendarText(feedEvents(4).slice(1))));
  await app.sync('town');
  const { text } = await browser.get(path);
  expect(text).toContain('It came from the feed of town : not in the feed any more');
  expect(text).not.toContain('The feed says:');
});

test('a value that the site only writes differently is not shown as a difference from the feed', async () => {
  feeds.on('/town.ics', body(calendarText([{ ...feedEvents(1)[0]!, title: 'Quiz', lines: ['X-COST:0'] }])));
  const app = await syncing.open(config());
  await app.sync('town');
  const [event] = await app.events();
  const browser = await signedInConsole(app);
  const path = `/events/${event!.slug}/`;
  await press(browser, path, 'detach');
  const { text } = await browser.get(path);
  expect(text).toMatch(/Price (?:On the site )?Free/);
  expect(text).not.toContain('The feed says:');
});

test('a retitled event is found by the title that visitors see, and by that in its feed', async () => {
  const { browser, path, edit } = await opened();
  await edit({ title: 'A 100 % “pub” evening' });
  for (const words of ['PUB', '100 %', 'quiz']) {
    const { html, text } = await browser.get(`/events/?${new URLSearchParams({ q: words })}`);
    expect(text).toContain('1 event of 1 source');
    expect(html).toContain(`href="/operator${path}"`);
    expect(text).toContain(words === 'quiz' ? ' Quiz town' : ' A 100 % “pub” evening town');
  }
  expect((await browser.get('/events/?q=pub&source=none')).text).toContain(
    'No event of a source. All events · Also those that are over',
  );
});

test('a search says which sites did not answer, so that titles there are not searched', async () => {
  publish('Quiz');
  const app = await syncing.open(`builtin: { timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
sites: { here: { url: builtin }, there: { url: "${feeds.url}/nothing/", username: u, application_password: p } }
sources:
  town: { url: "${feeds.url}/town.ics", site: here }
  club: { url: "${feeds.url}/club.ics", site: there }
`);
  await app.sync('town');
  const { text } = await (await signedInConsole(app)).get('/events/?q=quiz');
  expect(text).toMatch(/1 event of 1 source.* there did not answer: titles that were typed there are not searched\./);
});

test.each([
  [200, false],
  [201, true],
])('a search that matches %i events says that not all titles were searched: %s', async (count, isSaid) => {
  feeds.on('/town.ics', body(calendarText(feedEvents(count))));
  const app = await syncing.open(config());
  expect(await app.sync('town')).toMatchObject({ created: count });
  const browser = await signedInConsole(app);
  const said = 'These words occur in more than 200 events of ';
  expect((await browser.get('/events/?q=number')).text.includes(said)).toBe(isSaid);
  expect((await browser.get('/events/?q=number+17')).text).not.toContain(said);
});

test('an event is given back to its source only as its page has shown it', async () => {
  const { app, browser, path, edit, now } = await opened();
  await press(browser, path, 'detach');
  const old = hiddenIn((await browser.get(path)).html, 'value="attach"');
  await edit({ title: 'Our own quiz' });
  const refused = await browser.post(path, { ...old, do: 'attach' });
  expect((await browser.get(refused.to)).text).toContain(CHANGED);
  expect(await now()).toMatchObject({ title: 'Our own quiz' });
  await press(browser, path, 'attach');
  expect(await now()).toMatchObject({ title: 'Quiz' });
  expect(await app.sync('town')).toMatchObject({ updated: 0 });
});
