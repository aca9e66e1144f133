import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approveRun, rejectRun } from '../../src/run/decisions/approve-run.ts';
import { loadRun } from '../../src/run/state/records.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { SITES, townOn, type Site } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// Every guard, from the feed to the site: why a run is held, with numbers, and what happens to it then.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const open = (site: Site): Promise<OpenedApp> => syncing.open(townOn(site, real, feeds));
const publish = (text: string): void => feeds.on('/town.ics', body(text));
const ten = feedEvents(10);
const each = (change: (event: FeedEvent, index: number) => Partial<FeedEvent>, count = 10): string =>
  calendarText(ten.map((event, index) => (index < count ? { ...event, ...change(event, index) } : event)));
const later = ({ start = '' }: FeedEvent): Partial<FeedEvent> => ({ start: start.replace('T18', 'T19') });

/** `hand`: what a person meanwhile changes in an event that the plan is about; `lose`: the site loses events. */
interface Case {
  readonly name: string;
  readonly feed: string;
  readonly why: string;
  readonly counts: Partial<Report>;
  readonly hand?: Readonly<Record<string, unknown>>;
  readonly lose?: true;
}
const WHEN = { start_date: '2027-03-02 18:00:00', end_date: '2027-03-02 19:00:00', timezone: 'Europe/Warsaw' };
const CASES: readonly Case[] = [
  {
    name: 'mass removal',
    feed: calendarText(ten.filter((_, index) => index % 9 === 0)),
    counts: { removed: 8 },
    hand: { title: 'By hand' },
    why: 'This would remove 8 of 10 upcoming events (80 %); more than 3 and more than 20 % at once wait for a person.',
  },
  {
    name: 'mass shift by one offset',
    feed: each(later, 7),
    counts: { updated: 7 },
    hand: { start_date: '2027-03-02 17:00:00' },
    why: 'This would move 7 of 10 upcoming events by one and the same offset: 1 hour later.',
  },
  {
    name: 'another time zone on most events',
    feed: each(() => ({})).replaceAll('Europe/Warsaw', 'Europe/London'),
    counts: { updated: 10 },
    hand: { timezone: 'Europe/Paris' },
    why: 'This would change the time zone of 10 of 10 upcoming events from Europe/Warsaw to Europe/London.',
  },
  {
    name: 'another title on most events',
    feed: each((_, index) => ({ title: `Busy ${index}` }), 6),
    counts: { updated: 6 },
    hand: { title: 'By hand' },
    why: 'This would give 6 of 10 upcoming events another title, such as "Busy 0" instead of "Event number 0".',
  },
  {
    name: 'a flood of new events',
    feed: calendarText([
      ...ten,
      ...Array.from({ length: 101 }, (_, index) => ({ uid: `flood-${index}`, title: `Flood ${index}` })),
    ]),
    counts: { created: 101 },
    why: 'This would create 101 new events at once, beside the 10 upcoming ones of this source; more than 100 and more than 3 times as many wait for a person.',
  },
  {
    name: 'an empty calendar',
    feed: calendarText([]),
    counts: { removed: 10 },
    hand: { title: 'By hand' },
    why:
      'The feed is a calendar without any event, and 10 events of it on the site are still to come. ' +
      'Approve only if the source really has no events any more.',
  },
  {
    name: 'a site that has lost events',
    feed: calendarText(ten),
    lose: true,
    counts: { created: 6 },
    why: 'Site lost or restored: 6 of 10 upcoming events that were written before are not found on the site any more. Approving creates them again.',
  },
];

/** Six events vanish from the site as if they had never been there, and their ids are free again. */
async function loseSix(app: OpenedApp, site: Site): Promise<void> {
  const lost = (await app.events()).filter(({ title }) => /[0-5]$/.test(title));
  if (site === 'a real site') for (const { slug } of lost) real.person.erase(slug);
  else await app.context.database.pool.query('delete from site.events where id = any($1)', [lost.map(({ id }) => id)]);
}

const seen = async (app: OpenedApp): Promise<readonly string[]> =>
  (await app.events())
    .map(({ id, title, slug, utc_start_date: start, timezone }) => [id, slug, title, start, timezone].join())
    .toSorted();
