import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { approveRun } from '../../../src/run/decisions/approve-run.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { listEvents } from '../../../src/run/events/list-events.ts';
import { startUndo } from '../../../src/run/decisions/undo-run.ts';
import type { Report } from '../../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';
import { BY_TESTER } from '../../support/by-tester.ts';

// Undoing runs on the built-in site.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const open = (more = ''): Promise<OpenedApp> =>
  syncing.open(
    'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
      `[127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics"${more || ', missing: { after: 1 }'} }\n`,
  );
const undo = async (app: OpenedApp, run: string, slug?: string): Promise<Report> =>
  (await carryOn(
    app.context,
    app.setup('town'),
    await startUndo(app.context, app.setup('town'), run, slug, BY_TESTER),
    () => undefined,
  ))!;

const LINES = ['LOCATION:Town Hall', 'CATEGORIES:Music', 'DESCRIPTION:As it was'];
const base = (): FeedEvent[] => feedEvents(20).map((event) => ({ ...event, lines: LINES }));
/** One renamed and moved with another place, one gone, one new. */
const changed = (): FeedEvent[] => [
  ...base()
    .map((event, index): FeedEvent =>
      index === 1
        ? { ...event, title: 'Another title', start: '20270402T100000', lines: ['LOCATION:Park', 'CATEGORIES:Walks'] }
        : event,
    )
    .filter((_, index) => index !== 2),
  { uid: 'new', title: 'New one', start: '20270401T120000' },
];
interface Seen {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly [field: string]: unknown;
}
/** What a visitor sees of the events. */
const seen = async (app: OpenedApp): Promise<readonly Seen[]> =>
  (await app.events())
    .map(({ id, slug, title, start_date: start, end_date: end, description, venue, categories, status }) => ({
      id,
      slug,
      title,
      start,
      end,
      description,
      status,
      venue: [venue].flat().map((each) => each.venue),
      categories: categories.map(({ name }) => name),
    }))
    .toSorted((one, other) => one.id - other.id);

const withoutId = (events: readonly Seen[]): Seen[] =>
  events.map((event) => ({ ...event, id: 0 })).toSorted((one, other) => (one.slug < other.slug ? -1 : 1));

async function twoRuns(more = ''): Promise<{ app: OpenedApp; before: readonly Seen[]; run: string }> {
  publish(base());
  const app = await open(more);
  await app.sync('town');
  const before = await seen(app);
  publish(changed());
  const report = await app.sync('town');
  expect(report).toMatchObject({ state: 'done', created: 1, updated: 1, removed: 1, problems: [] });
  return { app, before, run: report.run };
}

