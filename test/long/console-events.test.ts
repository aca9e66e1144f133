import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configuredIn, openConflicts } from '../../src/run/state/open-matters.ts';
import { listActs } from '../../src/run/watch/acts.ts';
import { goneEvent } from '../../src/site/store/former-events.ts';
import { hiddenIn, signedInConsole, type Answered, type ConsoleClient } from '../support/console.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';

// The pages about events: all events, one event, conflicts, events that people took off, adoption, and help.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const publish = (name: string, events: readonly FeedEvent[]): void =>
  feeds.on(`/${name}.ics`, body(calendarText(events)));
const config = (more = ''): string =>
  'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
  `[127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics"${more} }\n` +
  `  sports-club: { url: "${feeds.url}/club.ics" }\n`;
const slugOf = async (app: OpenedApp, ending: string): Promise<string> =>
  (await app.events()).find(({ slug }) => slug.includes(ending))!.slug;

/** Opens an app with two sources that have events, and a browser that is signed in. */
async function opened(yaml = config()): Promise<{ readonly app: OpenedApp; readonly browser: ConsoleClient }> {
  publish('town', feedEvents(8));
  publish('club', [
    { uid: 'match@club.example', title: 'Match <1> & 2', start: '20270306T150000', lines: ['CATEGORIES:Sport'] },
  ]);
  const app = await syncing.open(yaml);
  for (const source of app.context.sources.keys()) await app.sync(source);
  return { app, browser: await signedInConsole(app) };
}

describe('the events of all sources', () => {
  test('are shown by month, week and list, with two letters for each source', async () => {
    const { browser } = await opened();
    const month = await browser.get('/events/?month=2027-03');
    expect(month.html).toContain('href="/edit/event/new/"');
    expect(month.text).toContain('March 2027 9 events of 2 sources.');
    expect(month.html).toContain('<span class="src s2" title="sports-club" aria-hidden="true">SC</span>');
    expect(month.html).toMatch(
      /<td><span class="n" data-d="Sat">6<\/span><ul><li><a href="[^"]+">.*?15:00 Match &lt;1&gt; &amp; 2.*?18:00 Event number 5/s,
    );
    expect(month.html.match(/<td class="none">/g)).toHaveLength(23);
    expect((await browser.get('/events/?view=week&day=2027-03-05')).text).toContain(
      'Week of Monday 1 March 2027 8 events of 2 sources',
    );
    expect((await browser.get('/events/?view=list&source=sports-club')).text).toContain(
      'Sat 6 March 2027, 15:00 SC Match <1> & 2 sports-club',
    );
    expect((await browser.get('/events/?view=list&category=Sport')).text).toContain('1 event of 1 source');
    expect((await browser.get('/events/?q=match')).text).toMatch(/“match” 1 event of 1 source.* Match <1> & 2/);
    const empty = await browser.get('/events/?month=1999-01');
    expect(empty.text).toContain('No event of a source in this month. All that are coming');
    expect(empty.html).toMatch(/href="\/operator\/events\/\?month=1999-01&amp;view=list"/);
    expect((await browser.get('/events/?month=never&page=-3&state=lost&view=cloud')).text).toContain(
      'January 2027 No event of a source in this month.',
    );
  });

  test('are listed a hundred to a page, with the total', async () => {
    publish('town', feedEvents(230));
    publish('club', feedEvents(1));
    const app = await syncing.open(config());
    await app.sync('town');
    const browser = await signedInConsole(app);
    expect((await browser.get('/events/?view=list&page=3')).text).toContain('‹ earlier 201 to 230 of 230');
    expect((await browser.get('/events/?view=list')).html.match(/data-row/g)).toHaveLength(100);
    expect((await browser.get('/events/?view=list&page=9')).to).toBe('/events/?view=list&page=3');
    expect((await browser.get('/events/?view=list&page=9&source=none')).text).toContain(
      'No event of a source. All events',
    );
  });
});

/** Presses a button of an event's page as it is now, in the form that contains a text. */
async function press(browser: ConsoleClient, path: string, act: string, mark = `value="${act}"`): Promise<Answered> {
  const { html } = await browser.get(path);
  return browser.post(path, { ...hiddenIn(html, mark), do: act });
}

const OF_TITLE = 'name="field" value="title"';

