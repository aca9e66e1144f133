import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAlerts, type Alerts } from '../../src/cli/open/alerts.ts';
import { sql } from '../../src/db/database.ts';
import { rejectRun } from '../../src/run/decisions/approve-run.ts';
import { lostDeliveries, undelivered } from '../../src/run/deliveries/deliveries.ts';
import { failedInARow } from '../../src/run/state/troubles.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, status, type FeedServer } from '../support/feed-server.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// How people learn that a source fails or a run waits: by the webhook, or by running `doctor`.

let syncing: SyncingApp;
let feeds: FeedServer;
let hook: FeedServer;
let app: OpenedApp;
let alerts: Alerts;
let told: { readonly event: string; readonly text: string }[];
const yaml = (): string =>
  'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
  `[127.0.0.1/32] }\nalerts: { webhook: "${hook.url}/hook" }\nsources:\n` +
  `  town: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`;

beforeEach(async () => {
  [syncing, feeds, hook] = await Promise.all([syncingApp(), feedServer(), feedServer()]);
  // The database stamps runs with the real time.
  syncing.clock.now = Date.now();
  app = await syncing.open(yaml());
  told = [];
  hook.on('/hook', (request, response) => {
    let text = '';
    request
      .on('data', (chunk: Buffer) => {
        text += chunk.toString();
      })
      .on('end', () => {
        told.push(JSON.parse(text) as (typeof told)[number]);
        response.end();
      });
  });
  alerts = openAlerts(app);
});
afterEach(async () => {
  await alerts.close();
  await Promise.all([syncing.close(), feeds.close(), hook.close()]);
});

const run = async (): Promise<Report> => {
  const report = await app.sync('town');
  await alerts.sendDue();
  return report;
};
const fails = (): void => feeds.on('/town.ics', status(503));
const works = (count = 10): void => feeds.on('/town.ics', body(calendarText(comingEvents(count))));
/** The feed loses all events before this one. */
const only = (from: number): void => feeds.on('/town.ics', body(calendarText(comingEvents(10).slice(from))));
/** Moves all runs so many minutes into the past. */
const later = (minutes: number): Promise<unknown> =>
  sql`update calsync.runs set started_at = started_at - make_interval(mins => ${minutes}),
    finished_at = finished_at - make_interval(mins => ${minutes})`.execute(app.state.database.query());

describe('the webhook', () => {
  test('is called at the second failure in a row, not at the first, and at recovery', async () => {
    works();
    await run();
    fails();
    await run();
    expect(told).toEqual([]);
    await run();
    await run();
    expect(told).toMatchObject([
      { event: 'failing', text: expect.stringMatching(/^town has failed 2 times in a row: /) as string },
    ]);
    works();
    await run();
    expect(told.slice(1)).toMatchObject([{ event: 'recovered', text: 'town works again.' }]);
  });

  test('is not called for a failure that is over with the next run', async () => {
    fails();
    await run();
    works();
    await run();
    expect(told).toEqual([]);
  });

  test('is called once, by one process, for a single failure that no run has followed for an hour', async () => {
    fails();
    await run();
    await later(50);
    await alerts.sendDue();
    expect(told).toEqual([]);
    await later(15);
    const second = openAlerts(app);
    await Promise.all([alerts.sendDue(), second.sendDue()]);
    await second.close();
    await alerts.sendDue();
    expect(told).toMatchObject([
      {
        event: 'failing',
        text: expect.stringMatching(/^town has failed, and was not read again for an hour: /) as string,
      },
    ]);
  });

  test('is called once per receiver, even if another process has another configuration', async () => {
    fails();
    await run();
    await run();
    expect(told).toHaveLength(1);
    const elsewhere = await syncing.open(
      yaml().replace(`webhook: "${hook.url}/hook"`, `receivers: { desk: { webhook: "${hook.url}/hook" } }`),
    );
    const other = openAlerts(elsewhere);
    for (let round = 0; round < 2; round++) {
      await other.sendDue();
      await alerts.sendDue();
    }
    await other.close();
    await elsewhere.close();
    expect(told.map(({ event }) => event)).toEqual(['failing', 'failing']);
    works();
    await run();
    expect(told.slice(2)).toMatchObject([{ event: 'recovered' }]);
  });

  test('is called for a held plan that follows a rejected one, even if nothing was checked in between', async () => {
    works();
    await run();
    only(6);
    const first = await run();
    expect(told).toMatchObject([{ event: 'held' }]);
    await alerts.sendDue();
    expect(told).toHaveLength(1);
    await rejectRun(app.context, first.run, { by: { name: 'clerk', from: 'console' } });
    only(7);
    expect(await app.sync('town')).toMatchObject({ state: 'held' });
    await alerts.sendDue();
    expect(told).toMatchObject([{ event: 'held' }, { event: 'held' }]);
    expect(told[0]?.text).not.toBe(told[1]?.text);
    await alerts.sendDue();
    expect(told).toHaveLength(2);
  });

  test('is called again after a while if it did not accept the message', async () => {
    fails();
    await run();
    hook.on('/hook', status(500));
    await run();
    hook.on('/hook', (_request, response) => {
      told.push({ event: 'taken', text: '' });
      response.end();
    });
    await alerts.sendDue();
    expect(told).toHaveLength(0);
    expect(await undelivered(app.state.database.query())).toMatchObject([
      { receiver: 'alerts.webhook', answer: 'answered 500', tries: 1 },
    ]);
    expect((await commandIn(syncing, yaml(), ['doctor', '--json'])).json['problems']).toContainEqual({
      code: 'alert-not-sent',
      where: { field: 'alerts.webhook' },
      message:
        'alerts.webhook did not accept the last message (tried once): answered 500. "npm run -s calsyncd -- alerts test alerts.webhook" tries again.',
    });
    syncing.clock.now += 60_000;
    await alerts.sendDue();
    expect(told).toHaveLength(1);
    expect(await undelivered(app.state.database.query())).toEqual([]);
  });

  test('is called as soon as a clock that was far ahead is right again', async () => {
    const right = syncing.clock.now;
    const query = app.state.database.query();
    fails();
    await run();
    hook.on('/hook', status(500));
    syncing.clock.now += 300 * 86_400_000;
    await run();
    expect(await undelivered(query)).toHaveLength(1);
    syncing.clock.now = right;
    hook.on('/hook', (_request, response) => {
      told.push({ event: 'taken', text: '' });
      response.end();
    });
    await alerts.sendDue();
    expect(told).toHaveLength(1);
    // As if a process had died while sending.
    await sql`update calsync.deliveries set state = 'sending' where state = 'refused'`.execute(query);
    expect(await lostDeliveries(query, right)).toHaveLength(1);
  });

  test('gets a payload with event, source, run, text, link, and the report of the run', async () => {
    works();
    await run();
    feeds.on('/town.ics', body(calendarText(comingEvents(10).slice(8))));
    const held = await run();
    expect(told).toEqual([
      {
        event: 'held',
        source: 'town',
        run: held.run,
        text: expect.stringMatching(/^A run of town waits for a person: This would remove 8 of 10 /) as string,
        report: { ...held, requests: expect.any(Number) as number },
        link: expect.stringContaining(held.run) as string,
      },
    ]);
    await alerts.sendDue();
    expect(told).toHaveLength(1);
  });
});

