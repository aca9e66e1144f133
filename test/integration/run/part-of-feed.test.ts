import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunContext } from '../../../src/run/state/context.ts';
import { releaseLease } from '../../../src/run/state/lease.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { sourceRecordOf } from '../../../src/run/site/moved-site.ts';
import { decide } from '../../../src/run/steps/decide.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { realSite } from '../../support/real-site/real-site.ts';
import { townOn } from '../../support/two-sites.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

const HOUR_MS = 3_600_000;
let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const open = (more = ''): Promise<OpenedApp> =>
  syncing.open(
    `${more}fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
  );
const publish = (events: readonly FeedEvent[]): unknown => feeds.on('/town.ics', body(calendarText(events)));

/** How many events a run would read now, and what it would do. */
async function planNow(app: OpenedApp): Promise<{ read: number; actions: readonly string[]; unchanged: number }> {
  let read = 0;
  const { parser } = app.context;
  const context: RunContext = {
    ...app.context,
    parser: {
      ...parser,
      parse: async (input) => {
        const output = await parser.parse(input);
        read += output.kind === 'reading' ? output.reading.drafts.length : 0;
        return output;
      },
    },
  };
  const setup = app.setup('town');
  const decision = await decide(context, setup, await sourceRecordOf(context, setup), false);
  if (decision.kind !== 'planned') throw new Error(decision.kind);
  const { plan } = decision;
  return { read, actions: plan.actions.map(({ kind }) => kind).toSorted(), unchanged: plan.unchanged };
}

test('only the changed events of a feed are read, and one more', async () => {
  const events = feedEvents(40);
  publish(events);
  const app = await open();
  await app.sync('town');
  const changed = [
    ...events.slice(1).map((event, index) => (index === 7 ? { ...event, title: 'Another' } : event)),
    { uid: 'new' },
  ];
  publish(changed);
  expect(await planNow(app)).toEqual({ read: 3, actions: ['create', 'update'], unchanged: 38 });
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, updated: 1, unchanged: 38 });
  // The event that is gone costs no more.
  expect(await planNow(app)).toEqual({ read: 1, actions: [], unchanged: 40 });
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', unchanged: 40 });
});

test('a feed with a new signed address each time is not read whole because of that', async () => {
  const events = feedEvents(20);
  let asked = 0;
  feeds.on('/town.ics', (_request, response) => {
    asked += 1;
    response.writeHead(302, { location: `/signed.ics?token=${asked}` }).end();
  });
  feeds.on('/signed.ics', body(calendarText(events)));
  const app = await open();
  await app.sync('town');
  feeds.on('/signed.ics', body(calendarText([{ ...events[0]!, title: 'Another' }, ...events.slice(1)])));
  expect(await planNow(app)).toEqual({ read: 2, actions: ['update'], unchanged: 19 });
});

test('however often parts are compared, the whole site is compared when that is due', async () => {
  const events = feedEvents(40);
  publish(events);
  const app = await open();
  await app.sync('town');
  const fullAt = async (): Promise<number | null> => (await sourceRecordOf(app.context, app.setup('town'))).feed.fullAt;
  const first = await fullAt();
  for (const title of ['Another', 'One more']) {
    syncing.clock.now += HOUR_MS;
    publish([...events.slice(1), { ...events[0]!, title }]);
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1 });
  }
  expect([await fullAt(), first]).toEqual([first, syncing.clock.now - 2 * HOUR_MS]);
  syncing.clock.now += app.setup('town').site.fullEveryMs - 2 * HOUR_MS;
  expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 40 });
  expect(await fullAt()).toBe(syncing.clock.now);
});

test('a feed that changed outside its events is read whole once, and in part again after that', async () => {
  const events = feedEvents(20);
  publish(events);
  const app = await open();
  await app.sync('town');
  const named = (title: string): unknown =>
    feeds.on(
      '/town.ics',
      body(
        calendarText([{ ...events[0]!, title }, ...events.slice(1)]).replace('VERSION:2.0', 'VERSION:2.0\r\nX-OF:Town'),
      ),
    );
  named('Another');
  expect(await planNow(app)).toEqual({ read: 20, actions: ['update'], unchanged: 19 });
  await app.sync('town');
  named('A third');
  expect(await planNow(app)).toEqual({ read: 2, actions: ['update'], unchanged: 19 });
});

test('an event without a digest is read with the next change of another one', async () => {
  const events = feedEvents(10);
  publish(events);
  const app = await open();
  await app.sync('town');
  const { rows } = await app.state.database.pool.query<{ slug: string }>(
    "select slug from calsync.ledger where uid = 'event-3@feed.example'",
  );
  await app.state.database.pool.query('update calsync.ledger set digest = null where slug = $1', [rows[0]!.slug]);
  publish(events.slice(1));
  expect(await planNow(app)).toEqual({ read: 2, actions: [], unchanged: 9 });
});

test('after an interrupted run of a feed that changed outside its events, the whole feed is read', async () => {
  const events = feedEvents(10);
  publish(events);
  const app = await open();
  await app.sync('town');
  const named = calendarText([{ ...events[0]!, title: 'Another' }, ...events.slice(1)]);
  feeds.on('/town.ics', body(named.replace('VERSION:2.0', 'VERSION:2.0\r\nX-OF:Town')));
  const started = await startRun(app.context, app.setup('town'), 'command', false);
  expect(started.kind).toBe('writing');
  await releaseLease(app.context.database, started.kind === 'writing' ? started.run : '');
  publish(events.slice(1));
  expect(await planNow(app)).toMatchObject({ read: 9 });
});

test('an event that a run is to write loses its digest if the feed changed outside its events', async () => {
  const events = feedEvents(5);
  publish(events);
  const app = await open();
  await app.sync('town');
  // The zone of the calendar matters only for whole days.
  const asDay = (zone: string): string =>
    calendarText(events)
      .replace('DTSTART;TZID=Europe/Warsaw:20270303T180000\r\nDURATION:PT1H', 'DTSTART;VALUE=DATE:20270303')
      .replace('VERSION:2.0', `VERSION:2.0\r\nX-WR-TIMEZONE:${zone}`);
  feeds.on('/town.ics', body(asDay('Europe/Warsaw')));
  await app.sync('town');
  feeds.on('/town.ics', body(asDay('Europe/London')));
  const started = await startRun(app.context, app.setup('town'), 'command', false);
  expect(started.kind).toBe('writing');
  // The site may refuse the write, and the text of that event in the feed is the same as before.
  const { rows } = await app.state.database.pool.query<{ uid: string }>(
    'select uid from calsync.ledger where digest is null',
  );
  expect(rows).toEqual([{ uid: 'event-2@feed.example' }]);
});

/** Whole days, then two times in UTC; only the events after these name a zone. */
const oddTimes = (events: readonly FeedEvent[]): string =>
  calendarText(events)
    .replace(/DTSTART;TZID=Europe.Warsaw:(2027030[1-3])T180000\r\nDURATION:PT1H/g, 'DTSTART;VALUE=DATE:$1')
    .replace(/DTSTART;TZID=Europe.Warsaw:(2027030[45])T180000/g, 'DTSTART:$1T170000Z');

test('times in UTC get the zone of the site once the only event that names a zone is gone', async () => {
  const events = feedEvents(6);
  feeds.on('/town.ics', body(oddTimes(events)));
  const app = await open('builtin: { timezone: Europe/Warsaw }\n');
  await app.sync('town');
  feeds.on('/town.ics', body(oddTimes([...events.slice(0, 5), { uid: 'new', start: '20270302T180000' }])));
  expect(await planNow(app)).toMatchObject({ read: 6, actions: ['create', 'update', 'update'] });
});

/** The first two events of the feed in the ledger. */
async function firstTwo(app: OpenedApp): Promise<readonly { readonly id: number; readonly slug: string }[]> {
  const { rows } = await app.state.database.pool.query<{ id: number; slug: string }>(
    "select id, slug from calsync.ledger where uid in ('event-0@feed.example', 'event-1@feed.example') order by uid",
  );
  return rows;
}

test('a full comparison does not request again the events that made it necessary', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const events = feedEvents(40);
  publish(events);
  const app = await syncing.open(townOn('a real site', real, feeds));
  await app.sync('town');
  const [changed, gone] = await firstTwo(app);
  real.person.trash(gone!.slug);
  const before = real.requests.length;
  publish(events.map((event, index) => (index < 2 ? { ...event, title: `Another ${index}` } : event)));
  expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1 });
  const asked = real.requests.slice(before);
  // Once to plan, and once more before the write.
  expect(asked.filter((request) => new RegExp(`^GET .*/events/${changed!.id}\\b`).test(request))).toHaveLength(2);
});

test('many changed events are read from the site page by page, and no others', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const events = feedEvents(60);
  publish(events);
  const app = await syncing.open(townOn('a real site', real, feeds));
  await app.sync('town');
  const [edited] = await firstTwo(app);
  real.person.edit(edited!.slug, { title: 'By hand' });
  publish(events.map((event, index) => (index < 40 ? { ...event, title: `Another ${index}` } : event)));
  const before = real.requests.length;
  // The one that a person has edited stays.
  const updates = Array.from({ length: 39 }, () => 'update');
  expect(await planNow(app)).toEqual({ read: 41, actions: updates, unchanged: 21 });
  const ids = real.requests
    .slice(before)
    .flatMap((request) => /^GET .*\/events\?.*include=([^&]*)/.exec(request)?.[1] ?? []);
  expect(ids.map((page) => decodeURIComponent(page).split(',').length)).toEqual([40]);
  expect(real.requests.slice(before)).toHaveLength(1);
});
