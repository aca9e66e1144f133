import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openBackend, type Backend, type BackendAddress } from '../../src/queue/backend.ts';
import { SYNC_QUEUE, syncOptions, type TickData } from '../../src/queue/jobs.ts';
import { schedule, type Schedule } from '../../src/queue/schedulers.ts';
import { startWorkers, type Workers } from '../../src/queue/workers.ts';
import { loadBatches } from '../../src/run/state/batches.ts';
import { listRuns } from '../../src/run/state/records.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { writeBatches } from '../../src/run/write/write-batch.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { queueHomes } from '../support/queue-backends.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

// Runs as jobs, on both of BullMQ's back ends.

/** Ends the connection whose lock says that a process is alive, as if the process were killed. */
const die = ({ context: { database, member } }: OpenedApp): Promise<unknown> =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = " +
      '$1 and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = ' +
      'current_database())',
    [member.id()],
  );

const isEventWrite = (method: string, path: string): boolean => method === 'POST' && path.endsWith('/events');

describe.each(queueHomes(11))('on %s', (_, home) => {
  let syncing: SyncingApp;
  let feeds: FeedServer;
  let address: BackendAddress;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
    address = await home(syncing.address);
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const close of closing.splice(0).toReversed()) await close();
    await Promise.all([syncing.close(), feeds.close()]);
  });

  const BASE = 'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\n';
  const town = (more = ''): Promise<OpenedApp> =>
    syncing.open(`${BASE}sources:\n  town: { url: "${feeds.url}/town.ics"${more} }\n`);
  const publish = (events: Parameters<typeof calendarText>[0]): void =>
    feeds.on('/town.ics', body(calendarText(events)));

  async function backendOf(app: OpenedApp): Promise<Backend> {
    const backend = await openBackend(address, 4, app.context.log);
    closing.push(backend.close);
    return backend;
  }

  /** Starts the workers of one process; `reports` grows as its runs end. */
  async function working(
    app: OpenedApp,
  ): Promise<{ workers: Workers; reports: Report[]; report: () => Promise<Report> }> {
    const backend = await backendOf(app);
    const reports: Report[] = [];
    const limits = Object.values(app.config.sites).map(({ name, requestsInFlight }) => ({
      site: name,
      inFlight: requestsInFlight,
    }));
    const workers = await startWorkers(app.context, backend, limits, (report) => reports.push(report));
    closing.push(workers.close);
    let taken = 0;
    return {
      workers,
      reports,
      report: async () => {
        const report = await until('a report', () => reports[taken]);
        taken += 1;
        return report;
      },
    };
  }

  test('job schedulers follow the configuration', async () => {
    const queue = await (await backendOf(await town())).queue(SYNC_QUEUE);
    const schedulers = async (): Promise<unknown> =>
      (await queue.getJobSchedulers())
        .map(({ template, every, pattern, tz }) => ({
          source: (template!.data as TickData).source,
          every: every === undefined || every === null ? undefined : Number(every),
          pattern: pattern ?? undefined,
          tz: tz ?? undefined,
        }))
        .toSorted((a, b) => (a.source < b.source ? -1 : 1));
    const steps: readonly (readonly Schedule[])[] = [
      [
        { source: 'a', everyMs: 3_600_000 },
        { source: 'b', cron: '*/30 6-23 * * *', timezone: 'Europe/Warsaw' },
      ],
      [
        { source: 'a', everyMs: 600_000 },
        { source: 'b', cron: '0 5 * * *', timezone: 'America/New_York' },
        { source: 'c', everyMs: 60_000 },
      ],
      [{ source: 'c', everyMs: 60_000 }],
      [],
    ];
    for (const schedules of steps) {
      await schedule(queue, schedules);
      expect(await schedulers()).toEqual(
        schedules.map((one) =>
          'cron' in one
            ? { source: one.source, every: undefined, pattern: one.cron, tz: one.timezone }
            : { source: one.source, every: one.everyMs, pattern: undefined, tz: undefined },
        ),
      );
    }
  });

  test('a source that is due is synced automatically', async () => {
    publish(feedEvents(2));
    const app = await town();
    const { report, reports } = await working(app);
    await schedule(await (await backendOf(app)).queue(SYNC_QUEUE), [{ source: 'town', everyMs: 1_000 }]);
    expect(await report()).toMatchObject({ source: 'town', state: 'done', created: 2 });
    await until('a second and a third run', () => reports.length >= 3);
    expect(reports[2]).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('a run goes through its stages and ends in one report', async () => {
    publish(
      feedEvents(60).map((event, index) => ({
        ...event,
        lines: [`CATEGORIES:Kind ${index % 30}`, `LOCATION:Place ${index % 3}`],
      })),
    );
    const app = await town();
    const { workers, report, reports } = await working(app);
    await workers.request(['town'], 'command');
    // 30 categories, 3 venues, 60 events.
    expect(await report()).toMatchObject({ state: 'done', created: 60, writes: 93, problems: [] });
    const events = await app.events();
    expect(events).toHaveLength(60);
    expect(events.filter(({ categories, venue }) => categories.length !== 1 || Array.isArray(venue))).toEqual([]);
    await workers.request(['town'], 'command');
    expect(await report()).toMatchObject({ state: 'unchanged', writes: 0 });
    expect(reports).toHaveLength(2);
    const [, first] = await listRuns(app.context.database.query(), 'town', 10);
    expect(await loadBatches(app.context.database.query(), first!.run)).toHaveLength(6);
  });

  test('a small feed does not wait for the end of a large one', async () => {
    // Far more than are written while the small feed is read.
    const many = 3_000;
    feeds.on('/large.ics', body(calendarText(feedEvents(many))));
    feeds.on('/small.ics', body(calendarText([{ uid: 'small' }])));
    const app = await syncing.open(
      `${BASE}site: { url: builtin, requests_in_flight: 1 }
sources:
  large: { url: "${feeds.url}/large.ics" }
  small: { url: "${feeds.url}/small.ics" }
`,
    );
    const { workers, report } = await working(app);
    await workers.request(['large'], 'command');
    await until('the first events', async () => (await app.events()).length > 0);
    await workers.request(['small'], 'command');
    expect(await report()).toMatchObject({ source: 'small', state: 'done', created: 1 });
    expect(await report()).toMatchObject({ source: 'large', state: 'done', created: many });
  });

  test('a feed that has been read is written while others are still being read', async () => {
    // One feed that answers at once, and more slow feeds than there are readers. Those are on another server, because
    // only two feeds are fetched from the same server at a time.
    const slow = await feedServer();
    closing.push(slow.close);
    const held = Array.from({ length: 8 }, (__, index) => `held-${index}`);
    const readers: (() => void)[] = [];
    for (const name of held)
      slow.on(`/${name}.ics`, (___, response) => {
        readers.push(() => {
          response.writeHead(404).end();
        });
      });
    publish(feedEvents(30).map((event) => ({ ...event, lines: ['CATEGORIES:Music', 'LOCATION:Town hall'] })));
    const app = await syncing.open(
      `${BASE}sources:\n  town: { url: "${feeds.url}/town.ics" }\n${held.map((name) => `  ${name}: { url: "${slow.url}/${name}.ics" }\n`).join('')}`,
    );
    const { workers, report } = await working(app);
    for (const name of ['town', ...held]) await workers.request([name], 'command');
    await until('two readers that are held', () => readers.length >= 2);
    expect(await report()).toMatchObject({ source: 'town', state: 'done', created: 30 });
    for (const name of held)
      slow.on(`/${name}.ics`, (___, response) => {
        response.writeHead(404).end();
      });
    for (const release of readers) release();
  });

  test('a start does not wait for a job that a killed process had taken', async () => {
    publish(feedEvents(2));
    const app = await town();
    // The killed process: a worker that took the job and never ends it.
    const dead = await backendOf(app);
    const taken = Promise.withResolvers<void>();
    const worker = await dead.worker(
      SYNC_QUEUE,
      () => {
        taken.resolve();
        return new Promise(() => undefined);
      },
      { autorun: false },
    );
    worker.run().catch(() => undefined);
    const queue = await dead.queue(SYNC_QUEUE);
    await queue.add('sync', { source: 'town', cause: 'schedule' }, syncOptions('town'));
    await taken.promise;
    await worker.close(true);
    const { workers, report } = await working(app);
    await workers.request(['town'], 'start');
    expect(await report()).toMatchObject({ state: 'done', created: 2 });
    // The queue gives the dead worker's job to another one when its lock has expired, half a minute later.
    await until('the end of the new one', async () => (await queue.getActiveCount()) === 1);
  });

  test('a held run ends in a report as well', async () => {
    publish(feedEvents(10));
    const app = await town(', missing: { after: 1 }');
    await app.sync('town');
    publish(feedEvents(10).filter((__, index) => index % 9 === 0));
    const { workers, report } = await working(app);
    await workers.request(['town'], 'command');
    expect(await report()).toMatchObject({ state: 'held', writes: 0 });
  });

  test('two processes never run the same source at the same time', async () => {
    publish(feedEvents(40));
    const [one, two] = [await town(), await town()];
    const [first, second] = [await working(one), await working(two)];
    const asked = Array.from({ length: 12 }, (__, index) =>
      (index % 2 === 0 ? first : second).workers.request(['town'], 'command'),
    );
    await Promise.all(asked);
    await until('a report', () => [...first.reports, ...second.reports].length > 0);
    await Promise.all([one.sync('town', true).catch(() => undefined), second.workers.request(['town'], 'command')]);
    await until('the end of all runs', async () =>
      (await listRuns(one.context.database.query(), 'town', 50)).every(({ finishedAt }) => finishedAt),
    );
    const runs = (await listRuns(one.context.database.query(), 'town', 50)).toReversed();
    expect(runs.filter(({ startedAt }, index) => index > 0 && startedAt < runs[index - 1]!.finishedAt!)).toEqual([]);
    expect(runs.filter(({ state }) => state === 'done')).toHaveLength(1);
    expect(await one.events()).toHaveLength(40);
  });

  test('the next start carries on at once what a dead process has left behind', async () => {
    publish(feedEvents(280));
    const dead = await town();
    const started = await startRun(dead.context, dead.setup('town'), 'command', false);
    if (started.kind !== 'writing') throw new Error(started.kind);
    await writeBatches(dead.context, dead.setup('town'), { run: started.run, stage: 'events', numbers: [0, 1] });
    await die(dead);
    const app = await town();
    // Stops the timers, so that only the start itself looks for abandoned runs.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { report } = await working(app);
    expect(await report()).toMatchObject({ run: started.run, state: 'done', created: 280 });
    expect(new Set((await app.events()).map(({ title }) => title)).size).toBe(280);
    expect(await app.events()).toHaveLength(280);
  });

  test('a run survives a queue that fails for a moment', async () => {
    // Too many events to be written without a job.
    publish(feedEvents(280).map((event) => ({ ...event, lines: ['CATEGORIES:Music'] })));
    const app = await town();
    const backend = await backendOf(app);
    const reports: Report[] = [];
    let flows = 0;
    const shaky = {
      ...backend,
      addFlow: (flow: Parameters<Backend['addFlow']>[0]) =>
        (flows += 1) === 1 ? Promise.reject(new Error('no connection')) : backend.addFlow(flow),
    };
    const workers = await startWorkers(app.context, shaky, [{ site: 'site', inFlight: 4 }], (report) =>
      reports.push(report),
    );
    closing.push(workers.close);
    await workers.request(['town'], 'command');
    await until('the refusal', () => flows === 1);
    // Another process stands for the next look for abandoned runs.
    const { report } = await working(await town());
    expect(await Promise.race([report(), until('a report', () => reports[0])])).toMatchObject({
      state: 'done',
      created: 280,
    });
  });

  test('workers that cannot all be started leave none half started', async () => {
    const app = await town();
    const backend = await backendOf(app);
    const opening = new Set<string>();
    const shaky: Backend = {
      ...backend,
      worker: async (...made) => {
        const [name] = made;
        if (name.includes('refused')) throw new Error('no connection');
        opening.add(name);
        const worker = await backend.worker(...made);
        opening.delete(name);
        return worker;
      },
    };
    const limits = ['refused', 'site', 'other'].map((site) => ({ site, inFlight: 1 }));
    await expect(startWorkers(app.context, shaky, limits, () => undefined)).rejects.toThrow('no connection');
    expect([...opening]).toEqual([]);
  });

  test('a run that the built-in site can write in one request needs no job', async () => {
    publish(
      feedEvents(60).map((event, index) => ({ ...event, lines: [`CATEGORIES:Kind ${index}`, 'LOCATION:Place'] })),
    );
    const app = await town();
    const backend = {
      ...(await backendOf(app)),
      addFlow: () => Promise.reject(new Error('no connection')),
    };
    const reports: Report[] = [];
    const workers = await startWorkers(app.context, backend, [{ site: 'site', inFlight: 4 }], (report) =>
      reports.push(report),
    );
    closing.push(workers.close);
    await workers.request(['town'], 'command');
    expect(await until('a report', () => reports[0])).toMatchObject({ state: 'done', created: 60, problems: [] });
  });

  test('the next process makes the run of one that died while reading', async () => {
    publish(feedEvents(5));
    const dead = await town();
    feeds.on('/town.ics', () => undefined);
    void startRun(dead.context, dead.setup('town'), 'command', false).catch(() => undefined);
    await until('the fetch', () => feeds.requests.length > 0);
    await die(dead);
    publish(feedEvents(5));
    const { report } = await working(await town());
    expect(await report()).toMatchObject({ state: 'done', created: 5 });
  });

  describe('a remote site', () => {
    let site: RealSite;
    beforeEach(async () => {
      site = await realSite({ now: () => syncing.clock.now });
      closing.push(site.close);
    });
    const remote = (more = ''): Promise<OpenedApp> =>
      syncing.open(
        `${BASE}site: { url: "${site.root}", namespace: ${site.namespace}, username: ` +
          `${site.credentials.username}, application_password: "${site.credentials.applicationPassword}"${more} }\n` +
          `sources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
      );
    const eventWrites = (): number =>
      site.requests.filter((request) => isEventWrite(...(request.split(' ') as [string, string]))).length;

    test('if one write of a batch fails, only that one is tried again', async () => {
      publish(feedEvents(30));
      const app = await remote();
      site.fail({ kind: 'status', status: 500 }, { when: isEventWrite, after: 12 });
      const { workers, report } = await working(app);
      await workers.request(['town'], 'command');
      expect(await report()).toMatchObject({ state: 'done', created: 30, problems: [] });
      expect(await app.events()).toHaveLength(30);
      expect(eventWrites()).toBe(31);
    });

    test('batches that share a job are tried again like others', async () => {
      publish(feedEvents(300));
      const app = await remote(', requests_in_flight: 1');
      // Batches 8 and 9 share a job, and so do 10 and 11.
      site.fail({ kind: 'status', status: 500 }, { when: isEventWrite, after: 210 });
      site.fail({ kind: 'status', status: 429, retryAfter: '1' }, { when: isEventWrite, after: 280 });
      const { workers, report } = await working(app);
      await workers.request(['town'], 'command');
      expect(await report()).toMatchObject({ state: 'done', created: 300, problems: [] });
      expect(await app.events()).toHaveLength(300);
      expect(eventWrites()).toBe(302);
    });

    test('a write whose answer is lost is not repeated', async () => {
      publish(feedEvents(10));
      const app = await remote();
      site.fail({ kind: 'lost' }, { when: isEventWrite, after: 3 });
      const { workers, report } = await working(app);
      await workers.request(['town'], 'command');
      expect(await report()).toMatchObject({ state: 'done', created: 10 });
      expect(await app.events()).toHaveLength(10);
      expect(eventWrites()).toBe(10);
    });

    test.each([429, 503] as const)('the Retry-After of a %d is respected', async (status) => {
      publish(feedEvents(6));
      const app = await remote();
      const writtenAt: number[] = [];
      site.fail(
        { kind: 'hang-up' },
        { when: (method, path) => isEventWrite(method, path) && writtenAt.push(performance.now()) < 0 },
      );
      site.fail({ kind: 'status', status, retryAfter: '2' }, { when: isEventWrite });
      const { workers, report } = await working(app);
      await workers.request(['town'], 'command');
      expect(await report()).toMatchObject({ state: 'done', created: 6 });
      expect(await app.events()).toHaveLength(6);
      expect(writtenAt).toHaveLength(7);
      expect(writtenAt[1]! - writtenAt[0]!).toBeGreaterThanOrEqual(1_900);
    });

    test('the report says that the site does not answer', async () => {
      publish(feedEvents(3));
      const app = await remote();
      await site.close();
      const { workers, report } = await working(app);
      await workers.request(['town'], 'command');
      const failed = await report();
      expect(failed).toMatchObject({ state: 'failed', created: 0 });
      expect(failed.problems[0]!.message).toMatch(/nothing accepts connections/);
    });
  });
});
