import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadRun } from '../../src/run/state/records.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import { startRestore } from '../../src/run/decisions/settle-event.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import type { Role } from '../support/real-site/rights.ts';
import { realSite, type RealSite, type RealSiteOptions } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// A user of the site who can edit events but not publish them: the site unpublishes whatever that user changes.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const retitled = (count: number, from = 0): FeedEvent[] =>
  feedEvents(12).map((event, index) =>
    index >= from && index < from + count ? { ...event, title: `Another title ${index}` } : event,
  );
const statuses = (): readonly string[] => real.person.events().map(({ status }) => status);
const slugs = (): readonly string[] => real.person.events().map(({ slug }) => slug);

async function site(options: RealSiteOptions = {}): Promise<void> {
  real = await realSite({ now: () => syncing.clock.now, ...options });
}

const open = (): Promise<OpenedApp> => syncing.open(townOn('a real site', real, feeds));

/** A run by a new process with this role, because a process caches its rights for an hour. */
async function syncAs(role: Role): Promise<Report> {
  real.setRole(role);
  const app = await open();
  const report = await app.sync('town');
  await app.close();
  return report;
}

const ended = async (app: OpenedApp, started: Parameters<typeof carryOn>[2]): Promise<Report> =>
  (await carryOn(app.context, app.setup('town'), started, () => undefined))!;

describe.each([
  { how: 'whose site lets users read their rights', options: {} },
  { how: 'whose site hides its users', options: { hidesUsers: true } },
  { how: 'whose site is an old release', options: { isOld: true } },
])('a user without the right to publish, $how', ({ options }) => {
  beforeEach(() => site(options));

  test('writes nothing, and the run says which right is missing', async () => {
    publish(feedEvents(6));
    expect(await syncAs('contributor')).toMatchObject({
      state: 'failed',
      created: 0,
      writes: 0,
      problems: [
        {
          code: 'site-no-publish',
          message: expect.stringMatching(/may edit events there, but not publish them.*Editor/) as string,
        },
      ],
    });
    expect(real.person.events()).toEqual([]);
    expect(await syncAs('editor')).toMatchObject({ state: 'done', created: 6, problems: [] });
  });

  test('does not unpublish events that an editor has published', async () => {
    publish(feedEvents(12));
    await syncAs('editor');
    const before = slugs();
    publish(retitled(2));
    expect(await syncAs('contributor')).toMatchObject({
      state: 'failed',
      updated: 0,
      writes: 0,
      problems: [{ code: 'site-no-publish' }],
    });
    expect(statuses()).toEqual(before.map(() => 'publish'));
    expect(await syncAs('editor')).toMatchObject({ state: 'done', updated: 2, problems: [] });
    expect(slugs()).toEqual(before);
  });

  test('does not carry on a run that a user with the right began', async () => {
    publish(feedEvents(12));
    await syncAs('editor');
    const before = slugs();
    publish(retitled(2));
    const first = await open();
    const begun = await startRun(first.context, first.setup('town'), 'schedule', false);
    await first.close();
    real.setRole('contributor');
    await commandIn(syncing, townOn('a real site', real, feeds), ['sync']);
    expect(statuses()).toEqual(before.map(() => 'publish'));
    expect(
      (await loadRun((await open()).state.database.query(), begun.kind === 'writing' ? begun.run : ''))?.report,
    ).toMatchObject({
      state: 'failed',
      updated: 0,
      writes: 0,
      problems: [
        { code: 'site-no-publish', message: expect.stringContaining('nothing more of it is written') as string },
      ],
    });
    expect(await syncAs('editor')).toMatchObject({ state: 'done', created: 0, updated: 2, problems: [] });
    expect(slugs()).toEqual(before);
  });
});

