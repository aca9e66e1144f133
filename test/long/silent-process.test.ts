import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginAttempts, loadBatch, type BegunBatches } from '../../src/run/state/batches.ts';
import type { SyncCause } from '../../src/run/state/causes.ts';
import { tooEarlyUntil } from '../../src/run/state/fetch-times.ts';
import { abandonLease, beginRun, holdsLease, keepLease } from '../../src/run/state/lease.ts';
import { loadRun } from '../../src/run/state/records.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { storeOutcomes } from '../../src/run/write/store-outcomes.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { resumeRun } from '../../src/run/steps/resume-run.ts';
import { makeDispatch, type Dispatch } from '../../src/queue/dispatch.ts';
import { takeOverRuns, type Abandoned } from '../../src/run/steps/take-over.ts';
import type { Outcome, Report } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { until } from '../support/until.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// A process that is paused or cut off still exists, but sends no heartbeat. Another one takes over, and it must do no
// harm if the first comes back.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/town.ics', body(calendarText(feedEvents(30))));
});
afterEach(async () => {
  await Promise.all([syncing.close(), feeds.close()]);
});

type Context = OpenedApp['context'];

const open = (): Promise<OpenedApp> =>
  syncing.open(`fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`);

async function writing(app: OpenedApp): Promise<string> {
  const started = await startRun(app.context, app.setup('town'), 'command', false);
  if (started.kind !== 'writing') throw new Error(started.kind);
  return started.run;
}

const givenUp = ({ database }: Context): Promise<void> => abandonLease(database, RUN);