describe('one event', () => {
  test('shows where each field comes from, and lets people decide about it', async () => {
    const { app, browser } = await opened(
      config(', set: [{ when: [{ field: title, matches: "number 3" }], cost: free }]'),
    );
    const slug = await slugOf(app, 'number-3');
    const { id } = (await app.events()).find((event) => event.slug === slug)!;
    syncing.clock.now += 60_000;
    await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { title: 'By hand' } }]);
    publish(
      'town',
      feedEvents(8).map((event, index) => (index === 3 ? { ...event, title: 'Event number 3, said later' } : event)),
    );
    await app.sync('town');
    const path = `/events/${slug}/`;
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(
      'It comes from the feed of town , line 25. Rules of the source have touched one field. Changed here: title.',
    );
    expect(page.text).toContain('Price free nothing in the feed set 1: cost');
    expect(page.text).toContain('in conflict: the site’s stays');
    expect(page.text).toContain('Title: changed here and in the feed.');
    expect(page.html).toContain(`href="http://127.0.0.1:8080/event/${slug}/"`);
    const given = await press(browser, path, 'give-back', OF_TITLE);
    expect([given.status, given.to]).toEqual([303, expect.stringContaining(`${path}?run=town-`) as string]);
    expect((await browser.get(given.to)).text).toContain('Settling it for the feed : done; 1 event was written.');
    expect(await slugOf(app, 'number-3')).toBe(slug);
    expect((await app.events()).find((event) => event.slug === slug)).toMatchObject({
      title: 'Event number 3, said later',
    });

    const [, run] = /undo=(town-[^"]+)"/.exec((await browser.get(path)).html)!;
    const undo = await browser.get(`${path}?undo=${run}`);
    expect(undo.text).toMatch(
      /Take it back\? This is what it would do now\..* Title Event number 3, said later By hand/,
    );
    const back = await browser.post(path, { do: 'undo', run: run! });
    expect((await browser.get(back.to)).text).toContain('Taking it back : done; 1 event was written.');
    expect((await app.events()).find((event) => event.slug === slug)).toMatchObject({ title: 'By hand' });
    expect((await browser.get(`${path}?undo=town-20270101T000000-000000`)).text).toContain('did nothing to');
    await press(browser, path, 'give-back', OF_TITLE);

    const own = await press(browser, path, 'detach');
    expect((await browser.get(own.to)).text).toContain('somebody’s own: its source leaves it alone');
    expect((await browser.get('/events/?state=detached&view=list&over=yes')).html).toContain(path);
    await press(browser, path, 'attach');
    expect((await browser.get(path)).text).toMatch(
      /clerk gave the event back to its source.*clerk made the event their own/,
    );
    expect((await browser.get('/sources/town/')).text).toContain(
      'clerk made the event their own. “Event number 3, said later”',
    );

    await press(browser, path, 'lock');
    expect((await browser.get(path)).text).toContain('Unlock all of it');
    const gone = await browser.post(path, { do: 'dismiss', reason: 'told to' });
    expect((await browser.get(gone.to)).text).toContain('taken off the site by a person');
    expect((await browser.get(path)).text).toMatch(/clerk took the event off, to stay off: “told to”/);
    expect((await browser.get('/ignored/')).text).toContain('1 event that people took off');
    const restored = await browser.post('/ignored/', { do: 'restore', source: 'town', slug });
    expect(restored.to).toContain('/ignored/?run=town-');
    expect((await browser.get(restored.to)).text).toMatch(
      /No event was taken off .* Restoring “Event number 3, said later” : done; 1 event was written\./,
    );
    expect((await browser.post(path, { do: 'fly' })).status).toBe(400);
  });

  test('that should never have been published is removed completely', async () => {
    const { app, browser } = await opened();
    const slug = await slugOf(app, 'number-2');
    const path = `/events/${slug}/`;
    expect((await browser.get(path)).text).toContain('For what should never have been published.');
    const { to } = await browser.post(path, { do: 'forget', reason: 'somebody’s address' });
    expect(to).toContain(`${path}?forgotten=`);
    const told = await browser.get(to);
    expect(told.text).toContain('It has been taken off the site');
    // It offers no decision even before the next comparison has noticed the removal.
    expect(told.text).toMatch(/taken off the site, in its trash .* It is not on the site\./);
    expect(told.html).not.toMatch(/value="(?:give-back|lock|detach|dismiss)"/);
    expect((await app.events()).map((event) => event.slug)).not.toContain(slug);
    // Its public page does not say what it was.
    expect(await goneEvent(app.state.database.query(), slug, 0)).toBeUndefined();
    const [act] = await listActs(app.state.database.query(), {}, 1);
    expect(act).toMatchObject({ kind: 'forget', event: slug, by: { name: 'clerk' }, reason: 'somebody’s address' });
    // Its feed still has it, but does not bring it back.
    await app.sync('town', true);
    expect((await app.events()).map((event) => event.slug)).not.toContain(slug);
    expect((await browser.get(path)).text).toMatch(/clerk .*: “somebody’s address”/);
    expect((await browser.post('/events/no-such-event/', { do: 'forget' })).status).toBe(409);
  });

  test('that is unknown answers 404, and one whose source is gone has no buttons', async () => {
    const { app, browser } = await opened();
    expect((await browser.get('/events/no-such-event/')).status).toBe(404);
    const slug = await slugOf(app, 'match');
    const without = await syncing.open(config().replace(/ {2}sports-club.*\n/, ''));
    const other = await signedInConsole(without, 'clerk');
    const page = await other.get(`/events/${slug}/`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('value="dismiss"');
    expect((await other.post(`/events/${slug}/`, { do: 'dismiss' })).status).toBe(409);
  });
});

