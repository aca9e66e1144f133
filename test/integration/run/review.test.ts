import { exitFor } from '../../../src/cli/open/one-run.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approveRun, rejectRun } from '../../../src/run/decisions/approve-run.ts';
import { stopRun } from '../../../src/run/decisions/stop-run.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { loadRun } from '../../../src/run/state/records.ts';
import type { Report } from '../../../src/sync/model/plan.ts';
import { commandIn, type Said } from '../../support/command.ts';
import { BY_TESTER } from '../../support/by-tester.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// What a held run shows, and what a person can do with it: approve it in part, reject it, or undo it.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  publish(feedEvents(10));
  app = await syncing.open(config());
  await app.sync('town');
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (): string =>
  'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
  `[127.0.0.1/32] }\nsources: { town: { url: "${feeds.url}/town.ics", missing: ` +
  '{ after: 1 } } }\n';
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const command = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config(), words);
const json = async (...words: readonly string[]): Promise<Record<string, unknown>> =>
  (await command(...words, '--json')).json as Record<string, unknown>;
const titles = async (): Promise<readonly string[]> => (await app.events()).map(({ title }) => title).toSorted();
/** A run of the schedule. */
const scheduled = async (): Promise<Report | undefined> => {
  const setup = app.setup('town');
  return carryOn(app.context, setup, await startRun(app.context, setup, 'schedule', false), () => undefined);
};
const few = feedEvents(10).filter((_, index) => index < 2 || index === 9);

describe('a held run', () => {
  test('shows what a person needs to decide, in JSON too, and still does once it is decided', async () => {
    publish(few);
    const { run } = await app.sync('town');
    const told = {
      reasons: [{ kind: 'removals', count: 7, all: 10, limit: { share: 0.2, moreThan: 3 } }],
      counts: { remove: 7, move: 0, change: 0, new: 0 },
      coming: 10,
      feed: { now: 3, before: { count: 10 } },
      gone: { count: 7, pattern: { kind: 'span' }, how: 'trash' },
      difference: { changed: 0, come: 0 },
    };
    expect(await json('show', run)).toMatchObject({
      review: told,
      steps: { fetch: { status: 200 }, read: { events: 3, coming: 3 } },
    });
    expect((await command('show', run)).out).toMatch(
      new RegExp(
        String.raw` {2}This run would remove 7 of 10 coming events \(70 %; you allow 20 %\)\.[^\n]*` +
          String.raw`The missing ones are all from \d+ March to \d+ March\.\n` +
          String.raw` {2}7 pages would say “no longer available”\.`,
      ),
    );
    await rejectRun(app.context, run, { ...BY_TESTER, reason: 'ask the publisher' });
    expect(await json('show', run)).toMatchObject({
      state: 'rejected',
      review: told,
      acts: [{ act: 'reject', reason: 'ask the publisher' }],
    });
  });

  test('can be approved except for some events, which later runs leave alone', async () => {
    publish([...few, { uid: 'new', title: 'New one', start: '20270401T120000' }]);
    const { run } = await app.sync('town');
    const slugs = (await app.events()).filter(({ title }) => /[57]$/.test(title)).map(({ slug }) => slug);
    await expect(
      approveRun(app.context, app.setup('town'), run, { ...BY_TESTER, except: ['nothing-of-it'] }),
    ).rejects.toMatchObject({ code: 'event-unknown' });
    const pages = slugs.map((slug) => `https://town.example/event/${slug}/`);
    const { code, out } = await command('approve', run, '--except', ...pages, '--reason', 'they do take place');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('1 created, 5 removed') as string });
    expect(out).toMatch(/2 events were left out, as it was decided: "Event number 5"/);
    const left = ['Event number 0', 'Event number 1', 'Event number 5', 'Event number 7', 'Event number 9', 'New one'];
    expect(await titles()).toEqual(left);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', removed: 0 });
    expect(await titles()).toEqual(left);
    expect(await json('events', '--state', 'gone')).toMatchObject({ total: 0 });
    expect(await json('explain', slugs[0]!)).toMatchObject({
      feed: { missing: 0 },
      whyNotNewer: [
        'The feed does not say anything about it now: not in the feed any more. ' +
          'A person has kept it anyway, so it stays until somebody takes it off.',
      ],
    });
    expect((await json('show', run))['acts']).toMatchObject([{ act: 'approve', reason: 'they do take place' }]);
  });

  test('that is rejected is held again once the feed changes, or at once if a person asks for a run', async () => {
    publish(few);
    const held = await scheduled();
    expect(held?.state).toBe('held');
    await rejectRun(app.context, held?.run ?? '', BY_TESTER);
    expect(await scheduled()).toMatchObject({ state: 'unchanged', problems: [{ code: 'rejected-before' }] });
    expect((await app.sync('town')).state).toBe('held');
    publish(few.slice(1));
    expect((await scheduled())?.state).toBe('held');
  });

  test('that is rejected is held again if the feed is repaired and breaks in the same way', async () => {
    publish(few);
    await rejectRun(app.context, (await scheduled())?.run ?? '', BY_TESTER);
    publish(feedEvents(10));
    expect(await scheduled()).toMatchObject({ state: 'unchanged', problems: [] });
    publish(few);
    const again = await scheduled();
    expect(again?.state).toBe('held');
    await rejectRun(app.context, again?.run ?? '', BY_TESTER);
    expect(await scheduled()).toMatchObject({ state: 'unchanged', problems: [{ code: 'rejected-before' }] });
  });

  test('is superseded once the feed is again as in a plan that was rejected earlier', async () => {
    publish(few);
    await rejectRun(app.context, (await scheduled())?.run ?? '', BY_TESTER);
    publish(few.slice(1));
    const second = await scheduled();
    publish(few);
    expect((await scheduled())?.state).toBe('held');
    await expect(approveRun(app.context, app.setup('town'), second?.run ?? '', BY_TESTER)).rejects.toMatchObject({
      code: 'run-not-held',
    });
  });
});

