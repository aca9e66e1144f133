import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The command that lists the events of all sources, and its filters.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  publish('town', feedEvents(8));
  publish(
    'club',
    feedEvents(3).map((event) => ({
      ...event,
      title: `Match ${event.uid}`,
      lines: ['CATEGORIES:Sport,Derby'],
    })),
  );
  app = await syncing.open(config());
  for (const source of ['town', 'club']) await app.sync(source);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (): string =>
  `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n${['town', 'club']
    .map((name) => `  ${name}: { url: "${feeds.url}/${name}.ics", missing: { after: 3 } }\n`)
    .join('')}`;
const publish = (name: string, events: readonly FeedEvent[]): void =>
  feeds.on(`/${name}.ics`, body(calendarText(events)));
const list = (...words: readonly string[]): Promise<Said> =>
  commandIn(syncing, config(), ['events', ...words, '--json']);

test('events are listed by source, month, category and title, a page at a time', async () => {
  const { json } = await list();
  expect(json).toMatchObject({
    total: 11,
    page: 1,
    pages: 1,
    bySource: { town: 8, club: 3 },
    byCategory: { Sport: 3, Derby: 3 },
  });
  const [first] = json['events'] as unknown as readonly Readonly<Record<string, unknown>>[];
  expect(first).toMatchObject({
    source: expect.any(String) as string,
    start: '2027-03-01 18:00:00',
    allDay: false,
    state: 'kept',
    held: null,
  });
  expect((await list('club')).json).toMatchObject({ total: 3, bySource: { town: 8, club: 3 } });
  expect((await list('--category', 'Derby')).json).toMatchObject({ total: 3, bySource: { club: 3 } });
  expect((await list('--search', 'NUMBER 4')).json).toMatchObject({ total: 1, events: [{ title: 'Event number 4' }] });
  expect((await list('--search', '%')).json).toMatchObject({ total: 0 });
  expect((await list('--month', '2027-04')).json).toMatchObject({ total: 0 });
  expect((await list('--month', '2027-03')).json).toMatchObject({ total: 11 });
  expect((await list('--page', '2')).json).toMatchObject({ total: 11, events: [] });
  expect((await commandIn(syncing, config(), ['events', '--page', '2'])).out).toBe(
    'There is no page 2: the last of these 11 events are on --page 1.\n',
  );
  expect(await list('--month', 'March')).toMatchObject({ code: 64 });
  expect(await list('--state', 'lost')).toMatchObject({ code: 64 });
});

test('an unknown category is a usage error and an unknown text finds nothing, both with a suggestion', async () => {
  const said = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config(), ['events', ...words]);
  expect(await said('--category', 'Sprot')).toEqual({
    code: 64,
    out: '',
    err: 'No event has the category "Sprot". Did you mean "Sport"? There are: Derby, Sport.\n',
    json: { runs: [] },
  });
  expect(await list('--category', 'Jazz')).toMatchObject({ code: 64, json: { error: { code: 'wrong-use' } } });
  // Case does not matter, and a category without an event in that month is not unknown.
  expect((await said('--category', 'sport')).out).toContain('3 events.');
  expect(await said('--category', 'Sport', '--month', '2026-01')).toMatchObject({ code: 0, out: '0 events.\n' });
  expect(await said('--search', 'mtach')).toMatchObject({
    code: 0,
    out: '0 events. No event has "mtach" in its title. Did you mean "match"?\n',
  });
  expect((await said('--search', 'opera')).out).toBe(
    '0 events. No event has "opera" in its title; one that was retitled on the site is found once a run has compared it.\n',
  );
  expect((await said('--search', 'match', '--month', '2026-01')).out).toBe('0 events.\n');
});