/** A feed whose first three events have a word in their title and place. */
const eventsSaying = (word: string): readonly FeedEvent[] =>
  feedEvents(8).map((event, index) =>
    index < 3 ? { ...event, title: `Event ${index} ${word}`, lines: [`LOCATION:${word}`] } : event,
  );

/** The hidden fields in which the page of conflicts notes what it has shown. */
async function shownIn(browser: ConsoleClient): Promise<Readonly<Record<string, string>>> {
  const { html } = await browser.get('/conflicts/');
  const hidden = html.matchAll(/<input type="hidden" name="((?:shown|all):[^"]+)" value="([^"]+)">/g);
  return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
}

/** Presses a button of the page of conflicts as it is now. */
const settle = async (
  browser: ConsoleClient,
  which: string,
  fields: Readonly<Record<string, string>>,
): ReturnType<ConsoleClient['post']> => browser.post(`/conflicts/${which}`, { ...(await shownIn(browser)), ...fields });

test('conflicts are settled for the feed or the site, for one event or all of a source', async () => {
  const { app, browser } = await opened();
  publish('town', eventsSaying('first'));
  await app.sync('town');
  const events = (await app.events()).filter(({ title }) => title.endsWith('first'));
  for (const { id, title } of events)
    await app.site.write([
      {
        method: 'POST',
        path: `/events/${id}`,
        body: { title: `${title} by hand`, start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 11:00:00' },
      },
    ]);
  publish(
    'town',
    eventsSaying('second').map((event, index) => (index < 3 ? { ...event, start: '20270601T100000' } : event)),
  );
  await app.sync('town');
  const page = await browser.get('/conflicts/');
  expect(page.text).toContain('3 events were changed here and in the feed');
  expect(page.text).toContain('authority: { title: site, start_date: site }');
  const [one, two] = events as [(typeof events)[0], (typeof events)[0]];
  // Start and end are decided together, by one choice.
  expect(page.html.match(new RegExp(`type="radio" name="[a-z_]+:town:${one.slug}"`, 'g'))).toHaveLength(4);
  await settle(browser, `?only=${one.slug}`, {
    do: 'settle',
    [`title:town:${one.slug}`]: 'feed',
    [`start_date:town:${one.slug}`]: 'site',
  });
  const now = async (slug: string) => (await app.events()).find((event) => event.slug === slug);
  expect(await now(one.slug)).toMatchObject({ title: 'Event 0 second', start_date: '2027-05-01 10:00:00' });
  expect(await now(two.slug)).toMatchObject({ title: 'Event 1 first by hand' });
  expect((await browser.get('/conflicts/')).text).toContain('2 events were changed');
  const all = await settle(browser, '?source=town', { do: 'feed' });
  expect((await browser.get(all.to)).text).toMatch(
    /No event is in conflict.*Settling 2 events : done; 2 events were written/,
  );
  expect(await now(two.slug)).toMatchObject({ title: 'Event 1 second', start_date: '2027-06-01 10:00:00' });
  // A stale page that still shows them decides nothing, and says so.
  const stale = await settle(browser, `?only=${one.slug}`, { do: 'site' });
  expect((await browser.get(stale.to)).text).toContain('This has been settled in the meantime');
});

test('an outdated page settles only conflicts that are still as it showed them, and names the rest', async () => {
  const { app, browser } = await opened();
  const edit = async (slug: string, title: string): Promise<unknown> => {
    const { id } = (await app.events()).find((event) => event.slug === slug)!;
    return app.site.write([{ method: 'POST', path: `/events/${id}`, body: { title } }]);
  };
  const titled = (titles: readonly string[]): void =>
    publish(
      'town',
      feedEvents(8).map((event, index) => ({ ...event, title: titles[index] ?? `Event number ${index}` })),
    );
  const [fair = '', quiz = '', choir = '', late = ''] = (await app.events()).map(({ slug }) => slug);
  for (const slug of [fair, quiz, choir]) await edit(slug, `${slug} by hand`);
  titled(['Fair', 'Quiz', 'Choir']);
  await app.sync('town');
  const shown = await shownIn(browser);
  const send = async (which: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    const { to } = await browser.post(`/conflicts/${which}`, { ...shown, ...fields });
    return (await browser.get(to)).text;
  };

  // Since then, the feed has changed one event, a person has edited another, and a third conflict is new.
  await edit(quiz, 'Quiz of the year');
  await edit(late, 'Late by hand');
  titled(['Called off by mistake', 'Quiz', 'Choir', 'Late']);
  await app.sync('town');
  const before = await app.events();
  for (const act of ['feed', 'site', 'always-feed'])
    expect(await send(`?only=${fair}`, { do: act })).toContain(
      `“${fair} by hand” has changed on the site or in the feed since you opened the page, so nothing was decided there.`,
    );
  expect(await send('?source=town', { do: 'feed' })).toMatch(
    /4 events were changed here and in the feed.*4 events have changed \(“[^”]* by hand”, “Quiz of the year”, “[^”]* by hand” and 1 more\)/,
  );
  expect(await app.events()).toEqual(before);
  const ticks = [fair, quiz, choir, late].map((slug) => [`title:town:${slug}`, 'feed'] as const);
  expect(await send('', { ...Object.fromEntries(ticks), do: 'settle' })).toMatch(
    /3 events were changed here and in the feed.*2 events have changed \(“[^”]* by hand”, “Quiz of the year”\).*Settling 1 event : done; 1 event was written/,
  );
  const now = (await app.events()).map(({ slug, title }) => [slug, title]);
  expect(Object.fromEntries(now)).toMatchObject({
    [fair]: `${fair} by hand`,
    [quiz]: 'Quiz of the year',
    [choir]: 'Choir',
    [late]: 'Late by hand',
  });
});

test('settling conflicts of several sources at once reports the outcome for each source', async () => {
  const { app, browser } = await opened();
  publish('town', eventsSaying('first'));
  await app.sync('town');
  for (const { id } of (await app.events()).filter(({ title }) => /Match|Event 0/.test(title)))
    await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { title: 'By hand' } }]);
  publish('town', eventsSaying('second'));
  publish('club', [{ uid: 'match@club.example', title: 'Rematch', start: '20270306T150000' }]);
  await app.sync('town');
  await app.sync('sports-club');
  const ticks = (await openConflicts(app.state.database.query(), configuredIn(app.context), app.context.now())).map(
    ({ source, slug }) => [`title:${source}:${slug}`, 'feed'] as const,
  );
  const settled = await settle(browser, '', { ...Object.fromEntries(ticks), do: 'settle' });
  const page = await browser.get(settled.to);
  for (const source of ['town', 'sports-club'])
    expect(page.text).toMatch(new RegExp(`Settling 1 event \\(${source}\\): done; 1 event was written`));
});

