import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listActs } from '../../../src/run/watch/acts.ts';
import { noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import { waitingForReview } from '../../../src/site/store/suggestions.ts';
import { watchedSources } from '../../../src/cli/terminal/watched-sources.ts';
import type { Operator } from '../../../src/operator/frame/operator.ts';
import { overviewOf } from '../../../src/operator/sources/overview.ts';
import { pauseSource } from '../../../src/run/watch/pauses.ts';
import { sql } from '../../../src/db/database.ts';
import type { Problem } from '../../../src/problem.ts';
import { recordProcessConfig } from '../../../src/run/watch/process-configs.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { comingEvents } from '../../support/coming.ts';
import { calendarText } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// What waits for a person, the most serious first.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let clerk: ConsoleClient;

const DAY = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const TABLE = `Title,Beginn\nSpring concert,${DAY} 18:00\n`;
// Events after the last one of a feed do not count as missing from it.
const season = (isThere: (index: number) => boolean): string =>
  calendarText(comingEvents(10).filter((_, index) => isThere(index)));

beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  syncing.clock.now = Date.now();
  feeds.on('/theatre.ics', body(season(() => true)));
  feeds.on('/school.csv', body(TABLE, { 'content-type': 'text/csv' }));
  feeds.on('/cinema.ics', status(403, 'go away'));
  app = await syncing.open(`builtin: { title: Town calendar, timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
alerts: { receivers: { clerk: { webhook: "${feeds.url}/hook" }, developer: { webhook: "${feeds.url}/hook" } } }
sources:
  theatre: { url: "${feeds.url}/theatre.ics", missing: { after: 1 } }
  school: { url: "${feeds.url}/school.csv", columns: { title: Title, start_date: Beginn } }
  cinema: { url: "${feeds.url}/cinema.ics" }
`);
  for (const source of ['theatre', 'school', 'cinema']) await app.sync(source);
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));
beforeEach(async () => {
  syncing.clock.now = Date.now();
  // On a busy machine, the tests before may have taken longer than a worker may be silent.
  await noteWorkerAlive(app.state.database.query());
});

const withTitle = (count: number, title: string): string =>
  calendarText(comingEvents(10).map((event, index) => (index < count ? { ...event, title } : event)));
/** Changes the number of coming events that held plans are said to have. */
const comingOfHeld = (coming: number) =>
  sql`update calsync.runs set review = review || ${JSON.stringify({ coming })}::jsonb where state = 'held'`;