describe('undo', () => {
  test('restores the site as it was, and the next run leaves it so', async () => {
    const { app, before, run } = await twoRuns();
    const back = await undo(app, run);
    expect(back).toMatchObject({ state: 'done', created: 0, updated: 2, removed: 1, problems: [] });
    expect(await seen(app)).toEqual(before);
    // The console lists the events under the titles that visitors see.
    const { events } = await listEvents(app.context.database.query(), {}, { offset: 0, limit: 100 });
    expect(events.map(({ title }) => title).toSorted()).toEqual(before.map(({ title }) => title).toSorted());
    expect(await undo(app, run)).toMatchObject({
      state: 'unchanged',
      writes: 0,
      skipped: 0,
      problems: [
        {
          code: 'nothing-to-undo',
          message: expect.stringMatching(
            `^The run ${run} was taken back already: by tester, [-0-9]{10} [:0-9]{5} Europe/Warsaw, in the run ${back.run}[.]$`,
          ),
        },
      ],
    });
    for (const full of [false, true])
      expect(await app.sync('town', full)).toMatchObject({ removed: 0, created: 0, updated: 0, writes: 0 });
    expect(await seen(app)).toEqual(before);
  });

  test('can be undone', async () => {
    const { app, before, run } = await twoRuns();
    const after = await seen(app);
    const first = await undo(app, run);
    const second = await undo(app, first.run);
    expect(second).toMatchObject({ state: 'done', problems: [] });
    expect(await seen(app)).toEqual(after);
    await undo(app, second.run);
    expect(await seen(app)).toEqual(before);
    await app.sync('town', true);
    expect(await seen(app)).toEqual(before);
  });

  test('does not last with "authority: feed", which the undo and the next run both say', async () => {
    const { app, run } = await twoRuns(', missing: { after: 1 }, authority: feed');
    expect((await undo(app, run)).problems).toMatchObject([
      {
        code: 'feed-decides',
        message: expect.stringMatching(
          /^The feed decides about title, start_date.* the next run that compares them writes/,
        ) as string,
      },
    ]);
    const again = await app.sync('town');
    expect(again).toMatchObject({
      updated: 1,
      problems: [
        {
          code: 'edits-overwritten',
          message: expect.stringMatching(
            new RegExp(
              String.raw`^One event was changed on the site, or undone, where the feed decides \(authority: feed\), ` +
                String.raw`and gets the feed's values again: "Another title" \(.*title.*\)`,
            ),
          ) as string,
        },
      ],
    });
    expect((await seen(app)).map(({ title }) => title)).toContain('Another title');
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', problems: [] });
  });

  test('of an undo lets the feed change the events again', async () => {
    const { app, run } = await twoRuns();
    await undo(app, (await undo(app, run)).run);
    const after = await seen(app);
    expect(await app.sync('town')).toMatchObject({ writes: 0 });
    publish(changed().map((event) => (event.title === 'Another title' ? { ...event, title: 'A third title' } : event)));
    expect(await app.sync('town')).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await seen(app)).toEqual(
      after.map((event) => (event.title === 'Another title' ? { ...event, title: 'A third title' } : event)),
    );
  });

  test('leaves what a person has changed since', async () => {
    const { app, run } = await twoRuns();
    const events = await app.events();
    const [renamed, made] = [
      events.find(({ title }) => title === 'Another title')!,
      events.find(({ title }) => title === 'New one')!,
    ];
    expect(renamed.start_date).toBe('2027-04-02 10:00:00');
    await app.site.write([
      { method: 'POST', path: `/events/${renamed.id}`, body: { title: 'By hand' } },
      { method: 'POST', path: `/events/${made.id}`, body: { description: 'By hand' } },
    ]);
    const report = await undo(app, run);
    expect(report.problems.map(({ code, where }) => [code, where.slug]).toSorted()).toEqual(
      [
        ['changed-since', made.slug],
        ['changed-since', renamed.slug],
      ].toSorted(),
    );
    const after = await app.events();
    expect(after.find(({ id }) => id === renamed.id)).toMatchObject({
      title: 'By hand',
      start_date: '2027-03-02 18:00:00',
    });
    expect(after.find(({ id }) => id === made.id)).toMatchObject({
      description: expect.stringContaining('By hand') as string,
    });
  });

  test('of one event leaves the others', async () => {
    const { app, run } = await twoRuns();
    const made = (await app.events()).find(({ title }) => title === 'New one')!;
    const changes = async (): Promise<unknown> =>
      (await sql`select changes, changed_at from calsync.sources`.execute(app.state.database.query())).rows;
    const before = await changes();
    expect(await undo(app, run, made.slug)).toMatchObject({ state: 'done', removed: 1, updated: 0 });
    // How often the feed usually changes is known from its own changes alone.
    expect(await changes()).toEqual(before);
    expect((await app.events()).map(({ title }) => title)).toContain('Another title');
    await expect(undo(app, run, 'no-such-event')).rejects.toMatchObject({ code: 'event-unknown' });
    expect(await app.sync('town')).toMatchObject({ created: 0, writes: 0 });
  });

  test('of a removal creates an event that is gone from the trash again under its slug', async () => {
    const { app, before, run } = await twoRuns();
    await app.state.database.pool.query(`delete from site.events where status = 'trash'`);
    expect(await undo(app, run)).toMatchObject({ state: 'done', created: 1 });
    expect(withoutId(await seen(app))).toEqual(withoutId(before));
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test.each(['draft', 'cancel'])('of a removal with "action: %s" restores the event', async (action) => {
    const { app, before, run } = await twoRuns(`, missing: { after: 1, action: ${action} }`);
    await undo(app, run);
    expect(await seen(app)).toEqual(before);
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test('of a first run is held, and is done once approved', async () => {
    publish(base());
    const app = await open();
    const { run } = await app.sync('town');
    const held = await undo(app, run);
    expect(held).toMatchObject({
      state: 'held',
      planned: true,
      removed: 20,
      problems: [{ message: expect.stringContaining('20 of 20') as string }],
    });
    // A sync in between does not supersede it.
    await app.sync('town');
    const report = await carryOn(
      app.context,
      app.setup('town'),
      await approveRun(app.context, app.setup('town'), held.run, BY_TESTER),
      () => undefined,
    );
    expect(report).toMatchObject({ state: 'done', removed: 20 });
    expect(await app.events()).toEqual([]);
    expect(await app.sync('town')).toMatchObject({ created: 0, writes: 0, skipped: 20 });
  });
});