test('if two sites have an event with the same slug, only the chosen conflict is settled', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const { username, applicationPassword } = real.credentials;
  const fair = (title: string): void => {
    for (const name of ['town', 'club']) publish(name, [{ uid: 'fair@town.example', title, start: '20270306T150000' }]);
  };
  try {
    fair('Summer fair');
    const app = await syncing.open(`builtin: { timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
sites:
  here: { url: builtin }
  there: { url: "${real.root}", namespace: ${real.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources:
  town: { url: "${feeds.url}/town.ics", site: here }
  club: { url: "${feeds.url}/club.ics", site: there }
`);
    const browser = await signedInConsole(app);
    const clients = ['town', 'club'].map((source) => app.setup(source).site.client);
    const entered = { title: 'Summer fair', start_date: '2027-03-06 15:00:00', end_date: '2027-03-06 16:00:00' };
    for (const client of clients)
      await client.write([{ method: 'POST', path: '/events', body: { ...entered, status: 'publish' } }]);
    for (const source of ['town', 'club']) {
      await browser.post(`/adopt/?source=${source}`, { do: 'adopt' });
      await app.sync(source);
    }
    fair('Spring fair');
    for (const client of clients) {
      const event = await client.read('events', { slug: 'summer-fair' });
      await client.write([{ method: 'POST', path: `/events/${event!.id}`, body: { title: 'By hand' } }]);
    }
    for (const source of ['town', 'club']) await app.sync(source);
    const page = await browser.get('/conflicts/');
    expect(page.text).toContain('2 events were changed here and in the feed');
    expect(page.html.match(/name="title:[^"]*" value="feed"/g)).toEqual([
      'name="title:town:summer-fair" value="feed"',
      'name="title:club:summer-fair" value="feed"',
    ]);
    const [, to = ''] = /value="feed" formaction="\/operator([^"]*source=club)"/.exec(page.html) ?? [];
    await settle(browser, to.replaceAll('&amp;', '&').replace('/conflicts/', ''), { do: 'feed' });
    expect((await browser.get('/conflicts/')).text).toMatch(/1 event was changed here and in the feed.*town/);
  } finally {
    await real.close();
  }
});

