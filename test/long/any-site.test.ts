import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTrashing } from '../../src/run/decisions/forget-source.ts';
import { wholeBody } from '../../src/run/write/writes-of.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { takeOverRuns } from '../../src/run/steps/take-over.ts';
import { writeBatches } from '../../src/run/write/write-batch.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { START, syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { SITES, townOn, type Site } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// The same runs on the built-in site and on the double of a real site.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const LINES = [
  'LOCATION:Town Hall\\, Main Street 1',
  'CATEGORIES:Music',
  'ORGANIZER;CN=Jazz Club:mailto:jazz@club.example',
  'URL:https://feed.example/?a=1&b=2',
  'DESCRIPTION:It\'s "on" -- at last...',
];
const base = (count = 12): FeedEvent[] => feedEvents(count).map((event) => ({ ...event, lines: LINES }));
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));

const open = (site: Site, missing = 'trash'): Promise<OpenedApp> =>
  syncing.open(townOn(site, real, feeds).replace('missing: {', `missing: { action: ${missing},`));

interface Seen {
  readonly slug: string;
  readonly title: string;
  readonly [field: string]: unknown;
}
const seen = async (app: OpenedApp): Promise<readonly Seen[]> =>
  (await app.events())
    .map((event): Seen => ({
      slug: event.slug,
      title: event.title,
      start: event.utc_start_date,
      end: event.utc_end_date,
      timezone: event.timezone,
      status: event.status,
      website: event.website,
      cost: event.cost,
      venue: [event.venue].flat().map(({ venue }) => venue),
      organizer: event.organizer.map(({ organizer }) => organizer),
      categories: event.categories.map(({ name }) => name),
      featured: event.featured,
      date: event.date,
    }))
    .toSorted((one, other) => (one.slug < other.slug ? -1 : 1));

