import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdoption } from '../../src/run/decisions/adopt-events.ts';
import { approveRun } from '../../src/run/decisions/approve-run.ts';
import { startDetach } from '../../src/run/decisions/detach-event.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import { loadLedger } from '../../src/run/state/ledger.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import type { StartOutcome } from '../../src/run/steps/keep-plan.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { SITES, townOn } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// Without a ledger, only the people who created events know which of them are those of the feed.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const carried = async (app: OpenedApp, started: Promise<StartOutcome>): Promise<Report> =>
  (await carryOn(app.context, app.setup('town'), await started, () => undefined))!;
const adopt = (app: OpenedApp): Promise<Report> => carried(app, startAdoption(app.context, app.setup('town')));
const byId = async (app: OpenedApp): Promise<readonly unknown[]> =>
  (await app.events()).map(({ id, slug, title }) => [id, slug, title]);
const ledger = async (app: OpenedApp) => [
  ...(await loadLedger(app.context.database.query(), app.setup('town').site.key, 'town')).values(),
];
const lose = (app: OpenedApp): Promise<unknown> =>
  app.context.database.pool.query('truncate calsync.ledger, calsync.sources');

describe.each(SITES)('on %s', (site) => {
  /** A person has created events with these titles at the times of the feed's events. */
  async function typed(...titles: readonly string[]): Promise<OpenedApp> {
    const app = await syncing.open(townOn(site, real, feeds));
    for (const [index, title] of titles.entries()) {
      const times = {
        start_date: `2027-03-0${index + 1} 18:00:00`,
        end_date: `2027-03-0${index + 1} 19:00:00`,
        timezone: 'Europe/Warsaw',
      };
      await app.site.write([{ method: 'POST', path: '/events', body: { title, ...times } }]);
    }
    publish(feedEvents(4));
    return app;
  }

  test('a first sync is held if people have created some of its events already, and runs once those are adopted', async () => {
    const app = await typed('Event number 0', 'event NUMBER 1!');
    const before = await byId(app);
    expect(await app.sync('town')).toMatchObject({
      state: 'held',
      problems: [
        {
          code: 'held',
          message: expect.stringMatching(
            /^2 of 4 events look like ones that the site already has.* adopt town" takes them over/,
          ) as string,
        },
      ],
    });
    expect(await byId(app)).toEqual(before);
    expect(await adopt(app)).toMatchObject({ state: 'unchanged', unchanged: 2 });
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 2, unchanged: 2 });
    expect((await byId(app)).slice(0, 2)).toEqual(before);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
  });

  test('after an adoption is undone, the events belong to the people who made them, and are not duplicated', async () => {
    const app = await typed('Event number 0', 'Event number 1');
    const before = await byId(app);
    publish(
      feedEvents(4).map((event, index) => (index === 0 ? { ...event, lines: ['URL:https://said.example/'] } : event)),
    );
    const { run } = await adopt(app);
    await app.sync('town');
    const undone = await carried(app, startUndo(app.context, app.setup('town'), run, undefined));
    expect(undone).toMatchObject({
      state: 'done',
      problems: [
        {
          code: 'own-again',
          message: expect.stringMatching(/detach event-number-0 --off" gives the first one to it\.$/) as string,
        },
      ],
    });
    const states = async () => (await ledger(app)).map(({ state }) => state).toSorted();
    expect(await states()).toEqual(['detached', 'detached', 'kept', 'kept']);
    // The source neither changes nor removes them, nor creates them again.
    publish(feedEvents(4).map((event) => ({ ...event, title: `${event.title} again` })));
    await app.sync('town', true);
    publish(feedEvents(4).slice(2));
    for (let reading = 0; reading < 4; reading += 1) await app.sync('town', true);
    expect((await byId(app)).slice(0, 2)).toEqual(before);
    expect(await app.events()).toHaveLength(4);
    expect(await states()).toEqual(['detached', 'detached', 'kept', 'kept']);
    expect(await carried(app, startUndo(app.context, app.setup('town'), run, undefined))).toMatchObject({
      writes: 0,
      problems: [expect.anything()],
    });
  });

  test('events whose adoption was undone by mistake can be adopted again, but not those that a person detached', async () => {
    const app = await typed('Event number 0', 'Event number 1', 'Event number 2');
    publish(feedEvents(4).map((event) => ({ ...event, lines: ['URL:https://said.example/'] })));
    const { run } = await adopt(app);
    await app.sync('town');
    const before = await byId(app);
    const slugs = (await ledger(app)).map(({ slug }) => slug).toSorted();
    const [, own = ''] = slugs;
    await carried(app, startDetach(app.context, app.setup('town'), own));
    await carried(app, startUndo(app.context, app.setup('town'), run, undefined));
    const websites = async (): Promise<unknown> => (await app.events()).map(({ website }) => website);
    const said = 'https://said.example/';
    expect(await websites()).toEqual(['', said, '', said]);
    const again = await adopt(app);
    expect(again).toMatchObject({ state: 'done', updated: 2, created: 0, problems: [] });
    expect(await websites()).toEqual([said, said, said, said]);
    expect((await ledger(app)).filter(({ state }) => state === 'detached').map(({ slug }) => slug)).toEqual([own]);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, problems: [] });
    expect(await byId(app)).toEqual(before);
    // The second adoption can be undone as well, and so can that undo.
    const undo = async (of: string): Promise<Report> =>
      carried(app, startUndo(app.context, app.setup('town'), of, undefined));
    const back = await undo(again.run);
    expect(await websites()).toEqual(['', said, '', said]);
    expect(await undo(back.run)).toMatchObject({ updated: 2, problems: [] });
    expect(await websites()).toEqual([said, said, said, said]);
    expect((await ledger(app)).filter(({ state }) => state === 'detached').map(({ slug }) => slug)).toEqual([own]);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, problems: [] });
  });

  test('an adoption that wrote nothing can be undone for a single event', async () => {
    const app = await typed('Event number 0', 'Event number 1');
    const { run } = await adopt(app);
    const { slug } = (await app.events())[0]!;
    const undone = await carried(app, startUndo(app.context, app.setup('town'), run, slug));
    expect(undone).toMatchObject({ writes: 0, problems: [{ code: 'own-again', where: { slug } }] });
    const detached = async () =>
      (await ledger(app)).flatMap(({ slug: each, state }) => (state === 'detached' ? [each] : []));
    expect(await detached()).toEqual([slug]);
    expect(await carried(app, startUndo(app.context, app.setup('town'), undone.run, undefined))).toMatchObject({
      writes: 0,
      unchanged: 1,
      problems: [],
    });
    expect(await detached()).toEqual([]);
    await carried(app, startUndo(app.context, app.setup('town'), run, slug));
    expect(await detached()).toEqual([slug]);
    expect(await adopt(app)).toMatchObject({ writes: 0, unchanged: 1, problems: [] });
    expect(await detached()).toEqual([]);
  });

  test('approving the held run creates the event a second time, and later runs are not held', async () => {
    const app = await typed('Event number 0');
    const { run } = await app.sync('town');
    expect(await carried(app, approveRun(app.context, app.setup('town'), run, BY_TESTER))).toMatchObject({
      state: 'done',
      created: 4,
    });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
    expect(await app.events()).toHaveLength(5);
  });

  test('a first sync is not held for events that merely resemble those of the feed', async () => {
    const app = await typed('Another event', 'Event number 0');
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 4 });
    expect(await byId(app)).toHaveLength(6);
    await lose(app);
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 4, problems: [] });
  });

  test('adopted events have a run held when the ledger is lost, and adopting again finds all events', async () => {
    const app = await typed('Event number 0', 'Event number 1');
    await adopt(app);
    await app.sync('town');
    const before = await byId(app);
    await lose(app);
    expect(await app.sync('town')).toMatchObject({ state: 'held', unchanged: 2 });
    // An event that the feed has renamed is known by its key only, so a person has to decide about its title.
    publish(feedEvents(4).map((event, index) => (index === 3 ? { ...event, title: 'Renamed' } : event)));
    expect(await adopt(app)).toMatchObject({ state: 'unchanged', unchanged: 2, conflicts: 1 });
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 4, problems: [] });
    expect((await byId(app)).map((event) => (event as unknown[]).slice(0, 2))).toEqual(
      before.map((event) => (event as unknown[]).slice(0, 2)),
    );
  });
});