test('“always” writes the authority over a field into the file, and settles its conflicts', async () => {
  const { app, browser } = await opened();
  publish('town', eventsSaying('first'));
  await app.sync('town');
  for (const { id, title } of (await app.events()).filter(({ title }) => title.endsWith('first')))
    await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { title: `${title} by hand` } }]);
  publish('town', eventsSaying('second'));
  await app.sync('town');
  const { slug } = (await app.events()).find(({ title }) => title === 'Event 0 first by hand')!;
  const editor = await signedInConsole(app, 'ed', 'editor');
  expect((await editor.get('/conflicts/')).html).not.toContain('always-site');
  const refused = await editor.post(`/conflicts/?only=${slug}`, { do: 'always-site' });
  expect((await editor.get(refused.to)).text).toContain('Only administrators may change the configuration.');
  await settle(browser, '?source=town', { do: 'always-site' });
  expect(await readFile(app.config.file, 'utf8')).not.toContain('authority');
  const done = await settle(browser, `?only=${slug}`, { do: 'always-site' });
  expect((await browser.get(done.to)).text).toMatch(/No event is in conflict.*Settling 3 events : done/);
  expect(await readFile(app.config.file, 'utf8')).toContain('town.ics", authority: { title: site } }');
  publish('town', eventsSaying('third'));
  expect(await app.sync('town')).toMatchObject({ conflicts: 0 });
  expect((await app.events()).filter(({ title }) => title.endsWith('by hand'))).toHaveLength(3);
});

test('events that people created are shown first, then adopted', async () => {
  publish('town', feedEvents(4));
  const app = await syncing.open(config());
  await app.sync('town');
  publish('town', [
    ...feedEvents(4),
    { uid: 'new@feed.example', title: 'Opening', start: '20270401T180000', lines: ['DESCRIPTION:With a band'] },
  ]);
  const times = { start_date: '2027-04-01 18:00:00', end_date: '2027-04-01 20:30:00', timezone: 'Europe/Warsaw' };
  await app.site.write([{ method: 'POST', path: '/events', body: { title: 'Opening', status: 'publish', ...times } }]);
  const browser = await signedInConsole(app);
  expect((await browser.get('/adopt/?source=nobody')).text).toContain('There is no source of that name.');
  const { text } = await browser.get('/adopt/?source=town');
  expect(text).toContain('town can take over 1 event');
  expect(text).toMatch(/“Opening”, Description: (nothing )?With a band/);
  expect(text).toContain('“Opening”, Ends: the site and the feed differ.');
  expect(text).not.toContain('start_date');
  const done = await browser.post('/adopt/?source=town', { do: 'adopt' });
  expect((await browser.get(done.to)).text).toContain('Taken over by town');
  // The message if a run is under way.
  expect((await browser.get('/adopt/?source=town&busy=town')).text).toContain('Nothing was taken over');
  expect((await browser.get('/events/?q=opening')).text).toContain('1 event of 1 source');
});

