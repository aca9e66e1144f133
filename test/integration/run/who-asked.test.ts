import { hostname, userInfo } from 'node:os';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDispatch } from '../../../src/queue/dispatch.ts';
import { leaseOf, beginRun } from '../../../src/run/state/lease.ts';
import { loadRun } from '../../../src/run/state/records.ts';
import { runId } from '../../../src/run/steps/start-run.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import { sql } from '../../../src/db/database.ts';
import { msSinceBeat, noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import { commandIn, type Said } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { comingEvents } from '../../support/coming.ts';
import { calendarText } from '../../support/feed-text.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// What people do with commands, and how the history shows it.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/town.ics', body(calendarText(comingEvents(3))));
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));
beforeEach(() => {
  // The database's clock decides when a pause ends.
  syncing.clock.now = Date.now();
});

const yaml = (): string =>
  'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
  `[127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n` +
  `  other: { url: "${feeds.url}/town.ics", every: 1d }\n`;
const command = (...words: string[]): Promise<Said> => commandIn(syncing, yaml(), words);
const me = userInfo().username;

test('runs and undos record who asked for them and why', async () => {
  const { json } = await command('sync', 'town', '--reason', 'new programme', '--json');
  const run = String(json.runs[0]?.['run']);
  const [listed] = (await command('runs', 'town', '--json')).json.runs;
  expect(listed).toMatchObject({
    run,
    acts: [{ act: 'sync', by: me, from: 'command', reason: 'new programme' }],
  });
  expect((await command('show', run)).out).toMatch(new RegExp(`  ${me} asked for a run, .*: "new programme"\n`));
  await command('undo', run, '--reason', 'too early');
  const [undone] = (await command('runs', 'town', '--json')).json.runs;
  expect(undone).toMatchObject({ cause: `undo of ${run}`, acts: [{ act: 'undo', by: me, reason: 'too early' }] });
});

test('a run of all sources is one act', async () => {
  await command('sync', '--json');
  const app = await syncing.open(yaml());
  const [latest] = await listActs(app.state.database.query(), {}, 1);
  expect(latest).toMatchObject({ kind: 'sync', source: null, details: { sources: 2 } });
  await app.close();
});

test('a paused source is read only if a person asks, and is shown as paused', async () => {
  const paused = await command('pause', 'town', 'other', '--until', '3d', '--reason', 'new roof', '--json');
  expect(paused.json['paused']).toEqual(
    ['town', 'other'].map((source) => ({ source, until: new Date(syncing.clock.now + 3 * 86_400_000).toISOString() })),
  );
  const app = await syncing.open(yaml());
  const dispatch = makeDispatch(
    app.context,
    { addFlow: () => Promise.reject(new Error('nothing is to be written')) },
    () => undefined,
  );
  const before = feeds.requests.length;
  await dispatch.start(app.setup('town'), 'schedule');
  await dispatch.start(app.setup('town'), 'start');
  expect(feeds.requests).toHaveLength(before);
  expect((await command('sync', 'town', '--json')).json.runs[0]).toMatchObject({ source: 'town' });
  expect(feeds.requests).toHaveLength(before + 1);
  const { json } = await command('sources', 'town', '--json');
  expect(json['sources']).toEqual([
    expect.objectContaining({
      source: 'town',
      state: 'paused',
      mustAct: 'nobody',
      sentence: expect.stringMatching(new RegExp(`^Until .*, by ${me}: “new roof”\\.$`)),
      paused: expect.objectContaining({ by: me, reason: 'new roof' }),
    }),
  ]);
  expect((await command('sync', '--json')).json.runs).toEqual([]);
  expect((await command('resume', 'town')).out).toBe('town is read again when it is due.\n');
  expect((await command('resume', 'town')).out).toBe('town was not paused.\n');
  await dispatch.start(app.setup('town'), 'start');
  expect(feeds.requests.length).toBeGreaterThan(before + 1);
  await app.close();
});

test.each([
  { kind: 'schedule', requests: 0 },
  { kind: 'command', requests: 1 },
] as const)(
  'an interrupted run by $kind of a paused source goes on only if a person asked for it',
  async ({ kind, requests }) => {
    const app = await syncing.open(yaml());
    const setup = app.setup('town');
    const run = runId('town', syncing.clock.now);
    await beginRun(
      app.context.database,
      { site: setup.site.key, source: 'town', run },
      { kind },
      app.context.member.id(),
    );
    await command('pause', 'town');
    const dispatch = makeDispatch(app.context, { addFlow: async () => undefined }, () => undefined);
    const before = feeds.requests.length;
    const record = await loadRun(app.state.database.query(), run);
    if (!record) throw new Error('the run has begun');
    await dispatch.resume({ run: record, setup });
    expect(feeds.requests).toHaveLength(before + requests);
    expect((await loadRun(app.state.database.query(), run))?.state).not.toBe('reading');
    expect(await leaseOf(app.context.database, setup.site.key, 'town')).toBeUndefined();
    await command('resume', 'town');
    await app.close();
  },
);

test('pause reports dates and sources that it cannot use', async () => {
  expect((await command('pause', 'town', '--until', 'later')).err).toContain('--until takes a day (2026-12-01)');
  expect((await command('pause', 'town', '--until', '2020-01-01')).err).toContain('is over already');
  expect(await command('pause', 'nothing')).toMatchObject({
    code: 64,
    err: expect.stringContaining('The configuration has no source "nothing". It has: town, other.\n'),
  });
});

test('the sources are listed by urgency', async () => {
  const { out } = await command('sources');
  expect(out.split('\n').flatMap((line) => /^ {2}(\S+ +\S+)/.exec(line)?.[1] ?? [])).toEqual([
    'town   stale',
    'other  paused',
  ]);
  expect(out).toMatch(/\nTimes are in Europe\/Warsaw\.\n$/);
});

test('a renamed source keeps its pause and its history', async () => {
  const renamed = yaml().replace('  other: {', '  another: { was: other,');
  const app = await syncing.open(renamed);
  const { json } = await commandIn(syncing, renamed, ['sources', 'another', '--json']);
  expect(json['sources']).toEqual([expect.objectContaining({ state: 'paused' })]);
  expect((await listActs(app.state.database.query(), { source: 'another' }, 9)).map(({ kind }) => kind)).toEqual([
    'pause',
  ]);
  await app.close();
});

test('a live worker leaves one heartbeat for its process', async () => {
  const app = await syncing.open(yaml());
  const query = app.state.database.query();
  expect(await msSinceBeat(query)).toBeUndefined();
  await noteWorkerAlive(query);
  await noteWorkerAlive(query);
  expect(await msSinceBeat(query)).toBeGreaterThanOrEqual(0);
  const { rows } = await sql<{ process: string }>`select process from calsync.beats`.execute(query);
  expect(rows).toEqual([{ process: `${hostname()}:${process.pid}` }]);
  await app.close();
});
