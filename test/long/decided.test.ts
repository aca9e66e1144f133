import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdoption } from '../../src/run/decisions/adopt-events.ts';
import { approveRun, rejectRun } from '../../src/run/decisions/approve-run.ts';
import type { Cause } from '../../src/run/state/causes.ts';
import { beginRun } from '../../src/run/state/lease.ts';
import { loadBody } from '../../src/run/state/feed-state.ts';
import { holdFirstRun } from '../../src/run/state/held.ts';
import { loadRun } from '../../src/run/state/records.ts';
import { startPlanned } from '../../src/run/steps/start-planned.ts';
import { startSettle } from '../../src/run/decisions/settle-event.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { takeOverRuns } from '../../src/run/steps/take-over.ts';
import { explainEvent } from '../../src/run/decisions/explain-event.ts';
import { loadLedger } from '../../src/run/state/ledger.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import { sql } from '../../src/db/database.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { EMPTY_PLAN } from '../../src/sync/decisions/settle.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// Held runs: approved, rejected, superseded, and cut off.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const publish = (events: Parameters<typeof calendarText>[0]): void => feeds.on('/town.ics', body(calendarText(events)));
const open = (): Promise<OpenedApp> =>
  syncing.open(
    'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
      `[127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics", missing: ` +
      '{ after: 1 } }\n',
  );
const toEnd = async (app: OpenedApp, begun: ReturnType<typeof approveRun>): Promise<Report> =>
  (await carryOn(app.context, app.setup('town'), await begun, () => undefined))!;
const approve = (app: OpenedApp, run: string): Promise<Report> =>
  toEnd(app, approveRun(app.context, app.setup('town'), run, BY_TESTER));
const stateOf = async (app: OpenedApp, run: string): Promise<string | undefined> =>
  (await loadRun(app.state.database.query(), run))?.state;
const renamed = (events: readonly FeedEvent[]): readonly FeedEvent[] =>
  events.map((event, index) => (index === 0 ? { ...event, title: 'Renamed' } : event));
const few = feedEvents(10).filter((_, index) => index % 9 === 0);

/** A source of ten events that loses eight: its run is held. */
async function heldRun(): Promise<{ app: OpenedApp; run: string }> {
  publish(feedEvents(10));
  const app = await open();
  await app.sync('town');
  publish(few);
  const { run, state } = await app.sync('town');
  expect(state).toBe('held');
  return { app, run };
}

describe('a held run that is approved', () => {
  test('writes what it showed, and the next run finds nothing to do', async () => {
    const { app, run } = await heldRun();
    expect(await approve(app, run)).toMatchObject({
      run,
      state: 'done',
      created: 0,
      removed: 8,
      writes: 8,
      problems: [],
    });
    expect(await app.events()).toHaveLength(2);
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0 });
    expect(await stateOf(app, run)).toBe('done');
  });

  test('leaves events alone that have changed since, and names them', async () => {
    const { app, run } = await heldRun();
    const [edited, trashed] = (await app.events()).filter(({ title }) => /[34]$/.test(title));
    await app.site.write([
      { method: 'POST', path: `/events/${edited!.id}`, body: { description: 'Still on!' } },
      { method: 'DELETE', path: `/events/${trashed!.id}` },
    ]);
    const report = await approve(app, run);
    expect(report).toMatchObject({ state: 'done', removed: 6 });
    expect(report.problems.map(({ code, where }) => [code, where.slug])).toEqual([
      ['changed-since-shown', edited!.slug],
      ['changed-since-shown', trashed!.slug],
    ]);
    expect((await app.events()).map(({ title }) => title)).toEqual(['Event number 0', edited!.title, 'Event number 9']);
  });

  test('is written only once', async () => {
    const { app, run } = await heldRun();
    await approve(app, run);
    await expect(approve(app, run)).rejects.toMatchObject({
      code: 'run-not-held',
      message: expect.stringContaining('has been written') as string,
    });
    await expect(approve(app, 'no-such-run')).rejects.toMatchObject({ code: 'run-unknown' });
    // The source is free again.
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged' });
  });

  test('is busy to a second approval until it is written', async () => {
    const { app, run } = await heldRun();
    const started = await approveRun(app.context, app.setup('town'), run, BY_TESTER);
    expect(started).toEqual({ kind: 'writing', run });
    expect(await approveRun(app.context, app.setup('town'), run, BY_TESTER)).toEqual({ kind: 'busy' });
    expect(await carryOn(app.context, app.setup('town'), started, () => undefined)).toMatchObject({
      state: 'done',
      removed: 8,
    });
  });
});

