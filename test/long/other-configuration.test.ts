import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql, type Sql } from '../../src/db/database.ts';
import { forgetSource, startTrashing } from '../../src/run/decisions/forget-source.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import { beginRun, leaveReading } from '../../src/run/state/lease.ts';
import type { SourceSetup } from '../../src/run/state/context.ts';
import { loadRun, type RunRecord } from '../../src/run/state/records.ts';
import type { StartOutcome } from '../../src/run/steps/keep-plan.ts';
import { resumeRun } from '../../src/run/steps/resume-run.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { formerSource } from '../../src/run/steps/setup-of-run.ts';
import { runsToLeave, takeOverRuns } from '../../src/run/steps/take-over.ts';
import { writeBatches } from '../../src/run/write/write-batch.ts';
import type { Report, Stage } from '../../src/sync/model/plan.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';

// A program with another configuration finds a run that was cut off while writing.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
let yaml: string;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
  feeds.on('/town.ics', body(calendarText(feedEvents(60))));
  yaml = townOn('a real site', real, feeds);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const withOtherSources = (): string => yaml.replace('  town:', '  village:');

/** A run that dies after 25 of its 60 events. */
async function cutOff(): Promise<string> {
  const app = await syncing.open(yaml);
  const started = await startRun(app.context, app.setup('town'), 'command', false);
  const run = started.kind === 'writing' ? started.run : '';
  await writeBatches(app.context, app.setup('town'), { run, stage: 'events', numbers: [0] });
  await app.close();
  return run;
}

const recordOf = (app: OpenedApp, run: string): Promise<RunRecord | undefined> =>
  loadRun(app.state.database.query(), run);

test('the run is left to a program that knows its source, which carries it on', async () => {
  const run = await cutOff();
  const other = await syncing.open(withOtherSources());
  expect(await takeOverRuns(other.context)).toEqual([]);
  expect(await recordOf(other, run)).toMatchObject({ state: 'writing', report: null });
  expect(await runsToLeave(other.context)).toMatchObject([{ run, source: 'town' }]);
  const own = await syncing.open(yaml);
  expect(await runsToLeave(own.context)).toEqual([]);
  for (const { setup } of await takeOverRuns(own.context))
    expect(await carryOn(own.context, setup, { kind: 'writing', run }, () => undefined)).toMatchObject({
      state: 'done',
      created: 60,
      problems: [],
    });
  expect(await runsToLeave(other.context)).toEqual([]);
  expect(real.person.events()).toHaveLength(60);
});

test('a command says that it leaves the run alone', async () => {
  const run = await cutOff();
  const { err } = await commandIn(syncing, withOtherSources(), ['sync', '--json']);
  expect(err).toContain(`The run ${run} of "town" was interrupted, and this configuration does not have that source`);
});

test('trashing and undo for a removed source can be carried on by any program', async () => {
  const before = await syncing.open(yaml);
  await before.sync('town');
  const { site } = before.setup('town');
  await before.close();
  const others = withOtherSources();
  /** Begins a run, which dies after 25 of its 60 events; returns the report of the program that carries it on. */
  const cutOffAndOn = async (
    begin: (app: OpenedApp, former: SourceSetup) => Promise<StartOutcome>,
    stage: Stage,
  ): Promise<Report | undefined> => {
    const app = await syncing.open(others);
    const former = formerSource('town', app.context.siteOf?.(site.key) ?? site);
    const started = await begin(app, former);
    const run = started.kind === 'writing' ? started.run : '';
    await writeBatches(app.context, former, { run, stage, numbers: [0] });
    await app.close();
    const other = await syncing.open(others);
    expect(await runsToLeave(other.context)).toEqual([]);
    const [taken, ...more] = await takeOverRuns(other.context);
    expect([taken?.run.run, more]).toEqual([run, []]);
    return carryOn(other.context, taken!.setup, { kind: 'writing', run }, () => undefined);
  };
  const trashed = await cutOffAndOn((app, former) => startTrashing(app.context, former), 'removals');
  expect(trashed).toMatchObject({ state: 'done', removed: 60, problems: [] });
  expect(real.person.events().filter(({ status }) => status === 'trash')).toHaveLength(60);
  const back = await cutOffAndOn((app, former) => startUndo(app.context, former, trashed!.run, undefined), 'events');
  expect(back).toMatchObject({ state: 'done', problems: [] });
  expect(real.person.events().filter(({ status }) => status === 'publish')).toHaveLength(60);
});

