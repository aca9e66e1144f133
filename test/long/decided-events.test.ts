import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSettleAll, type FieldDecision } from '../../src/run/decisions/settle-event.ts';
import { listActs, type Act } from '../../src/run/watch/acts.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { commandIn, type Said } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';

// What people decide about single events: settling several conflicts at once, locking, detaching, dismissing; and the
// record of it.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (): string =>
  `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`;
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const command = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config(), [...words, '--json']);
const named = async (app: OpenedApp, ending: string) => (await app.events()).find(({ slug }) => slug.includes(ending))!;
const acts = (app: OpenedApp, event?: string): Promise<readonly Act[]> =>
  listActs(app.context.database.query(), event === undefined ? {} : { event }, 10);

const BY = { name: 'clerk', from: 'console' } as const;

const events = (word: string): readonly FeedEvent[] =>
  feedEvents(6).map((event, index) =>
    index < 3 ? { ...event, title: `Event number ${index} ${word}`, lines: [`DESCRIPTION:${word}`] } : event,
  );

/** Three events, each with a conflict about its title and description. */
async function conflicts(): Promise<OpenedApp> {
  publish(events('before'));
  const app = await syncing.open(config());
  await app.sync('town');
  for (const { id, title } of (await app.events()).filter(({ title }) => title.endsWith('before')))
    await app.site.write([
      { method: 'POST', path: `/events/${id}`, body: { title: `${title} by hand`, description: 'By hand' } },
    ]);
  publish(events('after'));
  expect(await app.sync('town')).toMatchObject({ conflicts: 6, updated: 0 });
  return app;
}

/** The reason of an event's last write. */
const why = async (slug: string): Promise<unknown> =>
  ((await command('explain', slug)).json.runs as readonly { readonly because: string }[])[0]?.because;

test('several conflicts are settled in one run, each field for the feed or the site', async () => {
  const app = await conflicts();
  const slugs = (await app.events()).filter(({ title }) => title.endsWith('by hand')).map(({ slug }) => slug);
  const [one, two, three] = slugs as [string, string, string];
  const settle = async (decisions: readonly FieldDecision[]): Promise<Report | undefined> => {
    const setup = app.setup('town');
    return carryOn(
      app.context,
      setup,
      await startSettleAll(app.context, setup, decisions, { by: BY }),
      () => undefined,
    );
  };
  expect(
    await settle([
      { slug: one, field: 'title', winner: 'feed' },
      { slug: one, field: 'description', winner: 'site' },
      { slug: two, field: 'conflicts', winner: 'feed' },
      { slug: three, field: 'title', winner: 'site' },
    ]),
  ).toMatchObject({ state: 'done', updated: 2 });
  expect(await named(app, one)).toMatchObject({
    title: expect.stringMatching(/after$/) as string,
    description: '<p>By hand</p>',
  });
  expect(await named(app, two)).toMatchObject({
    title: expect.stringMatching(/after$/) as string,
    description: '<p>after</p>',
  });
  expect(await named(app, three)).toMatchObject({ title: expect.stringMatching(/by hand$/) as string });
  expect(await why(one)).toBe('settled by a person for the feed');
  expect((await command('settle')).json).toMatchObject({
    conflicts: [{ slug: three, fields: ['description'] }],
    more: 0,
  });
  expect(await acts(app)).toMatchObject([{ kind: 'settle', by: BY, source: 'town', details: { events: 3 } }]);
  expect((await command('runs')).json.runs).toMatchObject([{ cause: 'settle 3 events' }, {}, {}]);
  // What is settled already cannot be settled again.
  expect(await settle([{ slug: two, field: 'conflicts', winner: 'site' }])).toMatchObject({
    state: 'failed',
    problems: [{ code: 'nothing-to-settle' }],
  });
  expect(await command('settle', 'all', 'feed')).toMatchObject({ code: 64 });
  expect(await command('settle', three, 'feed', '--source', 'town')).toMatchObject({ code: 64 });
  expect(await command('settle', 'all', 'feed', '--source', 'town', '--field', 'title')).toMatchObject({ code: 1 });
  expect(await command('settle', 'all', 'feed', '--source', 'town', '--field', 'description')).toMatchObject({
    code: 0,
    json: { runs: [{ updated: 1 }] },
  });
  expect((await command('settle', '--source', 'town')).json).toEqual({ conflicts: [], more: 0 });
  expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
});