describe.each(SITES)('on %s', (site) => {
  test('an edit that a person makes between plan and write stays, and the rest of the run goes on', async () => {
    publish(base());
    const app = await open(site);
    await app.sync('town');
    const { id } = (await app.events()).find(({ title }) => title === 'Event number 3')!;
    publish(
      base().map((event, index) => ([3, 4].includes(index) ? { ...event, title: `Another title ${index}` } : event)),
    );
    const started = await startRun(app.context, app.setup('town'), 'command', true);
    await app.site.write([
      {
        method: 'POST',
        path: `/events/${id}`,
        body: { ...wholeBody((await app.site.read('events', { id }))!, {}), title: 'By hand' },
      },
    ]);
    expect(await carryOn(app.context, app.setup('town'), started, () => undefined)).toMatchObject({
      updated: 1,
      writes: 1,
      problems: [{ code: 'changed-since-planned', message: expect.stringContaining('(title)') as string }],
    });
    expect(await app.sync('town')).toMatchObject({ conflicts: 1, writes: 0 });
    expect(
      (await app.events())
        .map(({ title }) => title)
        .filter((title) => !title.startsWith('Event'))
        .sort(),
    ).toEqual(['Another title 4', 'By hand']);
  });
  test.each([
    {
      name: 'that is to be changed',
      missing: 'trash',
      feed: () => base().map((event, index) => (index === 3 ? { ...event, title: 'Another title' } : event)),
    },
    { name: 'that is to be withdrawn', missing: 'draft', feed: () => base().filter((_, index) => index !== 3) },
    {
      name: 'that is to be marked as cancelled',
      missing: 'cancel',
      feed: () => base().filter((_, index) => index !== 3),
    },
  ])(
    'an event $name and that a person trashes between plan and write stays in the trash',
    async ({ missing, feed }) => {
      publish(base());
      const app = await open(site, missing);
      await app.sync('town');
      const { id, slug } = (await app.events()).find(({ title }) => title === 'Event number 3')!;
      publish(feed());
      const started = await startRun(app.context, app.setup('town'), 'command', false);
      await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
      expect(await carryOn(app.context, app.setup('town'), started, () => undefined)).toMatchObject({
        updated: 0,
        removed: 0,
        problems: [{ code: 'event-removed', where: { slug } }],
      });
      expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
      expect((await app.events()).map((event) => event.slug)).not.toContain(slug);
    },
  );

  test('a first run creates everything, and no later one writes anything', async () => {
    publish(base(60));
    const app = await open(site);
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 60, problems: [] });
    const before = await seen(app);
    expect(before).toHaveLength(60);
    for (const full of [false, true])
      expect(await app.sync('town', full)).toMatchObject({ state: 'unchanged', writes: 0, unchanged: 60 });
    expect(await seen(app)).toEqual(before);
  });

  test('a change in the feed changes only that field, and the rest of the event stays', async () => {
    publish(base());
    const app = await open(site);
    await app.sync('town');
    const before = await seen(app);
    const target = before.find(({ title }) => title === 'Event number 3')!;
    // A person has edited fields that the feed does not have and that real sites reset.
    const { id } = (await app.events()).find(({ slug }) => slug === target.slug)!;
    if (site === 'a real site') real.person.edit(target.slug, { featured: true, cost: '25 zł', show_map: true });
    else
      await app.site.write([
        { method: 'POST', path: `/events/${id}`, body: { featured: true, cost: '25 zł', show_map: true } },
      ]);
    const edited = (await seen(app)).find(({ slug }) => slug === target.slug)!;
    syncing.clock.now = START + 86_400_000;
    publish(base().map((event, index) => (index === 3 ? { ...event, title: 'Another title' } : event)));
    expect(await app.sync('town')).toMatchObject({
      state: 'done',
      updated: 1,
      created: 0,
      removed: 0,
      writes: 1,
      problems: [],
    });
    expect(await seen(app)).toEqual(
      before.map((event) => (event.slug === target.slug ? { ...edited, title: 'Another title' } : event)),
    );
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
  });

  test('an event that a person turned into a draft stays a draft when the feed changes', async () => {
    publish(base());
    const app = await open(site);
    await app.sync('town');
    const { id, slug } = (await app.events()).find(({ title }) => title === 'Event number 5')!;
    if (site === 'a real site') real.person.edit(slug, { status: 'draft', date: null });
    else await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { status: 'draft' } }]);
    publish(base().map((event, index) => (index === 5 ? { ...event, start: '20270501T100000' } : event)));
    expect(await app.sync('town')).toMatchObject({ updated: 1, problems: [] });
    expect((await app.events()).find((event) => event.id === id)).toMatchObject({
      status: 'draft',
      start_date: '2027-05-01 10:00:00',
      venue: { venue: 'Town Hall, Main Street 1' },
    });
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test('an event that leaves the feed goes to the trash, and comes back complete, at the same address', async () => {
    publish(base());
    const app = await open(site);
    await app.sync('town');
    const before = await seen(app);
    publish(base().filter((_, index) => index !== 4));
    expect(await app.sync('town')).toMatchObject({ removed: 1, problems: [] });
    expect(await seen(app)).toEqual(before.filter(({ title }) => title !== 'Event number 4'));
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
    publish(base());
    expect(await app.sync('town')).toMatchObject({ created: 0, updated: 1, problems: [] });
    expect(await seen(app)).toEqual(before);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test('an event that a person removed stays removed, and an edit stays', async () => {
    publish(base());
    const app = await open(site);
    await app.sync('town');
    const [first, second] = await app.events();
    await app.site.write([{ method: 'DELETE', path: `/events/${first!.id}` }]);
    if (site === 'a real site') real.person.edit(second!.slug, { title: 'By hand' });
    else await app.site.write([{ method: 'POST', path: `/events/${second!.id}`, body: { title: 'By hand' } }]);
    publish(base().map((event) => ({ ...event, lines: [...LINES.slice(0, -1), 'DESCRIPTION:Another one'] })));
    expect(await app.sync('town')).toMatchObject({
      updated: 11,
      created: 0,
      removed: 0,
      skipped: 1,
      conflicts: 0,
      problems: [],
    });
    const after = await app.events();
    expect(after).toHaveLength(11);
    expect(after.find(({ id }) => id === second!.id)!.title).toBe('By hand');
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, skipped: 1 });
  });

  test.each([0, 1, 2, 3, 4])(
    'a run that is cut off after %i batches ends like an uninterrupted one',
    async (batches) => {
      publish(base(30));
      const first = await open(site);
      const started = await startRun(first.context, first.setup('town'), 'command', false);
      const { run } = started as { run: string };
      const steps = [
        ['terms', 0],
        ['venues', 0],
        ['events', 0],
        ['events', 1],
      ] as const;
      for (const [stage, number] of steps.slice(0, batches)) {
        const progress = await writeBatches(first.context, first.setup('town'), { run, stage, numbers: [number] });
        expect(progress.get(number)).toMatchObject({ open: 0 });
      }
      // The process ends here; the database does not know the outcome of its last batch.
      if (batches > 0)
        await first.state.database.pool.query(
          `update calsync.batches set outcomes = null, tally = tally || '{"open": 1}' where run = $1 and stage = $2 and number = $3`,
          [run, ...steps[batches - 1]!],
        );
      await first.close();
      const second = await open(site);
      for (const { setup } of await takeOverRuns(second.context))
        expect(await carryOn(second.context, setup, { kind: 'writing', run }, () => undefined)).toMatchObject({
          state: 'done',
          created: 30,
          problems: [],
        });
      expect(await seen(second)).toHaveLength(30);
      expect(await second.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
    },
  );

  test('undo restores the site as it was', async () => {
    publish(base());
    const app = await open(site);
    await app.sync('town');
    const before = await seen(app);
    publish([
      ...base()
        .map((event, index): FeedEvent =>
          index === 1
            ? {
                ...event,
                title: 'Another title',
                start: '20270402T100000',
                lines: [...LINES, 'LOCATION:Park'].slice(1),
              }
            : event,
        )
        .filter((_, index) => index !== 2),
      { uid: 'new', title: 'New one' },
    ]);
    const { run, created, updated, removed } = await app.sync('town');
    expect([created, updated, removed]).toEqual([1, 1, 1]);
    expect(
      await carryOn(
        app.context,
        app.setup('town'),
        await startUndo(app.context, app.setup('town'), run, undefined, BY_TESTER),
        () => undefined,
      ),
    ).toMatchObject({ state: 'done', problems: [] });
    expect(await seen(app)).toEqual(before);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
    expect(await seen(app)).toEqual(before);
  });
});

