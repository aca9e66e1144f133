import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandIn } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

test.each(['preserve', 'feed'])(
  'a password that a person sets on an event does not count as an edit of its fields (%s)',
  async (authority) => {
    const events = feedEvents(4).map((event) => ({
      ...event,
      lines: ['DESCRIPTION:As the feed says', 'LOCATION:Town Hall', 'CATEGORIES:Music'],
    }));
    feeds.on('/town.ics', body(calendarText(events)));
    const app = await syncing.open(
      `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics", authority: ${authority} }\n`,
    );
    await app.sync('town');
    const [, event] = await app.events();
    const [answer] = await app.site.write([
      { method: 'POST', path: `/events/${event!.id}`, body: { password: 'sesame' } },
    ]);
    expect(answer).toMatchObject({ status: 200 });
    expect((await app.events())[1]).toMatchObject({ description: '', featured: null });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', conflicts: 0, writes: 0, problems: [] });

    feeds.on(
      '/town.ics',
      body(
        calendarText(
          events.map((each, index) =>
            index === 1 ? { ...each, lines: ['DESCRIPTION:As the feed says now', ...each.lines.slice(1)] } : each,
          ),
        ),
      ),
    );
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, conflicts: 0, problems: [] });
    const written = await app.sites.builtin.rest(
      new Request(`http://in.process/api/calendar/events/v1/events/${event!.id}?password=sesame`),
    );
    expect(await written.json()).toMatchObject({
      description: '<p>As the feed says now</p>',
      venue: { venue: 'Town Hall' },
      categories: [{ name: 'Music' }],
    });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  },
);

test('explain and undo do not take the hidden fields of an event with a password for edits', async () => {
  const events = feedEvents(4).map((event) => ({
    ...event,
    lines: ['DESCRIPTION:As the feed says', 'LOCATION:Town Hall', 'CATEGORIES:Music'],
  }));
  feeds.on('/town.ics', body(calendarText(events)));
  const config = `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`;
  const app = await syncing.open(config);
  const made = (await app.sync('town')).run;
  feeds.on(
    '/town.ics',
    body(
      calendarText(
        events.map((event) => ({ ...event, lines: ['DESCRIPTION:As the feed says now', ...event.lines.slice(1)] })),
      ),
    ),
  );
  const changed = (await app.sync('town')).run;
  const [{ id, slug }] = (await app.events()) as unknown as [{ id: number; slug: string }];
  const write = (values: Readonly<Record<string, unknown>>): Promise<unknown> =>
    app.site.write([{ method: 'POST', path: `/events/${id}`, body: values }]);
  await write({ password: 'sesame' });
  expect(await commandIn(syncing, config, ['explain', slug, '--json'])).toMatchObject({
    json: {
      edits: [],
      onSite: 'publish',
      fields: { description: { origin: 'feed', site: null }, title: { origin: 'feed' }, venue: { origin: 'feed' } },
    },
  });
  expect((await commandIn(syncing, config, ['explain', slug])).out).toMatch(
    /description +feed +not shown {2}\(line 10\)\n/,
  );
  await write({ title: 'By hand' });
  expect(await commandIn(syncing, config, ['explain', slug, '--json'])).toMatchObject({ json: { edits: ['title'] } });
  expect(await commandIn(syncing, config, ['undo', made, '--event', slug, '--json'])).toMatchObject({
    json: { runs: [{ removed: 0, problems: [{ code: 'changed-since' }] }] },
  });

  await write({ title: events[0]!.title });
  const shown = async (): Promise<unknown> =>
    (
      await app.sites.builtin.rest(new Request(`http://in.process/api/calendar/events/v1/events/${id}?password=sesame`))
    ).json();
  expect(await commandIn(syncing, config, ['undo', changed, '--event', slug, '--json'])).toMatchObject({
    code: 0,
    json: { runs: [{ updated: 1, skipped: 0, problems: [] }] },
  });
  expect(await shown()).toMatchObject({ description: '<p>As the feed says</p>', venue: { venue: 'Town Hall' } });
  expect(await commandIn(syncing, config, ['undo', made, '--event', slug, '--json'])).toMatchObject({
    code: 0,
    json: { runs: [{ removed: 1, problems: [] }] },
  });
  expect((await app.events()).map((event) => event.id)).not.toContain(id);
});