describe('a run', () => {
  test('can be previewed before it is undone', async () => {
    publish([{ ...feedEvents(10)[0]!, title: 'Renamed' }, ...feedEvents(10).slice(1)]);
    const { run } = await app.sync('town');
    const { code, json: told } = await command('undo', run, '--dry-run', '--json');
    expect(code).toBe(2);
    expect(told).toMatchObject({
      runs: [
        {
          source: 'town',
          state: 'done',
          updated: 1,
          plan: [{ action: 'update', fields: { title: { from: 'Renamed', to: 'Event number 0' } } }],
        },
      ],
    });
    expect(await titles()).toContain('Renamed');
  });

  test('that is asked to stop ends before its next batch, and the next run does the rest', async () => {
    publish(feedEvents(10).map((event) => ({ ...event, lines: ['DESCRIPTION:Anew'] })));
    const setup = app.setup('town');
    const started = await startRun(app.context, setup, 'command', false);
    const run = started.kind === 'writing' ? started.run : '';
    await stopRun(app.context, run, BY_TESTER);
    const report = await carryOn(app.context, setup, started, () => undefined);
    expect(report).toMatchObject({
      state: 'done',
      updated: 0,
      problems: [
        { code: 'stopped', message: expect.stringMatching(/^Stopped by tester, with 0 of 10 writes/) as string },
      ],
    });
    expect(exitFor([report!])).toBe(1);
    expect((await command('runs', 'town', '--limit', '1')).out).toMatch(
      / stopped +0 unchanged; stopped before its end/,
    );
    expect((await command('show', run)).out).toMatch(/, state stopped\n/);
    expect(await loadRun(app.context.database.query(), run)).toMatchObject({ stopAskedBy: 'tester' });
    await expect(stopRun(app.context, run, BY_TESTER)).rejects.toMatchObject({ code: 'run-not-writing' });
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 10 });
  });
});