describe('doctor', () => {
  test('names sources whose last runs have failed, even if their feed works now', async () => {
    fails();
    await run();
    await run();
    works();
    const { code, json } = await commandIn(syncing, yaml(), ['doctor', '--json']);
    expect({ code, json }).toMatchObject({
      code: 1,
      json: {
        ok: false,
        problems: [
          {
            code: 'source-failing',
            message: expect.stringMatching(
              /^town: .+, since .*\d\d:\d\d\. .*"npm run -s calsyncd -- show town-/,
            ) as string,
          },
        ],
      },
    });
    await app.sync('town');
    expect(await commandIn(syncing, yaml(), ['doctor', '--json'])).toMatchObject({
      code: 0,
      json: { ok: true, problems: [] },
    });
  });

  test('names held runs and conflicts, which need a person', async () => {
    works();
    await app.sync('town');
    const event = (await app.events()).find(({ title }) => title === 'Event number 9')!;
    await app.site.write([{ method: 'POST', path: `/events/${event.id}`, body: { title: 'By hand' } }]);
    feeds.on(
      '/town.ics',
      body(
        calendarText(comingEvents(10).map((each, index) => (index === 9 ? { ...each, title: 'Another title' } : each))),
      ),
    );
    expect(await app.sync('town', true)).toMatchObject({ conflicts: 1 });
    feeds.on('/town.ics', body(calendarText(comingEvents(10).slice(8))));
    const held = await app.sync('town');
    expect(held).toMatchObject({ state: 'held' });
    const { code, json } = await commandIn(syncing, yaml(), ['doctor', '--json']);
    expect(code).toBe(2);
    expect(json['problems']).toMatchObject([
      { code: 'run-held', message: expect.stringContaining(`"approve ${held.run}" does it`) as string },
      {
        code: 'conflicts',
        message:
          '1 event of town was changed both in the feed and on the site: "By hand". ' +
          'The site is not changed until "npm run -s calsyncd -- settle" says who is right.',
      },
    ]);
    expect((await commandIn(syncing, yaml(), ['doctor'])).out).toMatch(/^BAD +decisions/m);
  });
});

test('failures in a row end only with a run that read the feed, even if its plan was held or rejected', async () => {
  const STATES = { u: 'unchanged', d: 'done', h: 'held', f: 'failed', r: 'rejected', w: 'writing' } as const;
  const histories = ['f', 'ff', 'fuf', 'dfff', 'ffd', 'fh', 'hff', 'ffrf', 'ufw', 'wr', 'u', 'fffu', 'uffrw'];
  for (const [index, history] of histories.entries())
    for (const [at, letter] of [...history].entries())
      await sql`insert into calsync.runs (run, site, source, cause, state, started_at) values
        (${`${index}-${at}`}, ${index % 2 === 0 ? 'one' : 'other'}, ${history}, '{"kind":"schedule"}',
          ${STATES[letter as keyof typeof STATES]}, ${new Date(at)})`.execute(app.state.database.query());
  // A source of the same name on another site works, which must not matter.
  await sql`insert into calsync.runs (run, site, source, cause, state, started_at) values ('z', 'third', 'ff', '{"kind":"schedule"}', 'done', now())`.execute(
    app.state.database.query(),
  );
  const { rows } = await sql<{ source: string; count: number }>`select source, count(*)::int as count
    from ${failedInARow} as failed group by source`.execute(app.state.database.query());
  const wanted = histories.flatMap((history) => {
    const count = history.replace(/^.*[udhr]/, '').replace(/[^f]/g, '').length;
    return count > 0 ? [[history, count] as const] : [];
  });
  expect(new Map(rows.map(({ source, count }) => [source, count]))).toEqual(new Map(wanted));
});