test('events are listed in the time zone of the site, which is named', async () => {
  const [overseas] = feedEvents(1);
  const text = calendarText([{ ...overseas!, start: '20270305T190000' }]);
  feeds.on('/club.ics', body(text.replace('Europe/Warsaw', 'America/New_York')));
  await app.sync('club', true);
  const { out } = await commandIn(syncing, config(), ['events', 'club', '--search', 'number']);
  expect(out).toMatch(/^2027-03-06 01:00 CET {2}club {2}"Event number/);
});

test('a month begins and ends in the time zone of the site', async () => {
  const [first] = feedEvents(1);
  publish('club', [
    { ...first!, uid: 'late', title: 'New Year', start: '20270401T003000' },
    { ...first!, uid: 'early', title: 'Last of March', start: '20270331T223000' },
  ]);
  await app.sync('club', true);
  expect((await list('--month', '2027-04')).json).toMatchObject({
    total: 1,
    events: [{ start: '2027-04-01 00:30:00' }],
  });
  expect((await list('club', '--month', '2027-03')).json).toMatchObject({
    total: 4,
    events: expect.arrayContaining([expect.objectContaining({ start: '2027-03-31 22:30:00' })]) as unknown,
  });
});

test('events are listed by state: in conflict, gone, ignored or held', async () => {
  const [taken, , moved, gone] = (await app.events()).filter(({ title }) => title.startsWith('Event'));
  syncing.clock.now += 60_000;
  await app.site.write([
    { method: 'POST', path: `/events/${moved!.id}`, body: { title: 'By hand' } },
    { method: 'DELETE', path: `/events/${taken!.id}` },
  ]);
  expect((await commandIn(syncing, config(), ['explain', moved!.slug, '--json'])).json).toMatchObject({
    edits: ['title'],
    changedHere: { at: expect.stringMatching(/^\d{4}-/) as string, author: expect.any(String) as string },
  });
  const uidOf = ({ slug }: { readonly slug: string }): string => uids.get(slug)!;
  const uids = new Map(
    (await app.context.database.pool.query(`select slug, uid from calsync.ledger where source = 'town'`)).rows.map(
      ({ slug, uid }: { slug: string; uid: string }) => [slug, uid],
    ),
  );
  publish(
    'town',
    feedEvents(8)
      .filter(({ uid }) => uid !== uidOf(gone!))
      .map((event) => (event.uid === uidOf(moved!) ? { ...event, title: 'By the feed' } : event)),
  );
  await app.sync('town', true);
  expect((await list('--state', 'conflict')).json).toMatchObject({
    total: 1,
    events: [{ slug: moved!.slug, conflict: true, edited: true }],
  });
  expect((await list('--state', 'gone')).json).toMatchObject({ total: 1, events: [{ slug: gone!.slug, missing: 1 }] });
  expect((await list('--state', 'ignored')).json).toMatchObject({
    total: 1,
    events: [{ slug: taken!.slug, state: 'ignored' }],
  });
  publish(
    'town',
    feedEvents(8).filter((_, index) => index === 0 || index === 7),
  );
  for (let reading = 0; reading < 3; reading += 1) await app.sync('town');
  expect((await list('town', '--state', 'held')).json).toMatchObject({
    byState: { kept: 6, conflict: 1, edited: 1, gone: 5, ignored: 1, locked: 0, removed: 1 },
    events: expect.arrayContaining([
      expect.objectContaining({ held: { run: expect.any(String) as string, action: 'remove' } }),
    ]) as unknown,
  });
  expect((await commandIn(syncing, config(), ['events', 'town', '--state', 'gone'])).out).toMatch(
    /missing from \d good fetches.*, remove held in town-/,
  );
});

test('a retitled event is listed with the title that visitors see, and found by both titles', async () => {
  const [match] = (await app.events()).filter(({ title }) => title.startsWith('Match'));
  await app.site.write([{ method: 'POST', path: `/events/${match!.id}`, body: { title: 'The great derby' } }]);
  expect((await list('--search', 'great')).json).toMatchObject({ total: 0 });
  await app.sync('club', true);
  for (const text of ['GREAT', match!.title])
    expect((await list('--search', text)).json).toMatchObject({
      total: 1,
      events: [{ slug: match!.slug, title: 'The great derby' }],
    });
  // Once detached, it keeps that title.
  await commandIn(syncing, config(), ['detach', match!.slug]);
  expect((await list('--state', 'detached')).json).toMatchObject({ events: [{ title: 'The great derby' }] });
  await commandIn(syncing, config(), ['detach', match!.slug, '--off']);
  expect((await list('--search', 'great')).json).toMatchObject({ total: 0 });
});

test('an event that is a person’s own, or a draft, is marked as in the console', async () => {
  const [own] = (await app.events()).filter(({ title }) => title.startsWith('Event'));
  await commandIn(syncing, config(), ['detach', own!.slug]);
  expect((await commandIn(syncing, config(), ['events', 'town'])).out).toContain(`"${own!.title}" (a person's own)\n`);
  const drafts = config().replace('club: {', 'club: { status: draft,');
  await commandIn(syncing, drafts, ['sync', 'club']);
  expect((await commandIn(syncing, drafts, ['events', 'club'])).out.match(/"Match .*" \(draft\)\n/g)).toHaveLength(3);
});