const stateOf = async (app: OpenedApp, run: string): Promise<string | undefined> =>
  (await loadRun(app.state.database.query(), run))?.state;
const approve = async (app: OpenedApp, run: string): Promise<Report> =>
  (await carryOn(
    app.context,
    app.setup('town'),
    await approveRun(app.context, app.setup('town'), run, BY_TESTER),
    () => undefined,
  ))!;

async function heldBy(app: OpenedApp, site: Site, { feed, lose }: Case): Promise<Report> {
  publish(calendarText(ten));
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 10 });
  if (lose) await loseSix(app, site);
  publish(feed);
  return app.sync('town', lose);
}

describe.each(SITES)('on %s', (site) => {
  test.each(CASES)('$name: nothing is written before approval, and then exactly what was shown', async (guard) => {
    const app = await open(site);
    const held = await heldBy(app, site, guard);
    const there = await seen(app);
    expect(held).toMatchObject({
      state: 'held',
      created: 0,
      updated: 0,
      removed: 0,
      ...guard.counts,
      planned: true,
      writes: 0,
      problems: [{ code: 'held', message: guard.why }],
    });
    expect(there).toHaveLength(guard.lose ? 4 : 10);
    // The same feed is held again, and nothing is written.
    const again = await app.sync('town', guard.lose);
    expect(again).toMatchObject({ state: 'held', writes: 0, problems: [{ message: guard.why }] });
    expect([await stateOf(app, held.run), await stateOf(app, again.run)]).toEqual(['superseded', 'held']);
    expect(await seen(app)).toEqual(there);
    expect(await approve(app, again.run)).toMatchObject({
      state: 'done',
      created: 0,
      updated: 0,
      removed: 0,
      problems: [],
      ...guard.counts,
    });
    const after = await seen(app);
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0, conflicts: 0 });
    expect(await seen(app)).toEqual(after);
  });

  const decided = CASES.filter(({ hand }) => hand !== undefined);

  test.each(decided)('$name: an event that a person has changed since is left alone and named', async (guard) => {
    const app = await open(site);
    const { run } = await heldBy(app, site, guard);
    const { slug, id } = (await app.events()).find(({ title }) => title === 'Event number 1')!;
    const [answer] = await app.site.write([
      { method: 'POST', path: `/events/${id}`, body: { ...WHEN, status: 'publish', ...guard.hand } },
    ]);
    expect(answer).toMatchObject({ status: 200 });
    const { updated = 0, removed = 0 } = guard.counts;
    const report = await approve(app, run);
    expect(report).toMatchObject({
      state: 'done',
      updated: Math.max(0, updated - 1),
      removed: Math.max(0, removed - 1),
      problems: [{ code: 'changed-since-shown', where: { slug } }],
    });
    expect((await app.events()).find((event) => event.id === id)).toMatchObject({ ...WHEN, ...guard.hand });
  });

  test.each(decided)(
    '$name: a rejected plan cannot be written, and the former feed supersedes a held one',
    async (guard) => {
      const app = await open(site);
      const { run: rejected } = await heldBy(app, site, guard);
      const there = await seen(app);
      await rejectRun(app.context, rejected, BY_TESTER);
      await expect(approve(app, rejected)).rejects.toMatchObject({ code: 'run-not-held' });
      const { run: superseded } = await app.sync('town');
      publish(calendarText(ten));
      expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0 });
      expect([await stateOf(app, rejected), await stateOf(app, superseded)]).toEqual(['rejected', 'superseded']);
      expect(await seen(app)).toEqual(there);
    },
  );
  test('a site that has lost all events of a small source: approving the held run creates them again', async () => {
    const three = ten.slice(0, 3);
    publish(calendarText(three));
    const app = await open(site);
    await app.sync('town');
    await loseSix(app, site);
    publish(calendarText(three.map((event) => ({ ...event, title: `${event.title} now` }))));
    const held = await app.sync('town');
    expect(held).toMatchObject({
      state: 'held',
      writes: 0,
      problems: [
        { code: 'held', message: expect.stringContaining('Site lost or restored: 3 of 3 upcoming events') as string },
      ],
    });
    expect(await approve(app, held.run)).toMatchObject({ state: 'done', created: 3, problems: [] });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
    expect((await app.events()).map(({ title }) => title)).toEqual(three.map(({ title }) => `${title} now`));
    // Events that a person then moves to the trash stay there.
    for (const { id } of await app.events()) await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', skipped: 3, problems: [] });
  });
  test('a table without ids in which every title has changed: the run is held, and nothing is duplicated', async () => {
    const rows = (word: string): string =>
      `title,start_date,end_date\n${ten.map((_, index) => `${word} ${index},2027-03-${10 + index} 18:00,2027-03-${10 + index} 19:00\n`).join('')}`;
    feeds.on('/town.ics', body(rows('Concert')));
    const app = await syncing.open(townOn(site, real, feeds).replace('after: 1', 'after: 2'));
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 10 });
    feeds.on('/town.ics', body(rows('Busy')));
    // Good fetches without the events count even while the run is held: after the second one, they are due for removal.
    for (const words of [
      '10 of 10 upcoming events are gone from the feed',
      'This would remove 10 of 10 upcoming events',
      'This would remove 10 of 10 upcoming events',
    ]) {
      expect(await app.sync('town')).toMatchObject({
        state: 'held',
        writes: 0,
        problems: [{ code: 'held', message: expect.stringContaining(words) as string }],
      });
    }
    expect(await app.events()).toHaveLength(10);
    feeds.on('/town.ics', body(rows('Concert')));
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0 });
  });
});

