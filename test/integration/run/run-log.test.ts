import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLog, noteLines, logAndKeep } from '../../../src/run/log/run-log.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { resumeRun } from '../../../src/run/steps/resume-run.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { signedInConsole } from '../../support/console.ts';
import { loadRun } from '../../../src/run/state/records.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/town.ics', body(calendarText(feedEvents(30))));
  app = await syncing.open(
    `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics?token=s3cret" }\n`,
  );
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));

const logOf = (run: string): ReturnType<typeof loadLog> => loadLog(app.context.database.query(), run);
const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test('a run keeps the lines of its log, and counts the answers of the site by status', async () => {
  const { run } = await app.sync('town');
  const { lines, leftOut } = await logOf(run);
  expect(leftOut).toBe(0);
  expect(lines.map(({ text, facts }) => [text, facts])).toMatchObject([
    ['the feed was fetched', { status: 200, from: expect.stringMatching(/town\.ics$/) as string }],
    ['it was read', { events: 30, coming: 30, problems: 0 }],
    ['it was compared with the site', {}],
    ['the plan was stored', { actions: 30, batches: 2 }],
    ['a batch was written', { stage: 'events', batch: 0, attempt: 1, done: 25, open: 0, refused: 0 }],
    ['a batch was written', { stage: 'events', batch: 1, attempt: 1, done: 5 }],
    ['the run has ended', { state: 'done', created: 30 }],
  ]);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
  const record = await loadRun(app.context.database.query(), run);
  expect(record?.requests).toBeGreaterThan(0);
  expect(sum(record?.statuses ?? {})).toBe(record?.requests);
  expect(Object.keys(record?.statuses ?? {})).toContain('200');
});

test('a run counts how many of the events that it read are still to come', async () => {
  const other = await syncingApp();
  try {
    other.clock.now = Date.parse('2027-03-11T00:00:00Z');
    const own = await other.open(
      `fetch: { allow_addresses: [127.0.0.1/32] }\nsources: { town: { url: "${feeds.url}/town.ics" } }\n`,
    );
    const { run } = await own.sync('town');
    const record = await loadRun(own.context.database.query(), run);
    expect(record?.steps?.read).toMatchObject({ events: 30, coming: 20 });
  } finally {
    await other.close();
  }
});

test('an interrupted run logs when it was continued, and both attempts', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(31))));
  const setup = app.setup('town');
  const started = await startRun(app.context, setup, 'command', false);
  const name = started.kind === 'writing' ? started.run : '';
  const record = await loadRun(app.context.database.query(), name);
  if (!record) throw new Error(started.kind);
  await carryOn(app.context, setup, await resumeRun(app.context, { run: record, setup }, false), () => undefined);
  const { lines } = await logOf(name);
  const texts = lines.map(({ text }) => text);
  expect(texts.slice(texts.indexOf('the plan was stored'))).toEqual([
    'the plan was stored',
    'the run was continued after an interruption',
    'a batch was written',
    'the run has ended',
  ]);
  const { text } = await (await signedInConsole(app)).get(`/runs/${name}/`);
  expect(text).toMatch(/It was interrupted and continued ?, .* the log below has both attempts\./);
});

test('runs with an unchanged feed, and runs that fail, are logged', async () => {
  const unchanged = await app.sync('town');
  expect((await logOf(unchanged.run)).lines.map(({ text }) => text)).toEqual([
    'the feed was fetched',
    'the run has ended',
  ]);
  feeds.on('/town.ics', body('<p>gone</p>', { 'content-type': 'text/html' }));
  const failed = await app.sync('town');
  const [fetched, problem, ended] = (await logOf(failed.run)).lines;
  expect(fetched?.text).toBe('the feed was fetched');
  expect(problem).toMatchObject({ level: 'warn', text: 'a problem', facts: { code: failed.problems[0]?.code } });
  expect(ended).toMatchObject({ facts: { state: 'failed' } });
});

test('a long log keeps its first and last lines, and says how many were left out', async () => {
  const { run } = await app.sync('town', true);
  const query = app.context.database.query();
  const already = (await logOf(run)).lines.length;
  for (let at = 0; at < 150; at += 50)
    await noteLines(
      query,
      run,
      logAndKeep(
        app.context,
        { run, source: 'town' },
        Array.from({ length: 50 }, (_, index) => ({ level: 'debug', text: 'a line', facts: { number: at + index } })),
      ),
    );
  const { lines, leftOut } = await logOf(run);
  expect([lines.length, leftOut]).toEqual([100, already + 50]);
  expect(lines[19]?.facts).toEqual({ number: 19 - already });
  expect(lines[20]?.facts).toEqual({ number: 70 });
  expect(lines.at(-1)?.facts).toEqual({ number: 149 });
});