test('of many conflicts, the first are listed, with the number of others and how to list them', async () => {
  publish(feedEvents(27));
  const app = await syncing.open(config());
  await app.sync('town');
  const edits = (await app.events()).map(({ id, title }) => ({
    method: 'POST' as const,
    path: `/events/${id}`,
    body: { title: `${title} by hand` },
  }));
  for (const part of [edits.slice(0, 25), edits.slice(25)]) await app.site.write(part);
  publish(feedEvents(27).map((event) => ({ ...event, title: `${event.title} after` })));
  expect(await app.sync('town')).toMatchObject({ conflicts: 27 });
  expect((await commandIn(syncing, config(), ['settle'])).out).toMatch(
    /\n {2}and 2 more, listed once these are settled; --source NAME lists those of one source\n$/,
  );
});

test('a locked field keeps its value, and gets that of the feed once it is unlocked', async () => {
  publish(feedEvents(4));
  const app = await syncing.open(config());
  await app.sync('town');
  const { slug } = await named(app, 'number-2');
  expect(await command('lock', slug, '--field', 'title')).toMatchObject({ code: 0, json: { runs: [{ writes: 0 }] } });
  expect(await command('lock', slug, '--field', 'smell')).toMatchObject({ code: 64 });
  publish(feedEvents(4).map((event) => ({ ...event, title: `${event.title} again`, lines: ['DESCRIPTION:Said'] })));
  expect(await app.sync('town')).toMatchObject({ updated: 4, conflicts: 0 });
  expect(await named(app, slug)).toMatchObject({ title: 'Event number 2', description: '<p>Said</p>' });
  expect((await command('explain', slug)).json).toMatchObject({
    fields: {
      title: { locked: true, authority: 'site', feed: 'Event number 2 again' },
      description: { locked: false },
    },
    whyNotNewer: ['title: locked by a person, so the feed never changes it.'],
    acts: [{ act: 'lock', from: 'command' }],
  });
  const { slug: whole } = await named(app, 'number-3');
  await command('lock', whole);
  expect((await command('explain', whole)).json).toMatchObject({
    whyNotNewer: ['All fields: locked by a person, so the feed never changes it.'],
  });
  await command('lock', whole, '--off');
  const explained = async (): Promise<string> => (await commandIn(syncing, config(), ['explain', slug])).out;
  expect(await explained()).toMatch(
    /^ +title +feed +"Event number 2" {2}\(line \d+; locked\) {2}the feed says "Event number 2 again"$/m,
  );
  expect((await command('events', '--state', 'locked')).json).toMatchObject({
    total: 1,
    events: [{ slug, locked: true }],
  });
  expect(await command('lock', slug, '--off', '--field', 'cost')).toMatchObject({
    code: 1,
    json: {
      runs: [
        {
          problems: [
            {
              code: 'not-locked',
              message: `cost of ${slug} is not locked: its feed may change it already. What is locked: title.`,
            },
          ],
        },
      ],
    },
  });
  expect(await command('lock', slug, '--off')).toMatchObject({ code: 0 });
  expect(await explained()).toContain('title: unlocked since the last run, so the next one writes what the feed says.');
  expect(await app.sync('town')).toMatchObject({ updated: 1 });
  expect(await explained()).toContain('It is: the site shows what the last good reading of the feed says.');
  expect(await named(app, slug)).toMatchObject({ title: 'Event number 2 again' });
  expect((await acts(app, slug)).map(({ kind, by }) => [kind, by.from])).toEqual([
    ['unlock', 'command'],
    ['unlock', 'command'],
    ['lock', 'command'],
  ]);
  // Nothing was written, so nothing is counted; the command in the message can be copied.
  expect((await commandIn(syncing, config(), ['lock', slug, '--field', 'title'])).out).toBe(
    `Locked title of ${slug}: "npm run -s calsyncd -- lock ${slug} --field title --off" lets the feed change it again.\n`,
  );
});

