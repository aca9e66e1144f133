import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { makeFeedParser, type FeedParser } from '../../src/run/parse/parse-pool.ts';
import { noteWorkerAlive } from '../../src/run/watch/beat.ts';
import { signedInConsole, type ConsoleClient } from '../support/console.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Not every expression that never ends can be recognised beforehand. Running one costs its thread and the run of its
// source, but does not affect others.

const SLOW = ['(a?a?)*', '(a|a){50}'] as const;
/** Enough for a slow machine to do several of the other things meanwhile. */
const MS_MAX = 15_000;

let syncing: SyncingApp;
let feeds: FeedServer;
let parser: FeedParser;
let app: OpenedApp;
let clerk: ConsoleClient;
beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  syncing.clock.now = Date.now();
  feeds.on('/town.ics', body(calendarText(comingEvents(3))));
  feeds.on(
    '/tempting.ics',
    body(calendarText(comingEvents(3).map((event) => ({ ...event, title: `${'a'.repeat(80)}!` })))),
  );
  const sources = SLOW.map(
    (matches, index) =>
      `  slow-${index}: { url: "${feeds.url}/tempting.ics?${index}", skip: [{ field: title, matches: "^${matches}$" }] }\n`,
  );
  const opened = await syncing.open(`fetch: { allow_addresses: [127.0.0.1/32] }
sources:
  town: { url: "${feeds.url}/town.ics" }
${sources.join('')}`);
  parser = makeFeedParser(MS_MAX);
  app = { ...opened, context: { ...opened.context, parser } };
  await noteWorkerAlive(app.state.database.query());
  clerk = await signedInConsole(app);
});
afterAll(async () => {
  await parser.close();
  await Promise.all([syncing.close(), feeds.close()]);
});

const sync = async (source: string): ReturnType<typeof carryOn> => {
  const setup = app.setup(source);
  return carryOn(app.context, setup, await startRun(app.context, setup, 'command', true), () => undefined);
};

test.each(SLOW.map((matches, index) => [matches, `slow-${index}`] as const))(
  'a rule with %s fails its own source, while the console and the others go on',
  async (matches, source) => {
    // Loads everything that is loaded at its first use.
    await sync('town');
    await clerk.get('/sources/');
    let isOver = false;
    const slow = sync(source).finally(() => {
      isOver = true;
    });
    let turns = 0;
    while (turns < 5) {
      expect(await sync('town')).toMatchObject({ problems: [] });
      expect((await clerk.get('/')).status).toBe(200);
      expect((await clerk.get('/sources/')).text).toContain('town');
      if (isOver) break;
      turns += 1;
    }
    // Nothing has waited for the rule; on a busy machine, fewer turns fit into its time.
    expect(turns).toBeGreaterThan(1);
    const report = await slow;
    expect(report).toMatchObject({ state: 'failed', problems: [{ code: 'rules-too-slow' }] });
    expect(report?.problems[0]?.message).toContain(
      `The rules take too long: reading the feed was stopped after ${MS_MAX / 1_000} seconds`,
    );
    const page = (await clerk.get(`/sources/${source}/`)).text;
    expect(page).toMatch(/You must act\. The rules take too long: .* Change the rules/);
    expect(page).toContain(`matches: "^${matches}$"`);
    expect((await clerk.get('/')).text).toContain(source);
  },
);
