import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDispatch, type Dispatch } from '../../src/queue/dispatch.ts';
import type { SyncCause } from '../../src/run/state/causes.ts';
import { loadFeedState } from '../../src/run/state/feed-state.ts';
import { body, conditional, feedServer, status, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const MINUTE = 60_000;
const open = (sources: string): Promise<OpenedApp> =>
  syncing.open(
    `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n${sources}`,
  );
const town = (): Promise<OpenedApp> => open(`  town: { url: "${feeds.url}/town.ics" }\n`);
const calendar = (more = ''): string => calendarText(feedEvents(2)).replace('VERSION:2.0', `VERSION:2.0${more}`);

/** What the scheduler does when a source is due; returns the number of requests so far. */
function scheduled(app: OpenedApp): (cause?: SyncCause) => Promise<number> {
  const dispatch: Dispatch = makeDispatch(
    app.context,
    { addFlow: () => Promise.reject(new Error('nothing is to be written')) },
    () => undefined,
  );
  return async (cause: SyncCause = 'schedule') => {
    await dispatch.start(app.setup('town'), cause);
    return feeds.requests.length;
  };
}

describe('a scheduled run', () => {
  test.each([
    ['Cache-Control', () => ({ 'cache-control': 'public, max-age=1800' }), ''],
    ['Expires', () => ({ expires: new Date(Date.now() + 30 * MINUTE).toUTCString() }), ''],
    ['REFRESH-INTERVAL', () => ({}), '\r\nREFRESH-INTERVAL;VALUE=DURATION:PT30M'],
    ['X-PUBLISHED-TTL', () => ({}), '\r\nX-PUBLISHED-TTL:PT30M'],
  ] as const)('does not fetch before the time in %s, but a command does', async (_, headersNow, line) => {
    feeds.on('/town.ics', (request, response) => body(calendar(line), headersNow())(request, response));
    const app = await town();
    await app.sync('town');
    const tick = scheduled(app);
    syncing.clock.now += 25 * MINUTE;
    expect([await tick(), await tick('start')]).toEqual([1, 1]);
    syncing.clock.now += 6 * MINUTE;
    expect(await tick()).toBe(2);
    // The time starts again with the fetch that found nothing new.
    syncing.clock.now += 25 * MINUTE;
    expect(await tick()).toBe(2);
    await app.sync('town');
    expect(feeds.requests).toHaveLength(3);
  });

  test('fetches earlier if the settings have changed or a full comparison is due', async () => {
    feeds.on('/town.ics', body(calendar(), { 'cache-control': 'max-age=86400' }));
    await (await town()).sync('town');
    const other = await open(`  town: { url: "${feeds.url}/town.ics", status: publish, timezone: Europe/Warsaw }\n`);
    expect(await scheduled(other)()).toBe(2);
    syncing.clock.now += 25 * 60 * MINUTE;
    expect(await scheduled(other)()).toBe(3);
  });

  test('waits longer after each failure, and as long as Retry-After says', async () => {
    feeds.on('/town.ics', status(500));
    const app = await town();
    const tick = scheduled(app);
    const waits: number[] = [];
    for (let failures = 1; failures <= 3; failures += 1) {
      expect(await tick()).toBe(failures);
      const state = await loadFeedState(app.context.database.query(), app.setup('town').site.key, 'town');
      expect(state.failures).toBe(failures);
      waits.push((state.retryAt! - syncing.clock.now) / MINUTE);
      expect(await tick()).toBe(failures);
      syncing.clock.now = state.retryAt!;
    }
    for (const [index, base] of [5, 10, 20].entries())
      expect(Math.abs(waits[index]! - base)).toBeLessThanOrEqual(base / 5);
    // Too many events to be written without a job.
    feeds.on('/town.ics', status(503, '', { 'retry-after': '7200' }), body(calendarText(feedEvents(280))));
    expect(await tick()).toBe(4);
    syncing.clock.now += 119 * MINUTE;
    expect([await tick(), await tick('start')]).toEqual([4, 4]);
    syncing.clock.now += MINUTE;
    await expect(tick()).rejects.toThrow('nothing is to be written');
    expect(await loadFeedState(app.context.database.query(), app.setup('town').site.key, 'town')).toMatchObject({
      failures: 0,
      retryAt: null,
      notBefore: null,
    });
  });

  test('at the start of the program does not wait after a failure', async () => {
    feeds.on('/town.ics', status(500));
    const tick = scheduled(await town());
    expect([await tick(), await tick(), await tick('start')]).toEqual([1, 1, 2]);
  });
});

test('a body that differs only in DTSTAMP is unchanged, and its new validators are used', async () => {
  const text = calendar();
  const stamped = text.replaceAll(/DTSTAMP:\w+/g, 'DTSTAMP:20270101T101010Z');
  expect(stamped).not.toBe(text);
  feeds.on('/town.ics', body(text), conditional(stamped, { etag: '"2"' }));
  const app = await town();
  await app.sync('town');
  expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 2 });
  expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 2 });
  expect(feeds.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, '"2"']);
});

describe('sources with the same address', () => {
  const three = (auth = ''): Promise<OpenedApp> =>
    open(
      `  a: { url: "${feeds.url}/town.ics" }\n  b: { url: "${feeds.url}/town.ics", only: ` +
        `[{ field: title, matches: "0" }] }\n  c: { url: "${feeds.url}/town.ics"${auth} }\n`,
    );

  test('share one fetch, even shortly after it, until one of them is due again', async () => {
    feeds.on('/town.ics', conditional(calendar(), { etag: '"1"' }));
    const app = await three();
    await Promise.all([app.sync('a'), app.sync('b')]);
    expect(await app.sync('c')).toMatchObject({ state: 'done', created: 2 });
    expect(feeds.requests).toHaveLength(1);
    for (const source of ['a', 'b', 'c']) expect(await app.sync(source)).toMatchObject({ state: 'unchanged' });
    expect(feeds.requests).toHaveLength(2);
  });

  test('do not share a fetch with other credentials', async () => {
    feeds.on('/town.ics', body(calendar()));
    const app = await three(', auth: { bearer: other }');
    for (const source of ['a', 'b', 'c']) await app.sync(source);
    expect(feeds.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer other']);
  });

  test('do not share a 304 with a source that has not read that body', async () => {
    feeds.on('/town.ics', conditional(calendar(), { etag: '"1"' }));
    const app = await three();
    await app.sync('a');
    await app.sync('a');
    expect(await app.sync('c')).toMatchObject({ created: 2 });
  });
});
