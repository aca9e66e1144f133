import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approveRun } from '../../src/run/decisions/approve-run.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { SITES, townOn } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// The ledger is lost after people have edited events of a source, so nothing tells their edits from our writes.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const LINES = ['LOCATION:Town Hall', 'CATEGORIES:Music', 'DESCRIPTION:As the feed says'];
const events = (count = 8) => feedEvents(count).map((event) => ({ ...event, lines: LINES }));
const seen = async (app: OpenedApp): Promise<readonly object[]> =>
  (await app.events())
    .map(({ id, slug, title, description, status, cost, venue, categories }) => ({
      id,
      slug,
      title,
      description,
      status,
      cost,
      venue: [venue].flat().map((each) => each.venue),
      categories: categories.map(({ name }) => name).toSorted(),
    }))
    .toSorted((one, other) => one.id - other.id);

describe.each(SITES)('on %s', (site) => {
  /** A person edits four events, one of them by withdrawing it, and the ledger is lost. */
  async function lost(): Promise<{ readonly app: OpenedApp; readonly slugs: readonly string[] }> {
    feeds.on('/town.ics', body(calendarText(events())));
    const app = await syncing.open(townOn(site, real, feeds));
    await app.sync('town');
    const slugs = (await app.events()).toSorted((one, other) => one.id - other.id).map(({ slug }) => slug);
    const edits: readonly Record<string, unknown>[] = [
      { description: '<p>By hand</p>' },
      { venue: { venue: 'The park' } },
      { categories: ['Music', 'Picked'] },
      { status: 'draft' },
    ];
    for (const [index, edit] of edits.entries()) await byHand(app, slugs[index]!, edit);
    await app.context.database.pool.query('truncate calsync.ledger, calsync.sources');
    return { app, slugs };
  }

  async function byHand(app: OpenedApp, slug: string, edit: Readonly<Record<string, unknown>>): Promise<void> {
    if (site === 'the built-in site') {
      const { id } = (await app.events()).find((event) => event.slug === slug)!;
      expect(await app.site.write([{ method: 'POST', path: `/events/${id}`, body: edit }])).toMatchObject([
        { status: 200 },
      ]);
    } else if ('venue' in edit) real.person.edit(slug, { venue: real.person.addVenue({ venue: 'The park' }) });
    else if ('categories' in edit)
      real.person.edit(slug, {
        categories: [...real.person.event(slug).categories, real.person.addTerm('categories', 'Picked')],
      });
    else real.person.edit(slug, edit.status === 'draft' ? { ...edit, date: null } : edit);
  }

  test('edits stay, and the run that lists them is held; a withdrawn event is not published', async () => {
    const { app, slugs } = await lost();
    const before = await seen(app);
    feeds.on('/town.ics', body(calendarText(events(9))));
    const held = await app.sync('town');
    expect(held).toMatchObject({ state: 'held', planned: true, writes: 0, conflicts: 4 });
    expect(held.problems.find(({ code }) => code === 'held')!.message).toContain(
      'The ledger of this source was lost, and 4 of its events on the site differ from the feed, such as ' +
        '"Event number 0" (in all: description, venue, categories, status).',
    );
    expect((await commandIn(syncing, townOn(site, real, feeds), ['show', held.run])).out).toMatch(
      /! conflict "Event number 3" \(.*\): status is "draft" on the site and "publish" in the feed; the site's stays/,
    );
    expect(await app.sync('town', true)).toMatchObject({ state: 'held', writes: 0 });
    expect(await seen(app)).toEqual(before);
    const {
      rows: [last],
    } = await app.context.database.pool.query<{ run: string }>(`select run from calsync.runs where state = 'held'`);
    const approved = await carryOn(
      app.context,
      app.setup('town'),
      await approveRun(app.context, app.setup('town'), last!.run, BY_TESTER),
      () => undefined,
    );
    expect(approved).toMatchObject({ state: 'done', created: 1, updated: 0 });
    expect((await seen(app)).slice(0, 8)).toEqual(before);
    // From then on, they are ordinary conflicts, and changes in the feed are written.
    feeds.on(
      '/town.ics',
      body(
        calendarText(
          events(9).map((event) => ({ ...event, lines: [...LINES.slice(0, 2), 'DESCRIPTION:As the feed says now'] })),
        ),
      ),
    );
    expect(await app.sync('town', true)).toMatchObject({ state: 'done', updated: 8, conflicts: 1 });
    expect(await seen(app)).toMatchObject([
      { description: expect.stringContaining('By hand') as string },
      { venue: ['The park'] },
      { categories: ['Music', 'Picked'] },
      { status: 'draft', description: expect.stringContaining('says now') as string },
      {},
      {},
      {},
      {},
      {},
    ]);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
    const { json } = await commandIn(syncing, townOn(site, real, feeds), ['settle', '--json']);
    expect(
      (json as unknown as { conflicts: { slug: string; fields: string[] }[] }).conflicts.map(({ slug, fields }) => [
        slug,
        fields,
      ]),
    ).toEqual([['description'], ['venue'], ['categories'], ['status']].map((fields, index) => [slugs[index], fields]));
    expect(await commandIn(syncing, townOn(site, real, feeds), ['settle', slugs[3]!, 'feed'])).toMatchObject({
      code: 0,
    });
    expect((await seen(app))[3]).toMatchObject({ status: 'publish' });
  });
});

test('even if the feed decides about all fields, a withdrawn event stays a draft until a person settles it', async () => {
  feeds.on('/town.ics', body(calendarText(events())));
  const config = townOn('the built-in site', real, feeds).replace('missing: {', 'authority: feed, missing: {');
  const app = await syncing.open(config);
  await app.sync('town');
  const [event] = await app.events();
  await app.site.write([{ method: 'POST', path: `/events/${event!.id}`, body: { status: 'draft' } }]);
  await app.context.database.pool.query('truncate calsync.ledger, calsync.sources');
  const { run } = await app.sync('town');
  await carryOn(
    app.context,
    app.setup('town'),
    await approveRun(app.context, app.setup('town'), run, BY_TESTER),
    () => undefined,
  );
  const status = async (): Promise<string> => (await app.events()).find(({ id }) => id === event!.id)!.status;
  for (let round = 0; round < 2; round += 1) {
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
    expect(await status()).toBe('draft');
  }
  expect(await commandIn(syncing, config, ['settle', event!.slug, 'feed'])).toMatchObject({ code: 0 });
  expect(await status()).toBe('publish');
});