describe('on a real site', () => {
  test('a change that the site cannot express is reported once and not tried again', async () => {
    publish(base());
    const app = await open('a real site');
    await app.sync('town');
    publish(base().map((event, index) => (index === 3 ? { ...event, lines: LINES.slice(1, -1) } : event)));
    const report = await app.sync('town');
    expect(report).toMatchObject({
      updated: 0,
      writes: 0,
      problems: [{ code: 'site-cannot-express', message: expect.stringContaining('description and venue') as string }],
    });
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test('a category that the site refuses to create is reported by its name', async () => {
    publish(base());
    const app = await open('a real site');
    real.fail(
      { kind: 'page', status: 403 },
      { when: (method, where) => method === 'POST' && where.endsWith('/categories') },
    );
    const { problems } = await app.sync('town');
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^create of category "Music": The site refused \(403\)/),
    ]);
    expect(await app.events()).toHaveLength(12);
  });

  test('a lost answer leads to no duplicate', async () => {
    publish(base());
    const app = await open('a real site');
    real.fail(
      { kind: 'lost' },
      { when: (method, where) => method === 'POST' && where.endsWith('/events'), times: 2, after: 3 },
    );
    await app.sync('town');
    real.heal();
    await app.sync('town', true);
    expect(await seen(app)).toHaveLength(12);
    expect((await seen(app)).filter(({ slug }) => /-\d$/.test(slug))).toEqual([]);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test('a duplicate of an event that no list shows is deleted again, which counts as writes, and is not created once more', async () => {
    publish(base(4));
    const app = await open('a real site');
    await app.sync('town');
    const [{ slug }] = (await seen(app)) as [Seen];
    real.person.edit(slug, { hide_from_listings: true });
    await app.context.database.pool.query('truncate calsync.ledger, calsync.sources');
    real.fail({ kind: 'status', status: 500 }, { when: (method) => method === 'DELETE', times: 2 });
    const before = real.requests.length;
    const report = await app.sync('town');
    const writes = real.requests.slice(before).filter((request) => !request.startsWith('GET'));
    expect(writes.map((request) => request.split(' ')[0])).toEqual(['POST', 'DELETE', 'DELETE', 'DELETE']);
    expect(report).toMatchObject({ state: 'done', writes: 4, problems: [] });
    expect((await seen(app)).map((event) => event.slug)).not.toContain(`${slug}-2`);
  });

  test('after the ledger is lost, events are recognised, including one whose create got no answer', async () => {
    publish(base());
    const app = await open('a real site');
    await app.sync('town');
    publish(base(13));
    let isAway = false;
    real.fail({ kind: 'lost' }, { when: (method) => method === 'POST' && (isAway = true) });
    real.fail({ kind: 'status', status: 500 }, { when: () => isAway, times: 100 });
    await carryOn(
      app.context,
      app.setup('town'),
      await startRun(app.context, app.setup('town'), 'command', false),
      () => undefined,
      async () => undefined,
    );
    real.heal();
    await app.context.database.pool.query('truncate calsync.ledger, calsync.sources');
    publish(base(13).map((event, index) => (index === 3 ? { ...event, title: 'Renamed' } : event)));
    expect(await app.sync('town')).toMatchObject({
      state: 'held',
      unchanged: 13,
      conflicts: 1,
      problems: [
        {
          message: expect.stringContaining(
            '1 of its events on the site differs from the feed, such as "Renamed"',
          ) as string,
        },
      ],
    });
    expect(await seen(app)).toHaveLength(13);
  });

  test('an event whose create got no answer goes to the trash with its source', async () => {
    publish(base());
    const app = await open('a real site');
    const setup = app.setup('town');
    await app.sync('town');
    publish(base(13));
    let isAway = false;
    real.fail({ kind: 'lost' }, { when: (method) => method === 'POST' && (isAway = true) });
    real.fail({ kind: 'status', status: 500 }, { when: () => isAway, times: 100 });
    expect(
      await carryOn(
        app.context,
        setup,
        await startRun(app.context, setup, 'command', false),
        () => undefined,
        async () => undefined,
      ),
    ).toMatchObject({ state: 'failed' });
    real.heal();
    expect(await seen(app)).toHaveLength(13);
    expect(await carryOn(app.context, setup, await startTrashing(app.context, setup), () => undefined)).toMatchObject({
      state: 'done',
      removed: 13,
    });
    expect(await seen(app)).toEqual([]);
  });

  const renamed = (): FeedEvent[] =>
    base().map((event, index) =>
      index === 1 ? { ...event, title: 'Another title', start: '20270402T100000' } : event,
    );
  const withNew = (): FeedEvent[] => [...base(), { uid: 'new', title: 'New one', lines: LINES }];
  const withoutOne = (): FeedEvent[] => base().filter((_, index) => index !== 1);
  test.each([
    ['an update', 0, renamed],
    ['an update', 1, renamed],
    ['a new event', 0, withNew],
    ['a new event', 1, withNew],
    ['a removal', 0, withoutOne],
    ['a removal', 1, withoutOne],
  ] as const)('%s without an answer is undone with its run, after %i later runs', async (_, runs, changes) => {
    publish(base());
    const app = await open('a real site');
    const setup = app.setup('town');
    const back = async (run: string): Promise<Report> =>
      (await carryOn(
        app.context,
        setup,
        await startUndo(app.context, setup, run, undefined, BY_TESTER),
        () => undefined,
      ))!;
    await app.sync('town');
    const before = await seen(app);
    publish(changes());
    let isAway = false;
    real.fail({ kind: 'lost' }, { when: (method) => method !== 'GET' && (isAway = true) });
    real.fail({ kind: 'status', status: 500 }, { when: () => isAway, times: 1000 });
    const report = (await carryOn(
      app.context,
      setup,
      await startRun(app.context, setup, 'command', false),
      () => undefined,
      async () => undefined,
    ))!;
    expect(report).toMatchObject({ state: 'failed', created: 0, updated: 0, removed: 0 });
    real.heal();
    const after = await seen(app);
    expect(after).not.toEqual(before);
    for (let run = 0; run < runs; run += 1)
      expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
    const undone = await back(report.run);
    expect(undone).toMatchObject({ state: 'done', writes: 1, problems: [] });
    expect(await seen(app)).toEqual(before);
    expect(await back(report.run)).toMatchObject({
      state: 'unchanged',
      writes: 0,
      problems: [{ code: 'nothing-to-undo' }],
    });
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0, conflicts: 0, problems: [] });
    expect(await back(undone.run)).toMatchObject({ state: 'done', writes: 1, problems: [] });
    expect(await seen(app)).toEqual(after);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('an id that belongs to somebody else’s event by now is left alone', async () => {
    publish(base());
    const app = await open('a real site');
    await app.sync('town');
    const { id, slug } = (await app.events()).find(({ title }) => title === 'Event number 3')!;
    publish(base().map((event, index) => (index === 3 ? { ...event, title: 'Another title' } : event)));
    const started = await startRun(app.context, app.setup('town'), 'command', false);
    // The write comes a minute after the plan, and in between somebody else's event takes the id.
    syncing.clock.now += 60_000;
    real.person.edit(slug, { slug: 'somebody-elses', title: "Somebody else's" });
    const report = await carryOn(app.context, app.setup('town'), started, () => undefined);
    expect(report).toMatchObject({ updated: 0, problems: [{ code: 'event-not-ours' }] });
    expect((await app.events()).find((event) => event.id === id)).toMatchObject({ title: 'Somebody else&#8217;s' });
  });
});
