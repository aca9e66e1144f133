import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  body,
  conditional,
  feedServer,
  hungUp,
  status,
  truncated,
  type FeedServer,
} from '../../support/feed-server.ts';
import { sql } from '../../../src/db/database.ts';
import { commandIn } from '../../support/command.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { endRun } from '../../../src/run/steps/end-run.ts';
import { loadLedger } from '../../../src/run/state/ledger.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// From the bytes of a feed to the built-in site and back, in one process.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const BASE = 'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\n';
/** One source `town`, whose feed is `/town.ics` of the feed server. */
const town = (more = ''): Promise<OpenedApp> =>
  syncing.open(`${BASE}sources:\n  town: { url: "${feeds.url}/town.ics"${more} }\n`);
const publish = (events: Parameters<typeof calendarText>[0]): void => feeds.on('/town.ics', body(calendarText(events)));
/** Ten events without the fourth: one that is missing at the end of a feed would not count as gone. */
const nine = (): FeedEvent[] => feedEvents(10).filter((_, index) => index !== 3);
const titles = async (app: OpenedApp): Promise<readonly string[]> =>
  (await app.events()).map(({ title }) => title).toSorted();

/** How many entries of the ledger PostgreSQL reckons with when it chooses how to read them; -1 if it knows nothing. */
const entriesKnown = async ({ context }: OpenedApp): Promise<number | undefined> => {
  const { rows } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where oid = 'calsync.ledger'::regclass`.execute(context.database.query());
  return rows[0]?.reltuples;
};

/** A rule that gives the third event another title. */
const titled = (title: string): string => `set: [{ when: [{ field: title, matches: "number 2$" }], title: ${title} }]`;

describe('a feed', () => {
  test('is written to the site, and a second run writes nothing', async () => {
    publish(feedEvents(60));
    const app = await town();
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 60, updated: 0, removed: 0, problems: [] });
    const before = await app.events();
    expect(before).toHaveLength(60);
    expect(before[0]).toMatchObject({
      title: 'Event number 0',
      start_date: '2027-03-01 18:00:00',
      end_date: '2027-03-01 19:00:00',
      timezone: 'Europe/Warsaw',
      utc_start_date: '2027-03-01 17:00:00',
    });
    const revision = await app.sites.builtin.revision();
    for (const full of [false, true]) {
      expect(await app.sync('town', full)).toMatchObject({
        state: 'unchanged',
        created: 0,
        updated: 0,
        unchanged: 60,
        writes: 0,
      });
      expect(await app.sites.builtin.revision()).toBe(revision);
    }
    expect(await app.events()).toEqual(before);
  });

  test('that changes an event is distinguished from settings that change one', async () => {
    const why = async (app: OpenedApp): Promise<readonly string[]> => {
      const { run } = await app.sync('town');
      const { json } = await commandIn(syncing, app.config.file, ['show', run, '--json']);
      const actions = json['actions'] as readonly { readonly title: string; readonly because: string }[];
      return actions.map(({ title, because }) => `${title}: ${because}`).toSorted();
    };
    publish(feedEvents(6));
    await (await town(', skip: [{ field: title, matches: "number 5" }]')).sync('town');
    const ruled = await town(`, ${titled('Two')}`);
    expect(await why(ruled)).toEqual([
      'Event number 5: let in by the settings of its source',
      'Two: changed by the settings of its source',
    ]);
    publish(feedEvents(6).map((event, index) => (index === 3 ? { ...event, title: 'Three' } : event)));
    expect(await why(ruled)).toEqual(['Three: changed in the feed']);
    publish(feedEvents(7));
    expect(await why(await town(`, ${titled('Second')}`))).toEqual([
      'Event number 3: changed in the feed, or by the settings of its source',
      'Event number 6: new in the feed, or let in by the settings of its source',
      'Second: changed in the feed, or by the settings of its source',
    ]);
  });

  test('that changes one event changes only that one, which keeps its slug and id', async () => {
    const events = feedEvents(8);
    publish(events);
    const app = await town();
    await app.sync('town');
    const before = await app.events();
    publish(
      events.map((event, index) =>
        index === 3 ? { ...event, title: 'Quite another title', start: '20270401T200000' } : event,
      ),
    );
    expect(await app.sync('town')).toMatchObject({
      state: 'done',
      created: 0,
      updated: 1,
      removed: 0,
      unchanged: 7,
      writes: 1,
    });
    const after = await app.events();
    const [was, is] = [
      before.find(({ title }) => title === 'Event number 3')!,
      after.find(({ title }) => title === 'Quite another title')!,
    ];
    expect(is).toMatchObject({
      id: was.id,
      slug: was.slug,
      start_date: '2027-04-01 20:00:00',
      end_date: '2027-04-01 21:00:00',
    });
    expect(after.filter(({ id }) => id !== was.id)).toEqual(before.filter(({ id }) => id !== was.id));
  });

  test('of many events is created, changed and removed in several batches', async () => {
    const events = feedEvents(280);
    publish(events);
    const app = await town(', missing: { after: 1 }');
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 280, problems: [] });
    expect(await entriesKnown(app)).toBe(280);
    const before = await app.events();
    const changed = events.map((event) => ({ ...event, lines: [`DESCRIPTION:About ${event.title}`] }));
    publish(changed);
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 280, unchanged: 0, problems: [] });
    const after = await app.events();
    expect(after.map(({ id, description }) => [id, description])).toEqual(
      before.map(({ id, title }) => [id, `<p>About ${title}</p>`]),
    );
    publish(changed.filter((_, index) => index < 60 || index > 85));
    expect(await app.sync('town')).toMatchObject({ state: 'done', removed: 26, unchanged: 254, problems: [] });
    expect(await app.events()).toHaveLength(254);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', unchanged: 254, writes: 0 });
  });
  test('does not overwrite what a person changes after the plan, even if events are removed while they are read', async () => {
    const events = feedEvents(60);
    publish(events);
    const app = await town();
    await app.sync('town');
    const all = (await app.events()).toSorted((one, other) => one.id - other.id);
    const [first, next] = [all[0]!, all[50]!];
    publish(events.map((event) => ({ ...event, lines: [`DESCRIPTION:About ${event.title}`] })));
    const setup = app.setup('town');
    const started = await startRun(app.context, setup, 'command', false);
    // After a while, the events are read again before they are written.
    syncing.clock.now += 60_000;
    await app.site.write([{ method: 'POST', path: `/events/${next.id}`, body: { description: 'By hand' } }]);
    const { client } = setup.site;
    const { list } = client;
    const abilities = await client.abilities();
    const able = vi.spyOn(client, 'abilities').mockResolvedValue({ ...abilities, perPageMax: 50 });
    const listing = vi.spyOn(client, 'list').mockImplementation(async function* (resource, query) {
      let read = 0;
      for await (const item of list(resource, { ...query, per_page: '50' })) {
        yield item;
        read += 1;
        if (query['include'] && read === 50) await app.site.write([{ method: 'DELETE', path: `/events/${first.id}` }]);
      }
    });
    const report = await carryOn(app.context, setup, started, () => undefined);
    for (const mock of [able, listing]) mock.mockRestore();
    expect(report).toMatchObject({ updated: 58 });
    expect((await app.site.read('events', { id: next.id }))?.description).toBe('<p>By hand</p>');
  });
  test('makes each category, venue and organizer once, and finds it again', async () => {
    const lines = [
      'LOCATION:Town Hall\\, Main Street 1',
      'CATEGORIES:Music,Jazz',
      'ORGANIZER;CN=Jazz Club:mailto:jazz@club.example',
    ];
    publish(feedEvents(30).map((event) => ({ ...event, lines })));
    const app = await town(', categories: { add: [Town] }, tags: { add: [imported] }');
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 30, problems: [] });
    const [event] = await app.events();
    expect(event!.categories.map(({ name }) => name).toSorted()).toEqual(['Jazz', 'Music', 'Town']);
    expect(event!.tags.map(({ name }) => name)).toEqual(['imported']);
    expect(await namesOf(app, 'venues', 'venue')).toHaveLength(1);
    expect(await namesOf(app, 'organizers', 'organizer')).toEqual(['Jazz Club']);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('loses only an event that cannot be read, which is reported with its line and UID', async () => {
    feeds.on(
      '/town.ics',
      body(calendarText(feedEvents(3)).replace('DTSTART;TZID=Europe/Warsaw:20270302T180000', 'DTSTART:next Tuesday')),
    );
    const app = await town();
    const report = await app.sync('town');
    expect(report).toMatchObject({ state: 'done', created: 2 });
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]!.where).toEqual(
      expect.objectContaining({ uid: 'event-1@feed.example', line: expect.any(Number) as number }),
    );
    expect(await titles(app)).toEqual(['Event number 0', 'Event number 2']);
  });

  test('with texts that a database cannot store loses only what cannot be stored', async () => {
    publish([
      ...feedEvents(2),
      {
        uid: 'odd',
        title: `NUL \u0000, half \uD83D, ${'😀'.repeat(40)}`,
        lines: ['DESCRIPTION:a\u0000b \uDC00 c', 'LOCATION:Hall\u0000 1', 'CATEGORIES:Odd\u0000'],
      },
    ]);
    const app = await town();
    const report = await app.sync('town');
    expect(report).toMatchObject({ state: 'done', created: 3, problems: [] });
    const odd = `NUL , half \uFFFD, ${'😀'.repeat(40)}`;
    expect(await titles(app)).toEqual(['Event number 0', 'Event number 1', odd]);
    const event = (await app.events()).find(({ title }) => title === odd)!;
    expect(event).toMatchObject({ description: '<p>ab \uFFFD c</p>', venue: { venue: 'Hall 1' } });
    expect(event.categories.map(({ name }) => name)).toEqual(['Odd']);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });
});

describe('an event that is gone', () => {
  test.each([
    [
      'with another body each time',
      (round: number) => body(calendarText([...nine(), { uid: 'fresh', title: `Fresh ${round}` }])),
    ],
    ['with an equal body', () => body(calendarText(nine()))],
    ['with the answer 304', () => conditional(calendarText(nine()), { etag: '"nine"' })],
  ])('is removed after three good fetches, %s', async (_, answer) => {
    publish(feedEvents(10));
    const app = await town();
    await app.sync('town');
    for (let round = 1; round <= 2; round += 1) {
      feeds.on('/town.ics', answer(round));
      expect(await app.sync('town')).toMatchObject({ removed: 0 });
      expect(await titles(app)).toContain('Event number 3');
    }
    feeds.on('/town.ics', answer(3));
    expect(await app.sync('town')).toMatchObject({ state: 'done', removed: 1 });
    expect(await titles(app)).not.toContain('Event number 3');
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('from the end of the feed stays on the site, and each report says so until it comes back', async () => {
    publish(feedEvents(10));
    const app = await town(', missing: { after: 1 }');
    await app.sync('town');
    publish(feedEvents(9));
    const said =
      'The feed may just end earlier now, so it is left on the site. Remove by hand there what does not take place.';
    const { slug } = (await app.events()).find(({ title }) => title === 'Event number 9')!;
    const problems = [
      {
        code: 'beyond-coverage',
        where: { slug },
        message: `1 event that comes after the last one in the feed is not in it any more: "Event number 9" (2027-03-10). ${said}`,
      },
    ];
    for (const full of [false, false, true, false])
      expect(await app.sync('town', full)).toMatchObject({ state: 'unchanged', removed: 0, problems });
    // A failed run in between changes nothing about that.
    feeds.on('/town.ics', status(500));
    expect(await app.sync('town')).toMatchObject({ state: 'failed' });
    publish(feedEvents(9));
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', problems });
    publish(feedEvents(8));
    expect(await app.sync('town')).toMatchObject({
      problems: [
        {
          message: expect.stringMatching(
            /^2 events .* "Event number 8" \(2027-03-09\), "Event number 9" \(2027-03-10\)\. .* they are left/,
          ) as string,
        },
      ],
    });
    publish(feedEvents(10));
    expect(await app.sync('town')).toMatchObject({ problems: [] });
    expect(await titles(app)).toHaveLength(10);
  });

  test('from the end of the feed several times is named once, with how often and its first and last day', async () => {
    const market = feedEvents(10).map((event, index) => (index < 4 ? event : { ...event, title: 'Market' }));
    publish(market);
    const app = await town();
    await app.sync('town');
    publish(market.slice(0, 3));
    expect(await app.sync('town')).toMatchObject({
      problems: [
        {
          message: expect.stringMatching(
            /^7 events .*: "Event number 3" \(2027-03-04\), "Market" \(6 times, 2027-03-05 to 2027-03-10\)\. /,
          ) as string,
        },
      ],
    });
  });

  test('comes back with its id and slug', async () => {
    publish(feedEvents(10));
    const app = await town(', missing: { after: 1 }');
    await app.sync('town');
    const before = await app.events();
    publish(nine());
    expect(await app.sync('town')).toMatchObject({ removed: 1 });
    publish(feedEvents(10));
    await app.sync('town');
    expect((await app.events()).map(({ id, slug }) => ({ id, slug }))).toEqual(
      before.map(({ id, slug }) => ({ id, slug })),
    );
  });

  test('is neither counted nor removed by a failed fetch', async () => {
    publish(feedEvents(10));
    const app = await town(', missing: { after: 1 }, hold: { share: 100%, more_than: 1000 }');
    await app.sync('town');
    const whole = calendarText(nine());
    const answers = {
      '500': status(500),
      '404': status(404),
      '403 with a page': status(403, '<html>'),
      '204': status(204),
      '206': status(206, whole),
      empty: body(''),
      'cut by the network': truncated(whole),
      'hung up': hungUp(whole),
      'cut by the publisher': body(whole.slice(0, whole.length / 2)),
      'without an end': body(whole.replace('END:VCALENDAR', '')),
      'a web page': body('<!DOCTYPE html><html><body>Log in</body></html>', { 'content-type': 'text/html' }),
      'a JSON error': body('{"error":"quota"}'),
    };
    for (const [name, answer] of Object.entries(answers)) {
      feeds.on('/town.ics', answer);
      const report = await app.sync('town');
      expect({ name, ...report }).toMatchObject({ name, state: 'failed', removed: 0, writes: 0 });
      expect(report.problems).toHaveLength(1);
    }
    expect(await app.events()).toHaveLength(10);
    // None of those bodies was remembered either.
    publish(feedEvents(10));
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('with most others holds the run, nothing is written, and a complete feed ends that', async () => {
    publish(feedEvents(10));
    const app = await town(', missing: { after: 1 }');
    await app.sync('town');
    publish(feedEvents(10).filter((_, index) => index % 9 === 0));
    const held = await app.sync('town');
    expect(held).toMatchObject({ state: 'held', planned: true, removed: 8, writes: 0 });
    expect(held.problems[0]!.message).toContain('8 of 10');
    publish([]);
    expect(await app.sync('town')).toMatchObject({ state: 'held', writes: 0 });
    expect(await app.events()).toHaveLength(10);
    publish(feedEvents(10));
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0 });
  });
});

describe('several sources and people', () => {
  test('two sources with the same UIDs do not collide', async () => {
    feeds.on('/a.ics', body(calendarText(feedEvents(5))));
    feeds.on('/b.ics', body(calendarText(feedEvents(5))));
    const app = await syncing.open(
      `${BASE}sources:\n  a: { url: "${feeds.url}/a.ics", missing: { after: 1 } }\n  b: { url: "${feeds.url}/b.ics" }\n`,
    );
    for (const source of ['a', 'b']) expect(await app.sync(source)).toMatchObject({ created: 5 });
    expect(new Set((await app.events()).map(({ slug }) => slug)).size).toBe(10);
    feeds.on('/a.ics', body(calendarText(feedEvents(5).slice(1))));
    expect(await app.sync('a')).toMatchObject({ removed: 1 });
    expect(await app.sync('b', true)).toMatchObject({ state: 'unchanged', unchanged: 5 });
    expect(await app.events()).toHaveLength(9);
  });

  test('a field that a person edits on the site stays, and the feed still changes the others', async () => {
    publish(feedEvents(4));
    const app = await town();
    await app.sync('town');
    const [edited] = await app.events();
    await app.site.write([{ method: 'POST', path: `/events/${edited!.id}`, body: { title: 'A better title' } }]);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0, conflicts: 0 });
    publish(
      feedEvents(4).map((event, index) =>
        index === 0 ? { ...event, title: 'The feed wants this', start: '20270301T190000' } : event,
      ),
    );
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, conflicts: 1 });
    expect((await app.events()).find(({ id }) => id === edited!.id)).toMatchObject({
      title: 'A better title',
      start_date: '2027-03-01 19:00:00',
    });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', conflicts: 0 });
  });

  test('an event that a person removed from the site stays removed', async () => {
    publish(feedEvents(4));
    const app = await town();
    await app.sync('town');
    const [first] = await app.events();
    await app.site.write([{ method: 'DELETE', path: `/events/${first!.id}` }]);
    for (let round = 0; round < 2; round += 1)
      expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', created: 0, writes: 0 });
    expect(await app.events()).toHaveLength(3);
  });

  test('many events that a person removed are not mistaken for a lost site', async () => {
    publish(feedEvents(10));
    const app = await town();
    await app.sync('town');
    for (const { id } of (await app.events()).slice(0, 6))
      await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', created: 0, writes: 0, problems: [] });
    expect(await app.events()).toHaveLength(4);
  });

  test('a source that is renamed keeps its events', async () => {
    publish(feedEvents(5));
    const before = await town();
    const { run } = await before.sync('town');
    const events = await before.events();
    await before.close();
    const after = await syncing.open(`${BASE}sources:\n  village: { was: town, url: "${feeds.url}/town.ics" }\n`);
    expect(await after.sync('village')).toMatchObject({ created: 0, removed: 0, unchanged: 5, writes: 0 });
    expect(await after.events()).toEqual(events);
    publish(feedEvents(6));
    expect(await after.sync('village')).toMatchObject({ created: 1, updated: 0 });
    // Its history goes with it: an earlier run can be undone.
    expect(
      await commandIn(syncing, `${BASE}sources:\n  village: { was: town, url: "${feeds.url}/town.ics" }\n`, [
        'undo',
        run,
        '--event',
        events[1]!.slug,
        '--json',
      ]),
    ).toMatchObject({ code: 0, json: { runs: [{ source: 'village', removed: 1 }] } });
  });

  test.each(['calsync.ledger', 'calsync.ledger, calsync.sources'])(
    'a lost ledger (%s) is rebuilt by the next run, which makes no event twice',
    async (tables) => {
      publish(feedEvents(30));
      const app = await town();
      await app.sync('town');
      const before = await app.events();
      await app.context.database.pool.query(`truncate ${tables}`);
      expect(await app.sync('town')).toMatchObject({ created: 0, removed: 0, unchanged: 30, writes: 0 });
      expect((await loadLedger(app.context.database.query(), app.setup('town').site.key, 'town')).size).toBe(30);
      expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 30, requests: 0 });
      expect((await app.events()).map(({ id, slug, title }) => ({ id, slug, title }))).toEqual(
        before.map(({ id, slug, title }) => ({ id, slug, title })),
      );
    },
  );
});

describe('a run that goes wrong', () => {
  test('fails for an unforeseen reason, and the next run of the source works', async () => {
    publish(feedEvents(3));
    const app = await town();
    await app.context.database.pool.query(
      'alter table calsync.batches add constraint broken check (number < 0) not valid',
    );
    const report = await app.sync('town');
    expect(report).toMatchObject({ state: 'failed', writes: 0 });
    expect(report.problems[0]!.message).toMatch(/broken/);
    await app.context.database.pool.query('alter table calsync.batches drop constraint broken');
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 3 });
  });

  test('leaves a stored body that a later 304 does not refer to', async () => {
    feeds.on('/town.ics', conditional(calendarText(feedEvents(3)), { etag: '"one"' }));
    const app = await town();
    await app.sync('town');
    // The other body is stored, but the run ends before it writes anything.
    feeds.on(
      '/town.ics',
      conditional(calendarText(feedEvents(2).map((event) => ({ ...event, title: 'Something else' }))), {
        etag: '"two"',
      }),
    );
    const started = await startRun(app.context, app.setup('town'), 'command', false);
    if (started.kind !== 'writing') throw new Error(started.kind);
    expect(await endRun(app.context, app.setup('town'), started.run)).toMatchObject({ state: 'failed' });
    feeds.on('/town.ics', conditional(calendarText(feedEvents(3)), { etag: '"one"' }));
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', unchanged: 3, writes: 0 });
  });

  test('a file that cannot be read is a failed fetch', async () => {
    await writeFile(path.join(syncing.directory, 'feed.ics'), calendarText(feedEvents(2)));
    const app = await syncing.open(
      `${BASE}sources:\n  town: { url: "file:feed.ics" }\n  gone: { url: "file:gone.ics" }\n`,
    );
    expect(await app.sync('town')).toMatchObject({ created: 2 });
    expect(await app.sync('gone')).toMatchObject({ state: 'failed' });
  });
});

async function namesOf(app: OpenedApp, resource: 'venues' | 'organizers', field: string): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  for await (const item of app.site.list(resource, { per_page: '50' }))
    names.push((item as unknown as Record<string, unknown>)[field]);
  return names;
}