/** Closes the database connection of a process, which then registers again. */
async function reconnected({ database, member }: Context): Promise<void> {
  const id = member.id();
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = $1
      and database = (select oid from pg_database where datname = current_database())`,
    [id],
  );
  await until('another registration', () => member.id() !== id);
}

const silence = ({ context: { database, member } }: OpenedApp): Promise<unknown> =>
  database.pool.query("update calsync.processes set heartbeat = now() - interval '2 minutes' where id = $1", [
    member.id(),
  ]);

test('others can take over the run and locks of a silent process, but not those of a living one', async () => {
  const [silent, other] = [await open(), await open()];
  const run = await writing(silent);
  const isAtIt = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  const atIt = silent.context.member.alone([['a batch']], async () => {
    isAtIt.resolve();
    await woken.promise;
  });
  await isAtIt.promise;
  expect(await takeOverRuns(other.context)).toEqual([]);
  await silence(silent);
  expect(await takeOverRuns(other.context)).toMatchObject([{ run: { run } }]);
  expect(await other.context.member.alone([['a batch']], async () => 'done')).toBe('done');
  woken.resolve();
  await atIt;
});

const RUN = 'town-20270115T120000-abcdef';
/** No process has this id. */
const GONE = 999_999;

/** A run is cut off twice while reading and taken over each time, and then cut off a third time by `last`. */
async function cutOffThrice(
  app: OpenedApp,
  cutOff: (context: Context) => Promise<unknown>,
  last = cutOff,
): Promise<void> {
  const { context } = app;
  const lease = { site: app.setup('town').site.key, source: 'town', run: RUN };
  await beginRun(context.database, lease, { kind: 'schedule' }, context.member.id());
  for (const cutOffs of [1, 2]) {
    await cutOff(context);
    expect(await takeOverRuns(context)).toMatchObject([{ run: { run: RUN, cutOffs } }]);
  }
  await last(context);
}

test('a feed whose reading repeatedly ends the process is skipped until somebody asks for it', async () => {
  const app = await open();
  const { context } = app;
  const [town, run, query] = [app.setup('town'), RUN, context.database.query()];
  await cutOffThrice(app, ({ database }) => keepLease(database, run, GONE));
  expect(await takeOverRuns(context)).toEqual([]);
  expect(await loadRun(query, run)).toMatchObject({
    state: 'failed',
    report: { problems: [{ code: 'reading-cut-off', message: expect.stringContaining('ended 3 times') as unknown }] },
  });
  const { now } = syncing.clock;
  const until = (cause: SyncCause): Promise<number | null> => tooEarlyUntil(query, town, cause, now);
  expect([await until('schedule'), await until('start'), await until('command')]).toEqual([
    now + 6 * 3_600_000,
    now + 6 * 3_600_000,
    null,
  ]);
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 30 });
  expect(await until('schedule')).toBeNull();
});

test('a crash while such a run is being ended does not lead to another reading', async () => {
  const app = await open();
  const { context } = app;
  const query = context.database.query();
  await cutOffThrice(app, ({ database }) => keepLease(database, RUN, GONE));
  await context.database.pool.query(`create function calsync.crash() returns trigger language plpgsql as
      $$ begin raise exception 'crashed'; end $$;
    create trigger crash before update of state on calsync.runs for each row execute function calsync.crash()`);
  await expect(takeOverRuns(context)).rejects.toThrow('crashed');
  const until = await tooEarlyUntil(query, app.setup('town'), 'start', syncing.clock.now);
  expect([until, await loadRun(query, RUN)]).toMatchObject([
    syncing.clock.now + 6 * 3_600_000,
    { state: 'reading', cutOffs: 3 },
  ]);
});

const NO_QUEUE = { addFlow: () => Promise.reject(new Error('its batches are written at once')) };

/** Takes over a run that was cut off while reading, without counting that against the feed. */
async function takenInReading({ context }: OpenedApp): Promise<Abandoned> {
  const [abandoned] = await takeOverRuns(context);
  expect(abandoned).toMatchObject({ run: { state: 'reading', cutOffs: 0 } });
  return abandoned!;
}

test('a reading interrupted by an orderly stop is left to the next program, and the feed does not count as failed', async () => {
  const reports: Report[] = [];
  const dispatchOf = (context: Context): Dispatch =>
    makeDispatch(context, NO_QUEUE, (report) => void reports.push(report));
  const late: (() => void)[] = [];
  let asked = Promise.withResolvers<void>();
  feeds.on('/town.ics', (request, response) => {
    late.push(() => body(calendarText(feedEvents(30)))(request, response));
    asked.resolve();
  });
  for (let programs = 0; programs < 4; programs += 1) {
    const app = await open();
    const leaving = new AbortController();
    const dispatch = dispatchOf({ ...app.context, stopping: leaving.signal });
    const working =
      programs === 0 ? dispatch.start(app.setup('town'), 'schedule') : dispatch.resume(await takenInReading(app));
    await asked.promise;
    asked = Promise.withResolvers();
    leaving.abort();
    await working;
  }
  const app = await open();
  const abandoned = await takenInReading(app);
  for (const answer of late) answer();
  feeds.on('/town.ics', body(calendarText(feedEvents(30))));
  const query = app.context.database.query();
  expect([reports, await tooEarlyUntil(query, app.setup('town'), 'schedule', syncing.clock.now)]).toEqual([[], null]);
  await dispatchOf(app.context).resume(abandoned);
  expect(reports).toMatchObject([{ state: 'done', created: 30, problems: [] }]);
  expect(await app.events()).toHaveLength(30);
});

test('a late request for a source during a stop does not take away the lease of the run that is being written', async () => {
  const app = await open();
  const run = await writing(app);
  const leaving = new AbortController();
  leaving.abort();
  const { start } = makeDispatch({ ...app.context, stopping: leaving.signal }, NO_QUEUE, () => undefined);
  await start(app.setup('town'), 'schedule');
  expect(await holdsLease(app.context.database, run, app.context.member.id())).toBe(true);
});

test.each([
  ['gave up, as it could not store what it had read', givenUp],
  ['lost with its connection', reconnected],
])(
  'a reading that a living process repeatedly %s fails, but the feed is read again when it is due',
  async (_, cutOff) => {
    const app = await open();
    const { context } = app;
    await cutOffThrice(app, givenUp, cutOff);
    expect(await takeOverRuns(context)).toEqual([]);
    const query = context.database.query();
    expect(await loadRun(query, RUN)).toMatchObject({
      state: 'failed',
      report: { problems: [{ code: 'database-failed' }] },
    });
    expect(await tooEarlyUntil(query, app.setup('town'), 'schedule', syncing.clock.now)).toBeNull();
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 30 });
  },
);

test('a run that is cut off as often while writing is still carried on', async () => {
  const app = await open();
  const run = await writing(app);
  for (let times = 0; times < 4; times += 1) {
    await abandonLease(app.context.database, run);
    expect(await takeOverRuns(app.context)).toMatchObject([{ run: { run, state: 'writing' } }]);
  }
});

test.each([
  ['of its first batch', [0]],
  ['of its second batch', [1]],
])('an attempt stores nothing once a later attempt %s has begun', async (_, numbers) => {
  const app = await open();
  const run = await writing(app);
  const query = app.context.database.query();
  const stage = 'events';
  const begin = (own: readonly number[]) =>
    beginAttempts(query, { run, stage, numbers: own }, app.context.member.id(), () => undefined);
  const [first, second] = [await begin([0, 1]), await begin(numbers)];
  const store = async ({ batches }: BegunBatches, message: string): Promise<void> => {
    const outcome: Outcome = { kind: 'failed', problem: { code: 'answer-lost', message, where: {} } };
    const tried = batches.map((batch) => ({
      batch,
      attempt: batch.attempts + 1,
      outcomes: batch.items.map(() => outcome),
    }));
    await storeOutcomes(
      app.context,
      app.setup('town'),
      { run, stage },
      { tried, refs: {}, missing: new Set(), traffic: { requests: 0, statuses: {} }, writes: 0, lines: [] },
    );
  };
  await store(second, 'of the second');
  await store(first, 'of the first, which woke late');
  const of = async (number: number): Promise<unknown> => (await loadBatch(query, { run, stage, number }))?.outcomes[0];
  const stored = { problem: { message: 'of the second' } };
  expect(await Promise.all([of(0), of(1)])).toMatchObject(numbers[0] === 0 ? [stored, null] : [null, stored]);
});

test.each([
  ['done', feedEvents(31), { created: 1, updated: 0 }],
  ['held', feedEvents(30).map((event) => ({ ...event, title: 'Call 555-0100' })), { created: 0, updated: 30 }],
])(
  'a run taken over while its first attempt is still reading is planned only once: %s',
  async (state, events, report) => {
    const app = await open();
    const { context } = app;
    await app.sync('town');
    const [asked, due] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    feeds.on('/town.ics', (request, response) => {
      asked.resolve();
      void due.promise.then(() => body(calendarText(events))(request, response));
    });
    const first = startRun(context, app.setup('town'), 'schedule', false);
    await asked.promise;
    // As after an outage of the database, in which the session that says that the process is alive was lost.
    await context.database.pool.query('update calsync.leases set owner = 0');
    const [abandoned] = await takeOverRuns(context);
    const second = resumeRun(context, abandoned!, false);
    due.resolve();
    const started = await Promise.all([first, second]);
    expect(started.map(({ kind }) => kind).toSorted()).toEqual(['busy', state === 'held' ? 'ended' : 'writing']);
    for (const each of started) await carryOn(context, app.setup('town'), each, () => undefined);
    const { rows } = await context.database.pool.query(
      'select state, report from calsync.runs order by started_at offset 1',
    );
    expect(rows).toMatchObject([{ state, report }]);
  },
);