const headingOf = (html: string): string => /<h1[^>]*>([^<]*)/.exec(html)?.[1] ?? '';
const matters = (html: string): readonly string[] =>
  [...html.matchAll(/<h2><a data-row href="[^"]*">([^<]*)/g)].map(([, title = '']) => title);

describe('the first page', () => {
  test('says if nothing waits, how many sources are well, and what is read next', async () => {
    const { html, text } = await clerk.get('/');
    expect(headingOf(html)).toBe('Nothing needs you');
    expect(text).toContain('3 sources are watched, 2 of them are well');
    expect(text).toContain('Coming checks');
    expect(text).toContain('Last 24 hours');
  });

  test('keeps listing events that stay on the site although their feed has dropped them', async () => {
    feeds.on('/theatre.ics', body(season((index) => index < 3)));
    for (const _ of [1, 2]) {
      await app.sync('theatre');
      const { html, text } = await clerk.get('/');
      expect(matters(html)).toEqual(['Events of theatre are on the site that its feed does not show any more']);
      expect(text).toContain('7 events that come after the last one in the feed are not in it any more');
    }
    // Visitors also see them while the source is paused.
    await clerk.post('/sources/theatre/', { do: 'pause', until: '' });
    expect(matters((await clerk.get('/')).html)).toHaveLength(1);
    expect((await clerk.get('/sources/')).text).toMatch(/1 of 2 is well\. 1 source is paused\./);
    await clerk.post('/sources/theatre/', { do: 'resume' });
    feeds.on('/theatre.ics', body(season(() => true)));
    await app.sync('theatre');
    expect(matters((await clerk.get('/')).html)).toEqual([]);
  });

  test('counts paused sources separately', async () => {
    const all = ['theatre', 'school', 'cinema'];
    for (const source of all) await clerk.post(`/sources/${source}/`, { do: 'pause', until: '' });
    expect((await clerk.get('/')).text).toContain('3 sources are watched, all of them are paused.');
    expect((await clerk.get('/sources/')).text).toContain('All 3 sources are paused.');
    for (const source of all) await clerk.post(`/sources/${source}/`, { do: 'resume' });
  });

  test('names events in conflict with the same title once', async () => {
    feeds.on('/theatre.ics', body(withTitle(4, 'Tosca')));
    await app.sync('theatre');
    const typed = (await app.events()).filter(({ title }) => title === 'Tosca').slice(0, 4);
    const type = (titleOf: (index: number) => string): Promise<unknown> =>
      app.site.write(
        typed.map(({ id }, index) => ({ method: 'POST', path: `/events/${id}`, body: { title: titleOf(index) } })),
      );
    await type(() => 'Tosca by hand');
    feeds.on('/theatre.ics', body(withTitle(4, 'La Tosca')));
    await app.sync('theatre');
    expect((await clerk.get('/')).text).toContain(
      '4 events were changed here and in the feed “Tosca by hand”. The site shows what was typed here until you decide.',
    );
    await type((index) => `Event number ${index}`);
    feeds.on('/theatre.ics', body(season(() => true)));
    await app.sync('theatre');
    expect(matters((await clerk.get('/')).html)).toEqual([]);
  });

  test('lists what waits, beginning with what visitors would notice, each with its button', async () => {
    feeds.on('/theatre.ics', body(season((index) => index % 9 === 0)));
    feeds.on('/school.csv', body(TABLE.replace('Beginn', 'Start'), { 'content-type': 'text/csv' }));
    await app.sync('theatre');
    await app.sync('school');
    const { html, text } = await clerk.get('/');
    expect(headingOf(html)).toBe('2 things wait for you');
    expect(matters(html)).toEqual([
      'The feed of theatre has lost 8 of its 10 coming events',
      expect.stringMatching(/^school: the column .*Beginn.* is no longer there$/),
    ]);
    expect(text).toMatch(/The missing ones are .*\. Nothing has been taken off the site yet\./);
    // In an hour it may be tomorrow. Rules and settings are for administrators.
    expect(text).toMatch(/you must act · since \d\d:\d\d · next try (?:tomorrow )?\d\d:\d\d See why/);
    const boss = await signedInConsole(app, 'boss');
    const seen = await boss.get('/');
    expect(seen.text).toMatch(/next try (?:tomorrow )?\d\d:\d\d Choose the column/);
    expect(seen.html).toContain('href="/operator/sources/school/settings/#columns"');
    expect((await boss.get('/sources/school/settings/')).html).toMatch(
      /<details class="well-box" id="columns" open>.*is no longer there.*its settings name another, or “none”/,
    );
    expect(html).toMatch(/<svg class="ptn"[^>]* aria-label="The missing ones are/);
    expect(text).toContain('Check the 2 that fail');
    // Of thousands of events, the chart would show only a part.
    const query = app.state.database.query();
    await comingOfHeld(2_001).execute(query);
    const without = await clerk.get('/');
    expect(matters(without.html)).toEqual(matters(html));
    expect(without.html).not.toContain('<svg class="ptn"');
    await comingOfHeld(10).execute(query);
    expect(html).toContain('<span class="count"><span class="vh">, </span>2<span class="vh"> waiting</span></span>');
  });

  test('a matter that one person postpones comes back when it changes, and stays for the others', async () => {
    const held = /name="matter" value="(held [^"]*)"/.exec((await clerk.get('/')).html)?.[1] ?? '';
    const late = await clerk.post('/', { do: 'later', matter: `${held}-decided`, until: 'change' });
    expect((await clerk.get(late.to)).text).toContain('Nothing was put off: it no longer needs anybody.');
    const done = await clerk.post('/', { do: 'later', matter: held, until: 'change' });
    expect([done.status, done.to]).toEqual([303, '/?said=later']);
    const after = await clerk.get(done.to);
    expect([headingOf(after.html), matters(after.html)]).toEqual([
      '1 thing waits for you',
      [expect.stringMatching(/^school/)],
    ]);
    expect(after.text).toContain('1 more matter can wait put off 1');
    const librarian = await signedInConsole(app, 'librarian', 'editor');
    expect(matters((await librarian.get('/')).html)).toHaveLength(2);
    // The feed loses more events: another plan replaces the postponed one.
    feeds.on('/theatre.ics', body(season((index) => index === 9)));
    await app.sync('theatre');
    expect(matters((await clerk.get('/')).html)).toHaveLength(2);
    await clerk.post('/', { do: 'later', matter: held, until: 'monday' });
    expect(matters((await clerk.get('/')).html)).toHaveLength(1);
    await clerk.post('/', { do: 'wake', matter: held });
    expect(matters((await clerk.get('/')).html)).toHaveLength(2);
  });

  test('starts runs of all that fail, and the history says who asked', async () => {
    feeds.on('/school.csv', body(TABLE, { 'content-type': 'text/csv' }));
    const before = feeds.requests.length;
    const done = await clerk.post('/', { do: 'check-failing' });
    expect([done.to, feeds.requests.length - before]).toEqual(['/?said=checked:2', 2]);
    const { html, text } = await clerk.get(done.to);
    expect(text).toContain('You asked for runs of 2 sources. Their results appear here.');
    expect(matters(html)).toHaveLength(1);
    const acts = await listActs(app.state.database.query(), { source: 'school' }, 1);
    expect(acts.map(({ kind, by }) => [kind, by])).toEqual([
      ['sync', { name: 'clerk', from: 'console', address: '127.0.0.1' }],
    ]);
  });
});