describe('a forget that had no plan yet', () => {
  /** A forget that is no longer under way: its program has died, or was stopped by hand. */
  async function cutOffForget(how: 'died' | 'stopped'): Promise<OpenedApp> {
    const before = await syncing.open(yaml);
    await before.sync('town');
    const { site } = before.setup('town');
    await before.close();
    const app = await syncing.open(withOtherSources());
    const lease = { site: site.key, source: 'town', run: 'forgetting' };
    await beginRun(app.state.database, lease, { kind: 'forget' }, app.context.member.id());
    if (how === 'stopped') await leaveReading(app.state.database, site.key, 'town', app.context.member.id());
    await app.close();
    return syncing.open(withOtherSources());
  }

  test('starts again after a kill', async () => {
    const { context } = await cutOffForget('died');
    const [taken, ...more] = await takeOverRuns(context);
    expect([taken?.run.run, more]).toEqual(['forgetting', []]);
    expect(
      await carryOn(context, taken!.setup, await resumeRun(context, taken!, false), () => undefined),
    ).toMatchObject({ run: 'forgetting', state: 'done', removed: 60, problems: [] });
    expect(real.person.events().filter(({ status }) => status === 'trash')).toHaveLength(60);
  });

  test('is over if a person has stopped it', async () => {
    const other = await cutOffForget('stopped');
    expect(await takeOverRuns(other.context)).toEqual([]);
    expect((await recordOf(other, 'forgetting'))?.report).toMatchObject({ problems: [{ code: 'cut-off' }] });
  });
});

describe('a run that nobody will carry on ends with a report of what it has written', () => {
  test('when its source is forgotten', async () => {
    const run = await cutOff();
    const { code, json } = await commandIn(syncing, withOtherSources(), ['forget', 'town', '--yes', '--json']);
    expect({ code, json }).toMatchObject({ code: 0, json: { forgotten: true, sites: [{ kept: 25 }] } });
    const other = await syncing.open(withOtherSources());
    expect((await recordOf(other, run))?.report).toMatchObject({
      state: 'failed',
      created: 25,
      writes: 25,
      problems: [{ code: 'source-gone' }],
    });
    expect((await commandIn(syncing, withOtherSources(), ['runs', 'town'])).out).toMatch(
      /failed +25 created, 0 unchanged; some writes failed/,
    );
  });

  test('when its source writes to another site by now', async () => {
    const run = await cutOff();
    const moved = await syncing.open(townOn('the built-in site', real, feeds));
    expect(await takeOverRuns(moved.context)).toEqual([]);
    expect((await recordOf(moved, run))?.report).toMatchObject({
      state: 'failed',
      created: 25,
      writes: 25,
      problems: [{ code: 'source-gone', message: expect.stringContaining(real.root) as string }],
    });
    expect(await runsToLeave(moved.context)).toEqual([]);
  });
});

test('no run of a source begins while it is being forgotten', async () => {
  const app = await syncing.open(yaml);
  const { database } = app.state;
  const site = app.setup('town').site.key;
  const count = async (which: Sql): Promise<number> => (await which.execute(database.query())).rows.length;
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const known = sql`select from calsync.sources where site = ${site} and source = 'town'`;
  await sql`insert into calsync.sources (site, source) values (${site}, 'town')`.execute(database.query());
  let hasBegun = false;
  const both = await database.query().transaction(async (other) => {
    await sql`lock table calsync.ledger in exclusive mode`.execute(other);
    const forgotten = forgetSource(app.context, site, 'town');
    await expect.poll(() => count(waiting)).toBe(1);
    const lease = { site, source: 'town', run: 'town-1' };
    // Two answers at the same time can arrive in either order; what is stored by then shows which came first.
    const begun = beginRun(database, lease, { kind: 'command' }, app.context.member.id()).then(() => {
      hasBegun = true;
      return count(known);
    });
    await expect.poll(async () => hasBegun || (await count(waiting)) === 2).toBe(true);
    return [forgotten, begun] as const;
  });
  expect(await Promise.all(both)).toEqual([undefined, 0]);
  await expect(forgetSource(app.context, site, 'town')).rejects.toMatchObject({ code: 'source-busy' });
});
