import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitsOf, rescheduling, schedulesOf } from '../../src/cli/open/rescheduling.ts';
import type { Reload } from '../../src/cli/reload/open-reload.ts';
import { openBackend, type Backend } from '../../src/queue/backend.ts';
import { SYNC_QUEUE } from '../../src/queue/jobs.ts';
import { schedule } from '../../src/queue/schedulers.ts';
import { startWorkers, type Workers } from '../../src/queue/workers.ts';
import { createLogger } from '../../src/log.ts';
import { listActs } from '../../src/run/watch/acts.ts';
import { listVersions } from '../../src/run/watch/config-versions.ts';
import { listConfigs } from '../../src/run/watch/process-configs.ts';
import { acquireLease, releaseLease } from '../../src/run/state/lease.ts';
import { listRuns } from '../../src/run/state/records.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { endFirstRun, holdFirstRun } from '../../src/run/state/held.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

const calendar = (...titles: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...titles.flatMap((title, index) => [
      'BEGIN:VEVENT',
      `UID:${title}@test`,
      `SUMMARY:${title}`,
      `DTSTART:202702${String(10 + index).padStart(2, '0')}T180000Z`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const source = (name: string, more = ''): string => `  ${name}: { url: "file:${name}.ics", timezone: UTC${more} }\n`;
const FIRST = `builtin: { title: Town }\nsources:\n${source('theatre')}${source('cinema')}`;

let world: SyncingApp;
let app: OpenedApp;
let backend: Backend;
let queue: Awaited<ReturnType<Backend['queue']>>;
let workers: Workers;
let reload: Reload;
let file = '';
const reports: Report[] = [];

const ended = (name: string, from: number): Promise<Report> =>
  until(`a run of ${name}`, () => reports.slice(from).find((report) => report.source === name));

/** Saves the file and loads it, as a person does in the console. */
const save = async (yaml: string): Promise<Awaited<ReturnType<Reload['load']>>> => {
  writeFileSync(file, yaml);
  return reload.load();
};

const schedulers = async (): Promise<readonly string[]> => {
  const flat = await queue.getBackend().getJobSchedulersRange(0, -1, true);
  return flat.filter((_, index) => index % 2 === 0).toSorted();
};

beforeAll(async () => {
  world = await syncingApp();
  for (const name of ['theatre', 'cinema', 'library', 'stage'])
    writeFileSync(path.join(world.directory, `${name}.ics`), calendar(`${name} one`, `${name} two`));
  app = await world.open(FIRST);
  file = app.config.file;
  backend = await openBackend({ database: world.address }, 3, createLogger('silent'));
  workers = await startWorkers(app.context, backend, limitsOf(app.config), (report) => reports.push(report));
  queue = await backend.queue(SYNC_QUEUE);
  app.inForce.onTake(rescheduling(app, workers, queue));
  await schedule(queue, schedulesOf(app));
  reload = app.reload;
  await reload.look();
});
afterAll(async () => {
  await workers.close();
  await backend.close();
  await world.close();
});

describe('editing the configuration file while the program runs', () => {
  test('a new source is scheduled and read at once, and the others keep their schedules', async () => {
    const [before, from] = [await schedulers(), reports.length];
    expect(await save(`${FIRST}${source('library')}`)).toMatchObject({ problems: [], restart: [] });
    const after = await schedulers();
    expect(after.filter((id) => !before.includes(id))).toEqual([expect.stringMatching(/^library@/)]);
    expect(before.filter((id) => !after.includes(id))).toEqual([]);
    expect(await ended('library', from)).toMatchObject({ state: 'done', created: 2 });
    expect(reports.slice(from).map((report) => report.source)).toEqual(['library']);
  });

  test('a new source whose first run begins in the console is not read by anything else', async () => {
    const query = app.state.database.query();
    const { key } = app.setup('theatre').site;
    writeFileSync(path.join(world.directory, 'gallery.ics'), calendar('gallery one', 'gallery two'));
    await holdFirstRun(query, key, 'gallery');
    const waiting = async (): Promise<readonly unknown[]> =>
      (await queue.getJobs(['waiting', 'prioritized', 'delayed', 'active']))
        .map(({ data }) => (data as { readonly source?: string }).source)
        .filter((name) => name === 'gallery');
    const from = reports.length;
    await save(`${FIRST}${source('library')}${source('gallery')}`);
    expect(app.context.sources.has('gallery')).toBe(true);
    // It has a schedule, and no other job.
    expect((await queue.getBackend().getJobSchedulersRange(0, -1, true)).join(' ')).toContain('gallery@');
    expect([reports.slice(from), (await waiting()).length]).toEqual([[], 1]);
    // Later changes of it are read at once, as for any other source.
    await save(`${FIRST}${source('library')}${source('gallery', ', skip: [{ field: title, matches: two }]')}`);
    expect(await ended('gallery', from)).toMatchObject({ state: 'held' });
    await endFirstRun(query, key, 'gallery');
    await save(`${FIRST}${source('library')}`);
  });

  test('changed rules are applied at once, and a changed schedule alone reads nothing', async () => {
    const from = reports.length;
    await save(`${FIRST}${source('library', ', every: 5m')}`);
    expect((await schedulers()).length).toBe(3);
    await save(`${FIRST}${source('library', ', every: 5m, skip: [{ field: title, matches: two }]')}`);
    expect(await ended('library', from)).toMatchObject({ skipped: 1 });
    expect(reports.length).toBe(from + 1);
  });

  test('a paused source has no schedule, and is read again once it is resumed', async () => {
    const from = reports.length;
    await save(`${FIRST}${source('library', ', paused: true')}`);
    expect(await schedulers()).toEqual([expect.stringMatching(/^cinema@/), expect.stringMatching(/^theatre@/)]);
    await workers.request(['library'], 'schedule');
    await save(`${FIRST}${source('library')}`);
    expect((await ended('library', from)).source).toBe('library');
    expect(reports.length).toBe(from + 1);
  });

  test('a broken file changes nothing and is reported with its line until the next good one', async () => {
    const good = readFileSync(file, 'utf8');
    const before = await schedulers();
    const broken = await save(`${good}  broken: { url: 3\n`);
    expect(broken.problems).toEqual([
      expect.objectContaining({ where: expect.objectContaining({ line: 6 }) as object }),
    ]);
    expect([await schedulers(), [...app.context.sources.keys()]]).toEqual([before, ['theatre', 'cinema', 'library']]);
    expect(await listConfigs(app.state.database.query())).toEqual([
      expect.objectContaining({
        file,
        hash: broken.hash,
        problems: broken.problems,
        problemsSince: expect.any(Date) as Date,
      }),
    ]);
    expect(await save(good)).toMatchObject({ hash: broken.hash, problems: [], problemsSince: null });
    expect(await listConfigs(app.state.database.query())).toEqual([
      expect.objectContaining({ problems: [], problemsSince: null }),
    ]);
  });

  test.each(['', '# nothing but a comment\n'])('a file without content (%j) changes nothing', async (emptied) => {
    const good = readFileSync(file, 'utf8');
    const before = await schedulers();
    expect((await save(emptied)).problems).toEqual([expect.objectContaining({ code: 'config-empty' })]);
    expect([await schedulers(), [...app.context.sources.keys()]]).toEqual([before, ['theatre', 'cinema', 'library']]);
    expect((await save(good)).problems).toEqual([]);
  });

  test('a version that cannot be applied is reported until the next one is', async () => {
    const good = readFileSync(file, 'utf8');
    const look = async (yaml: string): Promise<readonly unknown[]> => {
      writeFileSync(file, yaml);
      // A change counts once two looks agree on it.
      for (const _ of [1, 2, 3]) await reload.look();
      const configs = await listConfigs(app.state.database.query());
      return configs.flatMap(({ problems }) => problems.map(({ code, message }) => `${code}: ${message}`));
    };
    app.inForce.onTake(async ({ builtin: { title } }) => {
      if (title === 'Refused') throw new Error('the queue said no');
      return 'all';
    });
    expect(await look(good.replace('Town', 'Refused'))).toEqual([
      expect.stringMatching(/^config-not-applied: .*the queue said no/),
    ]);
    expect(await look(good.replace('Town', 'Village'))).toEqual([]);
    expect([app.inForce.config().builtin.title, app.sites.builtin.settings.title]).toEqual(['Village', 'Village']);
    expect(await look(good.replace('Town', 'Refused'))).toHaveLength(1);
    expect(await look(good)).toEqual([]);
    expect(app.sites.builtin.settings.title).toBe('Town');
  });

  test('a source that the queue refuses does not prevent the schedules of the others', async () => {
    const all = schedulesOf(app);
    const refused = { source: 'refused', cron: '0,0 * * * *', timezone: 'UTC' };
    const before = await schedulers();
    await expect(schedule(queue, [refused, ...all, { source: 'other', everyMs: 60_000 }])).rejects.toThrow('duplicate');
    expect((await schedulers()).map((id) => id.replace(/@.*/, ''))).toEqual(['cinema', 'library', 'other', 'theatre']);
    await schedule(queue, all);
    expect(await schedulers()).toEqual(before);
  });

  test('a removed source is no longer read, and its jobs end without a failure', async () => {
    await save(FIRST);
    expect([...app.context.sources.keys()]).toEqual(['theatre', 'cinema']);
    expect((await schedulers()).length).toBe(2);
    const failed = await queue.getFailedCount();
    const job = await queue.add('sync', { source: 'library', cause: 'schedule' }, { timestamp: Date.now() - 60_000 });
    const state = await until('the end of the job', async () => {
      const now = await job.getState();
      return ['completed', 'failed', 'unknown'].includes(now) ? now : undefined;
    });
    expect(state).not.toBe('failed');
    expect(await queue.getFailedCount()).toBe(failed);
  });

  test('a renamed source keeps its events, once the current run has ended', async () => {
    const from = reports.length;
    await app.sync('cinema');
    const lease = { site: 'builtin', source: 'cinema', run: 'cinema-under-way' };
    expect(await acquireLease(app.state.database, lease, app.context.member.id())).toBe(true);
    const renamed = `builtin: { title: Town }\nsources:\n${source('theatre')}  film: { url: "file:cinema.ics", timezone: UTC, was: cinema }\n`;
    await save(renamed);
    expect([...app.context.sources.keys()]).toEqual(['theatre', 'cinema']);
    await releaseLease(app.state.database, lease.run);
    await reload.load();
    expect([...app.context.sources.keys()]).toEqual(['theatre', 'film']);
    expect(await ended('film', from)).toMatchObject({ created: 0, removed: 0 });
  });

  test('the title of the site and the feeds follow the file, and unchanged sites are kept', async () => {
    await save(`builtin: { title: City }\nfeeds: { all-of-it: {} }\nsources:\n${source('theatre')}`);
    expect(app.sites.builtin.settings.title).toBe('City');
    expect(app.inForce.config().feeds.map(({ id }) => id)).toEqual(['all-of-it']);
    const site = [...app.sites.sites.values()][0];
    await save(`builtin: { title: City }\nsources:\n${source('theatre')}`);
    expect([...app.sites.sites.values()][0]).toBe(site);
  });

  test('the last ten good versions are kept with what they changed, and each change is in the history', async () => {
    const query = app.state.database.query();
    const versions = await listVersions(query);
    expect(versions.length).toBe(10);
    expect(versions[0]).toMatchObject({ changes: '1 feed removed', by: { name: 'somebody', from: 'file' } });
    const [last] = await listActs(query, {}, 1);
    expect(last).toMatchObject({ kind: 'configure', details: { changes: '1 feed removed' } });
    expect((await listRuns(query, undefined, 50)).every(({ state }) => state !== 'failed')).toBe(true);
  });
});