test('a detached event stays as it is, whatever its feed says, until it is given back', async () => {
  publish(feedEvents(4));
  const app = await syncing.open(config());
  await app.sync('town');
  const { slug, id } = await named(app, 'number-2');
  expect(await command('detach', slug, '--reason', 'we know better')).toMatchObject({
    code: 0,
    json: { runs: [{ writes: 0 }] },
  });
  expect(await command('detach', slug)).toMatchObject({
    code: 1,
    json: { runs: [{ problems: [{ code: 'not-kept' }] }] },
  });
  await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { title: 'Our own' } }]);
  publish(feedEvents(4).map((event) => ({ ...event, title: `${event.title} again`, lines: ['DESCRIPTION:Said'] })));
  expect(await app.sync('town')).toMatchObject({ updated: 3, conflicts: 0, skipped: 1 });
  expect(await named(app, slug)).toMatchObject({ title: 'Our own', description: '' });
  expect((await command('explain', slug)).json).toMatchObject({
    state: 'detached',
    whyNotNewer: expect.arrayContaining([
      'A person has made it their own: its feed neither changes nor removes it.',
    ]) as unknown,
  });
  expect((await command('events', '--state', 'detached')).json).toMatchObject({
    total: 1,
    events: [{ slug, title: 'Our own' }],
  });
  for (const words of [
    ['settle', slug, 'feed', '--field', 'title'],
    ['lock', slug],
  ])
    expect(await command(...words)).toMatchObject({ json: { runs: [{ problems: [{ code: 'detached' }] }] } });
  expect(await command('restore', slug)).toMatchObject({ json: { runs: [{ problems: [{ code: 'not-ignored' }] }] } });
  expect(await command('dismiss', slug)).toMatchObject({ json: { runs: [{ removed: 1 }] } });
  expect(await command('dismiss', slug)).toMatchObject({ json: { runs: [{ problems: [{ code: 'not-kept' }] }] } });
  expect(await app.sync('town', true)).toMatchObject({ created: 0, updated: 0, skipped: 1 });
  expect(await command('restore', slug)).toMatchObject({ json: { runs: [{ updated: 1 }] } });
  expect((await command('explain', slug)).json).toMatchObject({ state: 'detached', onSite: 'publish' });

  publish(feedEvents(4).filter((_, index) => index !== 2));
  for (let reading = 0; reading < 4; reading += 1)
    expect(await app.sync('town', true)).toMatchObject({
      removed: 0,
      state: expect.not.stringMatching('held') as string,
    });
  expect(await named(app, slug)).toMatchObject({ title: 'Our own' });

  publish(feedEvents(4));
  await app.sync('town');
  expect(await command('detach', slug, '--off')).toMatchObject({ code: 0, json: { runs: [{ updated: 1 }] } });
  expect(await why(slug)).toBe('given back to its source by a person');
  expect(await named(app, slug)).toMatchObject({ title: 'Event number 2' });
  expect(await command('detach', slug, '--off')).toMatchObject({
    code: 1,
    json: { runs: [{ problems: [{ code: 'not-detached' }] }] },
  });
  publish(feedEvents(4).map((event) => ({ ...event, title: `${event.title} at last` })));
  expect(await app.sync('town')).toMatchObject({ updated: 4, conflicts: 0 });
  expect((await acts(app, slug)).map(({ kind, reason }) => [kind, reason]).at(-1)).toEqual([
    'detach',
    'we know better',
  ]);
});

test('restoring an event that was withdrawn says that it is a draft', async () => {
  const yaml = config().replace('town.ics" }', 'town.ics", missing: { after: 1, action: draft } }');
  publish(feedEvents(6));
  const app = await syncing.open(yaml);
  await app.sync('town');
  const { slug, id } = await named(app, 'number-2');
  publish(feedEvents(6).filter((_, index) => index !== 2));
  expect(await app.sync('town')).toMatchObject({ removed: 1 });
  await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
  const { out } = await commandIn(syncing, yaml, ['restore', slug]);
  expect(out).toContain(`${slug} is out of the trash, with the status that it had: draft.`);
  expect(await named(app, slug)).toMatchObject({ status: 'draft' });
});