// If the role changes while the daemon is running, only an answer of the site shows it.
describe.each([
  { how: 'a current site', options: {} },
  { how: 'an old site', options: { isOld: true } },
])('on $how, losing the right while a process is running', ({ options }) => {
  beforeEach(() => site(options));

  test('stops the run at the first event that the site does not publish', async () => {
    publish(feedEvents(12));
    const app = await open();
    await app.sync('town');
    const before = slugs();
    publish(retitled(2));
    real.setRole('contributor');
    const report = await app.sync('town');
    expect(report).toMatchObject({
      state: 'failed',
      updated: 1,
      writes: 1,
      problems: [
        {
          code: 'site-no-publish',
          message: expect.stringMatching(/"pending" instead of "publish", without an address/) as string,
        },
        { code: 'broken-off', message: expect.stringContaining('1 of its 2 writes') as string },
      ],
    });
    expect(statuses().filter((status) => status === 'pending')).toHaveLength(1);
    // The next process notices before it writes.
    expect(await syncAs('contributor')).toMatchObject({
      state: 'failed',
      writes: 0,
      problems: [{ code: 'site-no-publish' }],
    });
    // With the right back, the event is found by its id and published at its address, without a duplicate.
    expect(await syncAs('editor')).toMatchObject({ state: 'done', created: 0, updated: 2, skipped: 0, problems: [] });
    expect(slugs()).toEqual(before);
    expect(statuses()).toEqual(before.map(() => 'publish'));
    expect(await syncAs('editor')).toMatchObject({ state: 'unchanged', unchanged: 12, skipped: 0 });
  });

  test('stops a run that creates events, and its first event is known from then on', async () => {
    publish(feedEvents(1));
    const app = await open();
    await app.sync('town');
    publish(feedEvents(12));
    real.setRole('contributor');
    expect(await app.sync('town')).toMatchObject({ state: 'failed', created: 1, writes: 1 });
    expect(statuses()).toEqual(['publish', 'pending']);
    expect(await syncAs('editor')).toMatchObject({ state: 'done', created: 10, updated: 1, problems: [] });
    expect(statuses()).toEqual(Array.from({ length: 12 }, () => 'publish'));
    expect(slugs().every((slug) => /-[a-z2-7]{14}$/.test(slug))).toBe(true);
  });

  test('stops a run whose writes until then can be undone', async () => {
    publish(feedEvents(12));
    const app = await open();
    await app.sync('town');
    const before = real.person.events().map(({ title, slug, status }) => ({ title, slug, status }));
    publish([...retitled(1), { ...feedEvents(13)[12]! }]);
    real.setRole('contributor');
    const stopped = await app.sync('town');
    expect(stopped).toMatchObject({ state: 'failed', updated: 1 });
    real.setRole('editor');
    const back = await ended(app, await startUndo(app.context, app.setup('town'), stopped.run, undefined, BY_TESTER));
    expect(back).toMatchObject({ state: 'done', updated: 1, problems: [] });
    expect(
      real.person
        .events()
        .filter(({ status }) => status !== 'trash')
        .map(({ title, slug, status }) => ({ title, slug, status })),
    ).toEqual(before);
  });

  test('restoring an event that counted as removed because it had no address creates no duplicate', async () => {
    publish(feedEvents(12));
    const app = await open();
    await app.sync('town');
    const { slug, id } = real.person.events()[3]!;
    // As earlier releases left it.
    real.person.edit(slug, { status: 'pending', slug: '' });
    await app.state.database.pool.query(`update calsync.ledger set state = 'ignored' where slug = $1`, [slug]);
    const report = await ended(app, await startRestore(app.context, app.setup('town'), slug));
    expect(report).toMatchObject({ state: 'done', created: 0, updated: 1 });
    expect(real.person.events()).toHaveLength(12);
    expect(real.person.event(slug)).toMatchObject({ id, status: 'publish' });
  });
});

test('a site that does not keep slugs stops the run, and its event goes to the trash', async () => {
  await site({ givesOwnSlugs: true });
  publish(feedEvents(12));
  const app = await open();
  const first = await app.sync('town', false);
  expect(first).toMatchObject({
    state: 'failed',
    created: 0,
    writes: 2,
    problems: [
      { code: 'slug-not-kept', message: expect.stringContaining('under the address "post-') as string },
      { code: 'broken-off' },
    ],
  });
  expect(statuses()).toEqual(['trash']);
  const undone = await startUndo(app.context, app.setup('town'), first.run, undefined, BY_TESTER);
  expect(undone).toMatchObject({ kind: 'ended', report: { problems: [{ code: 'nothing-to-undo' }] } });
  for (let run = 0; run < 2; run += 1)
    expect(await app.sync('town', false)).toMatchObject({
      state: 'failed',
      writes: 0,
      skipped: 0,
      problems: [{ code: 'slug-not-kept', message: expect.stringContaining('sync town --full') as string }],
    });
  expect(await app.sync('town', true)).toMatchObject({ state: 'failed', created: 0, skipped: 0, writes: 2 });
  expect(statuses()).toEqual(['trash', 'trash']);
});

test('doctor distinguishes the right to write from the right to publish', async () => {
  await site();
  publish(feedEvents(3));
  const examined = async (role: Role): Promise<unknown> => {
    real.setRole(role);
    const { json } = await commandIn(syncing, townOn('a real site', real, feeds), ['doctor', '--json']);
    return json;
  };
  for (const role of ['editor', 'author'] as const)
    expect(await examined(role)).toMatchObject({
      ok: true,
      sites: [{ may_write: true, may_publish: true }],
      problems: [],
    });
  expect(await examined('contributor')).toMatchObject({
    ok: false,
    sites: [{ may_write: true, may_publish: false }],
    problems: [{ code: 'site-no-publish' }],
  });
  expect(await examined('subscriber')).toMatchObject({
    ok: false,
    sites: [{ may_write: false, may_publish: false }],
    problems: [{ code: 'site-no-rights' }],
  });
});

test.each([
  ['drafts', 'status: draft,', 0],
  ['drafts, except for those that a rule publishes', 'status: draft, set: [{ status: publish }],', 1],
  ['drafts, some of which a rule features', 'status: draft, set: [{ featured: true }],', 0],
])('doctor knows whether the right to write is enough for a source of %s', async (_, settings, expected) => {
  await site();
  publish(feedEvents(3));
  real.setRole('contributor');
  const yaml = townOn('a real site', real, feeds).replace('missing:', `${settings} missing:`);
  const { code, out } = await commandIn(syncing, yaml, ['doctor']);
  expect(code).toBe(expected);
  expect(out).toMatch(
    expected === 0
      ? /~ The user may not publish, which is enough as long as/
      : /! the user may edit events, but not publish/,
  );
});

test('a source that writes drafts needs no right to publish', async () => {
  await site();
  publish(feedEvents(3));
  real.setRole('contributor');
  const app = await syncing.open(townOn('a real site', real, feeds).replace('missing:', 'status: draft, missing:'));
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 3, problems: [] });
  expect(statuses()).toEqual(['draft', 'draft', 'draft']);
});
