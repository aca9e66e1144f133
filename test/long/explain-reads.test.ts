import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { explainEvent, type Explanation } from '../../src/run/decisions/explain-event.ts';
import type { RunContext } from '../../src/run/state/context.ts';
import { loadLedger } from '../../src/run/state/ledger.ts';
import type { LedgerEntry } from '../../src/sync/model/plan.ts';
import { unsettled } from '../../src/sync/model/settled.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';

// What `explain` says while the site is unreachable, and what it reads; person.test.ts tests what it says otherwise.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

test('explain shows what is stored here while the site is unreachable, and says so', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  const config = townOn('a real site', real, feeds);
  feeds.on('/town.ics', body(calendarText(feedEvents(8))));
  const app = await syncing.open(config);
  const { run } = await app.sync('town');
  const { slug, id } = (await app.events()).find(({ title }) => title.endsWith('number 3'))!;
  await real.close();
  const { code, json } = await commandIn(syncing, config, ['explain', slug, '--json']);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    slug,
    id,
    source: 'town',
    state: 'kept',
    onSite: null,
    notAsked: expect.stringContaining('could not be reached') as string,
    identity: { identity: 'event-3@feed.example' },
    feed: { presence: 'in the feed', where: { uid: 'event-3@feed.example' } },
    fields: { title: { origin: 'feed', site: 'Event number 3' } },
    edits: [],
    runs: [{ run, action: 'create' }],
  });
  expect((await commandIn(syncing, config, ['explain', slug])).out).toMatch(
    /; not asked now\n {4}127\.0\.0\.1:\d+ could not be reached .*\. The fields are as the site showed them after our last write\.\n/,
  );
});

test('explain requests the event from the site, and none of its lists of names', async () => {
  const real = await realSite({ now: () => syncing.clock.now });
  try {
    const config = townOn('a real site', real, feeds);
    feeds.on('/town.ics', body(calendarText(feedEvents(2))));
    const app = await syncing.open(config);
    await app.sync('town');
    const [{ slug = '' } = {}] = await app.events();
    const before = real.requests.length;
    const { json } = await commandIn(syncing, config, ['explain', slug, '--json']);
    expect(json).toMatchObject({
      onSite: 'publish',
      notAsked: null,
      changedHere: null,
      links: {
        page: expect.stringMatching(/^http/) as string,
        editor: expect.stringMatching(/\/wp-admin\/post\.php\?post=\d+&action=edit$/) as string,
      },
    });
    const asked = real.requests.slice(before);
    expect(asked).toContainEqual(expect.stringContaining('/events'));
    expect(asked.filter((request) => /categories|tags|venues|organizers/.test(request))).toEqual([]);
  } finally {
    await real.close();
  }
});

/** What explain says of each event, and how many drafts each parse of the feed read, if there was one. */
async function explained(app: OpenedApp, asked: (entry: LedgerEntry) => LedgerEntry) {
  const read: number[] = [];
  const { parser } = app.context;
  const context: RunContext = {
    ...app.context,
    parser: {
      ...parser,
      parse: async (input) => {
        const output = await parser.parse(input);
        read.push(output.kind === 'reading' ? output.reading.drafts.length : 0);
        return output;
      },
    },
  };
  const setup = app.setup('town');
  const ledger = await loadLedger(app.context.database.query(), setup.site.key, setup.name);
  const explanations: Explanation[] = [];
  for (const entry of ledger.values()) explanations.push(await explainEvent(context, setup, asked(entry)));
  return { explanations, read };
}

const asItIs = (entry: LedgerEntry): LedgerEntry => entry;

/** The same, if explain has to read the whole feed for each event. */
async function byReadingAll(app: OpenedApp) {
  const query = app.context.database.query();
  const { rows } = await sql<{ frame: string | null }>`select frame from calsync.sources`.execute(query);
  await sql`update calsync.sources set frame = null`.execute(query);
  const whole = await explained(app, unsettled);
  await sql`update calsync.sources set frame = ${rows[0]?.frame ?? null}`.execute(query);
  return whole;
}

/** How many drafts each parse read; checks that explain says the same as after reading the whole feed. */
async function readFor(app: OpenedApp): Promise<readonly number[]> {
  const { explanations, read } = await explained(app, asItIs);
  const whole = await byReadingAll(app);
  expect(explanations).toEqual(whole.explanations);
  expect(whole.read).toHaveLength(explanations.length);
  return read;
}

const config = (source = '', builtin = ''): string =>
  `${builtin}fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics"${source} }\n`;
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));

test('explain reads the feed only if an event is not as the last plan left it', async () => {
  const events = feedEvents(6);
  publish(events);
  const app = await syncing.open(config());
  await app.sync('town');
  expect(await readFor(app)).toEqual([]);
  // Moves the lines of the events after it.
  publish(
    events.map((event, index) =>
      index === 1 ? { ...event, title: 'Another', lines: ['COMMENT:a', 'COMMENT:b'] } : event,
    ),
  );
  await app.sync('town');
  expect(await readFor(app)).toEqual([]);
  const places = (await explained(app, asItIs)).explanations.map(({ feed }) => feed.where?.line ?? 0);
  expect(places.toSorted((one, other) => one - other)).toEqual([4, 11, 20, 27, 34, 41]);
  // A series, an event that is missing, and one that a person has edited.
  publish(
    events.map((event, index) => (index === 2 ? { ...event, lines: ['RRULE:FREQ=DAILY;COUNT=2'] } : event)).slice(1),
  );
  const [, , , , , last] = await app.events();
  await app.site.write([{ method: 'POST', path: `/events/${last?.id}`, body: { title: 'By hand' } }]);
  await app.sync('town', true);
  expect(await readFor(app)).toEqual([4, 4, 4, 4]);
});

test('explain reads the feed if settings, rules or the stored body differ from those of the last plan', async () => {
  const events = feedEvents(4);
  publish(events);
  await (await syncing.open(config())).sync('town');
  expect(await readFor(await syncing.open(config(', window: { past: 5d }')))).toEqual([2, 2, 2, 2]);
  // The effect of a setting on all events can only be found by reading all of them.
  expect(await readFor(await syncing.open(config(', language: pl')))).toEqual([4, 4, 4, 4]);
  const ruled = config(', set: [{ when: [{ field: title, matches: "number 1" }], cost: free }]');
  const app = await syncing.open(ruled);
  await app.sync('town');
  const { explanations, read } = await explained(app, asItIs);
  expect(read).toEqual([2, 2, 2, 2]);
  expect(explanations.filter(({ feed }) => feed.touchedBy.length > 0)).toHaveLength(1);
  const plain = await syncing.open(config());
  await plain.sync('town');
  expect(await readFor(plain)).toEqual([]);
  await plain.context.database.pool.query(`update calsync.sources set stored_hash = 'another'`);
  expect(await readFor(plain)).toEqual([2, 2, 2, 2]);
});