// Without one in the middle, because a feed may simply not reach as far as an event after its last one.
const nine = ten.filter((_, index) => index !== 7);
const retitled = (events: readonly FeedEvent[]): string =>
  calendarText(events.map((event, index) => (index < 6 ? { ...event, title: `Busy ${index}` } : event)));

// A person may take days to look at a held run, and all that time the feed can be read.
describe('while a run is held', () => {
  const openPatient = (): Promise<OpenedApp> =>
    syncing.open(townOn('the built-in site', real, feeds).replace('after: 1', 'after: 3'));

  test('each good fetch without an event counts, whatever the reason for holding', async () => {
    publish(calendarText(ten));
    const app = await openPatient();
    await app.sync('town');
    publish(retitled(nine));
    for (const removed of [0, 0, 1])
      expect(await app.sync('town')).toMatchObject({
        state: 'held',
        planned: true,
        updated: 6,
        removed,
        problems: [{ message: expect.stringContaining('another title') as string }],
      });
    publish(calendarText(nine));
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 0, removed: 1 });
    expect(await app.events()).toHaveLength(9);
  });

  test('an event that is back in the feed starts to count from zero', async () => {
    publish(calendarText(ten));
    const app = await openPatient();
    await app.sync('town');
    for (const events of [nine, nine, ten]) {
      publish(retitled(events));
      expect(await app.sync('town')).toMatchObject({ state: 'held', removed: 0 });
    }
    publish(calendarText(nine));
    for (const removed of [0, 0, 1]) expect(await app.sync('town')).toMatchObject({ removed });
  });

  test('approving the run does not count its fetch a second time', async () => {
    publish(calendarText(ten));
    const app = await openPatient();
    await app.sync('town');
    publish(retitled(nine));
    await app.sync('town');
    const { run } = await app.sync('town');
    expect(await approve(app, run)).toMatchObject({ state: 'done', updated: 6, removed: 0 });
    expect(await app.sync('town')).toMatchObject({ removed: 1 });
  });

  test('repeated fetches of a feed whose events were all replaced create nothing', async () => {
    publish(calendarText(ten));
    const app = await openPatient();
    await app.sync('town');
    publish(
      calendarText(
        ten.map((_, index) => ({
          uid: `other-${index}`,
          title: `Other thing ${index}`,
          start: `202704${String(index + 10)}T090000`,
        })),
      ),
    );
    for (let round = 0; round < 4; round += 1)
      expect(await app.sync('town')).toMatchObject({ state: 'held', created: 10, writes: 0 });
    expect(await app.events()).toHaveLength(10);
  });
});