describe('at most one plan of a source is held', () => {
  test('a later plan takes its place', async () => {
    const { app, run } = await heldRun();
    publish(few.slice(1));
    const later = await app.sync('town');
    expect(later.state).toBe('held');
    expect([await stateOf(app, run), await stateOf(app, later.run)]).toEqual(['superseded', 'held']);
    await expect(approve(app, run)).rejects.toMatchObject({
      message: expect.stringContaining(
        `${later.run} has made a new plan. The new plan would remove 9 events, not 8; 1 change is new.`,
      ) as string,
    });
  });

  test.each([
    ['the feed as it was', feedEvents(10)],
    ['a feed that has lost only one event', feedEvents(9)],
  ])('%s supersedes it', async (_, events) => {
    const { app, run } = await heldRun();
    publish(events);
    await app.sync('town');
    expect(await stateOf(app, run)).toBe('superseded');
  });

  test('it keeps waiting while a person decides about one event, which approval then leaves out', async () => {
    const { app, run } = await heldRun();
    const [, settled] = await app.events();
    await toEnd(app, startSettle(app.context, app.setup('town'), settled!.slug, 'title', 'site'));
    expect(await approve(app, run)).toMatchObject({
      state: 'done',
      removed: 7,
      problems: [{ code: 'changed-since-shown', where: { slug: settled!.slug } }],
    });
  });

  test('it keeps waiting while an earlier run is undone', async () => {
    publish(feedEvents(10));
    const app = await open();
    await app.sync('town');
    publish(renamed(feedEvents(10)));
    const first = await app.sync('town');
    publish(renamed(few));
    const { run } = await app.sync('town');
    expect(await toEnd(app, startUndo(app.context, app.setup('town'), first.run, undefined, BY_TESTER))).toMatchObject({
      state: 'done',
      updated: 1,
    });
    expect(await approve(app, run)).toMatchObject({ state: 'done', removed: 8, problems: [] });
  });

  test('an adoption supersedes it, because it could create adopted events a second time', async () => {
    const { app, run } = await heldRun();
    await toEnd(app, startAdoption(app.context, app.setup('town')));
    expect(await stateOf(app, run)).toBe('superseded');
  });

  test('a rejected plan can no longer be written', async () => {
    const { app, run } = await heldRun();
    await rejectRun(app.context, run, BY_TESTER);
    expect(await stateOf(app, run)).toBe('rejected');
    await expect(approve(app, run)).rejects.toMatchObject({ message: expect.stringContaining('rejected') as string });
    await expect(rejectRun(app.context, run, BY_TESTER)).rejects.toMatchObject({ code: 'run-not-held' });
    expect(await app.events()).toHaveLength(10);
  });
});

test('explain names a rejected change as the reason why an event is not newer, until the feed changes', async () => {
  const { app, run } = await heldRun();
  const site = app.setup('town').site.key;
  const why = async (title: string): Promise<readonly string[]> => {
    const ledger = await loadLedger(app.state.database.query(), site, 'town');
    const entry = [...ledger.values()].find((each) => each.title === title)!;
    return (await explainEvent(app.context, app.setup('town'), entry)).whyNotNewer;
  };
  await rejectRun(app.context, run, BY_TESTER);
  const NEWER = ['It is: the site shows what the last good reading of the feed says.'];
  expect(await why('Event number 4')).toEqual([
    'A change of it (remove: gone from the feed for 1 good fetch) was ' +
      `rejected with the run ${run}. Nothing is written until the feed changes, or somebody asks for a run.`,
  ]);
  expect(await why('Event number 0')).toEqual(NEWER);
  publish(feedEvents(10));
  await app.sync('town');
  expect(await why('Event number 4')).toEqual(NEWER);
});

describe('a process that dies while it plans', () => {
  /** A run that has begun, and whose lease nobody holds any more. */
  async function cutOff(cause: Cause): Promise<OpenedApp> {
    const { app } = await heldRun();
    const lease = { site: app.setup('town').site.key, source: 'town', run: 'cut-off' };
    await beginRun(app.state.database, lease, cause, 0);
    return app;
  }

  test.each<readonly [string, Cause]>([
    ['undo of town-1', { kind: 'undo', of: 'town-1' }],
    ['settle an-event for the feed', { kind: 'settle', of: 'an-event', winner: 'feed' }],
    ['restore an-event', { kind: 'restore', of: 'an-event' }],
    ['adopt', { kind: 'adopt' }],
    ['forget', { kind: 'forget' }],
  ])('leaves nothing of "%s" to carry on', async (words, cause) => {
    const app = await cutOff(cause);
    expect(await takeOverRuns(app.context)).toEqual([]);
    expect((await loadRun(app.state.database.query(), 'cut-off'))?.report).toMatchObject({
      state: 'failed',
      writes: 0,
      problems: [
        {
          code: 'cut-off',
          message: expect.stringContaining(
            `(${words}) was interrupted before it had planned: nothing was written. Run the command again.`,
          ) as string,
        },
      ],
    });
    expect(await app.sync('town')).toMatchObject({ state: 'held' });
  });

  test.each(['schedule', 'start', 'command'] as const)(
    'leaves a sync (%s) to the next process that looks',
    async (kind) =>
      expect(await takeOverRuns((await cutOff({ kind })).context)).toMatchObject([{ run: { run: 'cut-off' } }]),
  );

  test('that comes back after another process has ended its run writes no plan', async () => {
    const { app, run } = await heldRun();
    const { context } = await open();
    const late = startPlanned(app.context, app.setup('town'), { kind: 'adopt' }, async () => {
      await sql`update calsync.leases set owner = 0`.execute(context.database.query());
      await takeOverRuns(context);
      return EMPTY_PLAN;
    });
    expect(await late).toEqual({ kind: 'busy' });
    expect(await stateOf(app, run)).toBe('held');
  });
});

test('the first plan of a newly added source is held, whatever is in it', async () => {
  publish(feedEvents(3));
  const app = await open();
  await holdFirstRun(app.state.database.query(), app.setup('town').site.key, 'town');
  const first = await app.sync('town');
  expect(first).toMatchObject({ state: 'held', planned: true, created: 3 });
  publish(feedEvents(4));
  const { run, state, problems } = await app.sync('town');
  expect(state).toBe('held');
  expect(problems[0]?.message).toMatch(/first run of a source .*: 4 events would come to the site/);
  expect(await stateOf(app, first.run)).toBe('superseded');
  expect(await app.events()).toEqual([]);
  expect(await approve(app, run)).toMatchObject({ state: 'done', created: 4 });
  const kept = await loadBody(app.state.database.query(), app.setup('town').site.key, 'town');
  expect(kept && Buffer.from(kept).toString()).toBe(calendarText(feedEvents(4)));
  publish(renamed(feedEvents(4)));
  expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1 });
});