const delivery = (receiver: string, state: string, minutes: number) => sql`
  insert into calsync.deliveries (receiver, key, kind, channel, address, subject, message_id, episodes, state, tries, answer, claimed_at)
  values (${receiver}, ${String(minutes)}, 'failing', 'mail', 'x', 'x', 'x', '[]', ${state}, 1, 'mailbox full', now() - make_interval(mins => ${minutes}))`;

test('a mistake in the configuration file and undelivered messages wait for a person, too', async () => {
  const query = app.state.database.query();
  const before = matters((await clerk.get('/')).html);
  const problem = { code: 'config-value', message: 'Expected a duration.', where: { line: 48, column: 12 } };
  await recordProcessConfig(query, app.context.member.id(), {
    file: '/etc/calsyncd.yaml',
    hash: 'x',
    since: new Date(),
    problems: [problem as Problem],
    problemsSince: new Date(),
    restart: [],
    queue: null,
  });
  for (const [receiver, state, minutes] of [
    ['clerk', 'refused', 9],
    ['clerk', 'refused', 5],
    ['developer', 'refused', 9],
    ['developer', 'sent', 5],
    ['one that was taken out of the file', 'refused', 5],
  ] as const)
    await delivery(receiver, state, minutes).execute(query);
  const { html, text } = await clerk.get('/');
  expect(matters(html)).toEqual([
    ...before,
    'The configuration file has a mistake and is not in force',
    '2 messages to clerk could not be sent',
  ]);
  expect(text).toContain('Expected a duration. (line 48) The previous one stays in force.');
  expect(text).toContain('The last answer was: mailbox full');
  expect(headingOf(html)).toBe(`${before.length + 2} things wait for you`);
});