test('an adoption that wrote nothing can be undone, and so can that undo', async () => {
  publish('town', feedEvents(4));
  const app = await syncing.open(config());
  await app.sync('town');
  publish('town', [...feedEvents(4), { uid: 'new@feed.example', title: 'Opening', start: '20270401T180000' }]);
  const times = { start_date: '2027-04-01 18:00:00', end_date: '2027-04-01 19:00:00', timezone: 'Europe/Warsaw' };
  await app.site.write([{ method: 'POST', path: '/events', body: { title: 'Opening', status: 'publish', ...times } }]);
  const browser = await signedInConsole(app);
  await browser.post('/adopt/?source=town', { do: 'adopt' });
  const [act] = await listActs(app.state.database.query(), { source: 'town' }, 1);
  const page = `/runs/${act!.run}/`;
  expect((await browser.get(page)).text).toMatch(/Take it back….*It wrote no event\./);
  expect((await browser.get(`${page}?undo`)).text).toMatch(
    /Taking this run back writes nothing\. "Opening" \(opening\) is a person's own again: its source leaves it alone\..*Take it back/,
  );
  const undone = await browser.post(page, { do: 'undo', count: '0' });
  const { text } = await browser.get(undone.to);
  expect(text).toMatch(/town: nothing had to be written .* is a person's own again/);
  expect((await browser.get(`${page}?undo`)).text).toContain('There is nothing left to take back.');
  // The undo can be undone as well.
  expect((await browser.get(undone.to)).text).toContain('Take it back…');
  expect((await browser.get(`${undone.to}?undo`)).text).toContain(
    'Taking this run back: 1 event is the source’s again.',
  );
  await browser.post(undone.to, { do: 'undo', count: '0' });
  expect((await browser.get(`${undone.to}?undo`)).text).toContain('There is nothing left to take back.');
  expect((await browser.get('/events/opening/')).text).not.toContain('somebody’s own');
});

test('the page says why an event cannot be adopted, even if there is no other', async () => {
  publish('town', [{ uid: 'new@feed.example', title: 'Opening', start: '20270401T180000' }]);
  const app = await syncing.open(config());
  const times = { start_date: '2027-04-01 18:00:00', end_date: '2027-04-01 19:00:00', timezone: 'Europe/Warsaw' };
  await app.site.write([{ method: 'POST', path: '/events', body: { title: 'Opening', status: 'draft', ...times } }]);
  const { text } = await (await signedInConsole(app)).get('/adopt/?source=town');
  expect(text).toMatch(
    /Nothing to take over.*need to be corrected first.*"Opening" is a draft .* that has no address yet/,
  );
});

test('on a real site, an event links to its page and its editor there', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  try {
    publish('town', feedEvents(3));
    const app = await syncing.open(townOn('a real site', real, feeds));
    await app.sync('town');
    const { slug, id, url } = (await app.events())[0]!;
    const browser = await signedInConsole(app);
    const page = await browser.get(`/events/${slug}/`);
    expect(page.html).toContain(`href="${url}"`);
    expect(page.html).toContain(`/wp-admin/post.php?post=${id}&amp;action=edit"`);
    const done = await browser.post(`/events/${slug}/`, { do: 'dismiss' });
    expect((await browser.get(done.to)).text).toContain('done; 1 event was written.');
  } finally {
    await real.close();
  }
});

test('help begins with the states of events, and counts them for these sources', async () => {
  const { app, browser } = await opened();
  publish('club', [{ uid: 'same@club.example', title: 'Event number 1', start: '20270302T180000' }]);
  await app.sync('sports-club');
  const { text, html } = await browser.get('/help/');
  expect(text).toContain('Likely pairs: 1 Event number 1 (sports-club, town): 1 · 2');
  expect(text).toContain('There is no field in which the feed decides.');
  expect(text).toContain('Taken off by people: 0');
  expect(html.match(/<dt><span class="state /g)).toHaveLength(7);
});