test.each(['draft', 'cancel'])(
  'an event that missing.action %s took off and a person trashed stays off',
  async (action) => {
    const yaml = config().replace('town.ics" }', `town.ics", missing: { after: 1, action: ${action} } }`);
    publish(feedEvents(6));
    const app = await syncing.open(yaml);
    await app.sync('town');
    const { slug, id } = await named(app, 'number-2');
    publish(feedEvents(6).filter((_, index) => index !== 2));
    expect(await app.sync('town')).toMatchObject({ removed: 1 });
    await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
    publish(feedEvents(6));
    expect(await app.sync('town', true)).toMatchObject({ created: 0, updated: 0 });
    expect(await named(app, slug)).toBeUndefined();
    expect((await commandIn(syncing, yaml, ['explain', slug, '--json'])).json).toMatchObject({
      state: 'ignored',
      onSite: 'trash',
      whyNotNewer: ['A person took it off the site, so it stays off until somebody restores it.'],
    });
    expect(await commandIn(syncing, yaml, ['restore', slug])).toMatchObject({ code: 0 });
    await app.sync('town', true);
    expect(await named(app, slug)).toMatchObject({ status: 'publish', title: 'Event number 2' });
  },
);

test('giving an unchanged event back to its source reports nothing else', async () => {
  publish(feedEvents(4).map((event) => ({ ...event, lines: ['RRULE:FREQ=WEEKLY;COUNT=2'] })));
  const app = await syncing.open(config());
  await app.sync('town');
  const { slug } = await named(app, 'number-2');
  await command('detach', slug);
  expect(await commandIn(syncing, config(), ['detach', slug, '--off'])).toMatchObject({
    code: 0,
    out: `${slug} belongs to town again.\n`,
  });
});

test('a dismissed event stays off on a real site, until it is restored', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  try {
    const yaml = townOn('a real site', real, feeds);
    publish(feedEvents(4));
    const app = await syncing.open(yaml);
    await app.sync('town');
    const { slug, id } = await named(app, 'number-2');
    const own = (...words: readonly string[]): Promise<Said> => commandIn(syncing, yaml, [...words, '--json']);
    expect(await own('dismiss', slug)).toMatchObject({ code: 0, json: { runs: [{ removed: 1, writes: 1 }] } });
    expect(await own('dismiss', slug)).toMatchObject({
      code: 1,
      json: { runs: [{ problems: [{ code: 'not-kept' }] }] },
    });
    publish(feedEvents(4).map((event) => ({ ...event, title: `${event.title} again` })));
    expect(await app.sync('town', true)).toMatchObject({ updated: 3, created: 0 });
    expect(await named(app, slug)).toBeUndefined();
    expect((await own('explain', slug)).json).toMatchObject({
      state: 'ignored',
      onSite: 'trash',
      whyNotNewer: ['A person took it off the site, so it stays off until somebody restores it.'],
    });
    expect(await own('restore', slug)).toMatchObject({ code: 0 });
    expect((await own('explain', slug)).json).toMatchObject({ runs: [{ because: 'restored by a person' }, {}, {}] });
    expect(await named(app, slug)).toMatchObject({ id, title: 'Event number 2 again' });
    expect((await acts(app, slug)).map(({ kind }) => kind)).toEqual(['restore', 'dismiss', 'dismiss']);
    // `explain` shows what somebody has done on the site even before a run has seen it.
    const told = async (): Promise<string> => (await commandIn(syncing, yaml, ['explain', slug])).out;
    await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
    expect(await told()).toMatch(
      /removed by a person; "restore" brings it back; there now: trash\n[^]*newer\?\n {4}A person took it off the site, so/,
    );
    await app.sync('town', true);
    await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { status: 'publish' } }]);
    expect(await told()).toMatch(
      /removed by a person, and back on the site since; [^]*newer\?\n {4}A person took it off the site, and it is back there/,
    );
    await app.sync('town', true);
    expect((await own('explain', slug)).json).toMatchObject({ state: 'kept' });
  } finally {
    await real.close();
  }
});