test('a program without sources asks for the first one', async () => {
  const empty = await syncing.open('builtin: { title: Town calendar }\nsources: {}\n');
  const { html, text } = await (await signedInConsole(empty, 'newcomer')).get('/');
  expect(headingOf(html)).toBe('Your calendar is empty. Which calendar is to be in it?');
  expect(text).toContain('Address of a calendar, a table, or any web page');
  await empty.close();
});

const operatorThatWatches = (watched: Operator['watched']): Operator =>
  ({
    context: app.context,
    config: () => app.config,
    watched,
    waitingForReview: () => waitingForReview(app.state.database.query()),
  }) as Operator;

test('an open page that asks again gets the current state', async () => {
  const request = new Request('http://town.example/operator/');
  const operator = operatorThatWatches(async () => watchedSources(app.config));
  const now = Date.now();
  const first = await overviewOf({ operator, request, now });
  expect(await overviewOf({ operator, request, now })).toBe(first);
  await pauseSource(
    app.state.database.query(),
    { site: 'builtin', source: 'cinema' },
    { until: null },
    { name: 'clerk', from: 'console' },
  );
  const later = await overviewOf({ operator, request, now: now + 1 });
  expect(later.facts.map(({ pause }) => pause !== null)).toEqual([false, false, true]);
});

test('pages share a slow look at all sources, but show a failed backup at once', async () => {
  const operator = operatorThatWatches(async () => {
    await sleep(500);
    return watchedSources(app.config);
  });
  const now = Date.now();
  const before = await overviewOf({ operator, now });
  await sql`insert into calsync.backups (name, via, started_at, ended_at, problem)
    values ('schedule', 'schedule', now(), now(), 'The disk is full.')`.execute(app.state.database.query());
  const after = await overviewOf({ operator, now });
  await sql`delete from calsync.backups`.execute(app.state.database.query());
  expect(after.facts).toBe(before.facts);
  const kinds = [before, after].map(({ general }) => general.map(({ kind }) => kind).includes('backup'));
  expect(kinds).toEqual([false, true]);
});

test('no link leads an editor to a page for administrators only', async () => {
  const open = ['/'];
  const seen = new Set<string>();
  const refused: string[] = [];
  for (let path = open.shift(); path !== undefined && seen.size < 60; path = open.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status: code, html } = await clerk.get(path);
    // The link to a feed redirects to its address.
    if (code !== (path.endsWith('/feed/') ? 303 : 200)) refused.push(`${code} ${path}`);
    const links = [...html.matchAll(/<a[^>]* href="\/operator([^"#?]*)/g)].map(([, link = '']) => link);
    open.push(...links.filter((link) => link.endsWith('/')));
  }
  expect(refused).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining(['/sources/', '/sources/school/', '/settings/', '/help/']));
});

test('the link "and 2 more" leads to all sources that somebody else must act on', async () => {
  const clubs = Array.from({ length: 12 }, (_, index) => `club-${index}`);
  for (const club of clubs) feeds.on(`/${club}.ics`, body(season(() => true)));
  feeds.on('/wp-json', body('{"namespaces":[]}', { 'content-type': 'application/json' }));
  const many = await syncing.open(`fetch: { allow_addresses: [127.0.0.1/32] }
site: { url: "${feeds.url}/wp-json", username: clerk, application_password: secret-word }
sources:
${clubs.map((club) => `  ${club}: { url: "${feeds.url}/${club}.ics" }\n`).join('')}`);
  for (const club of clubs) await many.sync(club);
  const { text } = await (await signedInConsole(many, 'clerk', 'editor')).get('/');
  expect(text).toMatch(/\d more changed something, failed or were held\. A bar up/);
  expect(text).not.toContain('nothing new');
  syncing.clock.now += 25 * 3_600_000;
  const browser = await signedInConsole(many, 'clerk', 'editor');
  const [, href = ''] = /<a href="\/operator([^"]*)">and 2 more</.exec((await browser.get('/')).html) ?? [];
  expect((await browser.get(href)).html.match(/name="source" value="club-/g)).toHaveLength(12);
  await many.close();
});
