import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadLedger } from '../../src/run/state/ledger.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { loadUnanswered } from '../../src/run/state/lost-answers.ts';
import { askAboutLostAnswers } from '../../src/run/site/ask-about-lost-answers.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// How many requests a site gets: as few as the changes need, but enough to respect what people have done there.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const DAY_MS = 86_400_000;
const KINDS = 30;
const PLACES = 40;
const PEOPLE = 20;
/** Events with 30 categories, 40 venues and 20 organizers among them. */
const varied = (count: number): FeedEvent[] =>
  feedEvents(count).map((event, index) => ({
    ...event,
    lines: [
      `CATEGORIES:Kind ${index % KINDS}`,
      `LOCATION:Place ${index % PLACES}`,
      `ORGANIZER;CN=People ${index % PEOPLE}:mailto:p@town.example`,
      'DESCRIPTION:As it was',
    ],
  }));
const changed = (
  events: readonly FeedEvent[],
  count: number,
  change: (event: FeedEvent) => Partial<FeedEvent>,
): FeedEvent[] => events.map((event, index) => (index < count ? { ...event, ...change(event) } : event));
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));

const SITES = ['the built-in site', 'a real site'] as const;
function open(site: (typeof SITES)[number], more = ''): Promise<OpenedApp> {
  const { username, applicationPassword } = real.credentials;
  const target =
    site === 'a real site'
      ? `site: { url: "${real.root}", namespace: ${real.namespace}, username: ${username}, application_password: "${applicationPassword}" }\n`
      : '';
  return syncing.open(
    `${target}builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics"${more} }\n`,
  );
}

/** A run that retries without waiting. */
const syncAtOnce = async ({ context, setup }: OpenedApp): ReturnType<typeof carryOn> =>
  carryOn(
    context,
    setup('town'),
    await startRun(context, setup('town'), 'command', false),
    () => undefined,
    async () => undefined,
  );

/** The requests that the double of a real site got meanwhile, without namespace, ids and slugs. */
async function askedFor(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = real.requests.length;
  await work();
  return real.requests.slice(before).map((request) =>
    request
      .replace(`/${real.namespace}`, '')
      .replace(/\?.*$/, '')
      .replace(/\/\d+$/, '/ID')
      .replace(/by-slug\/.*$/, 'by-slug/SLUG'),
  );
}
const countOf = (requests: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(requests, (request) => request)].map(([request, { length }]) => [request, length]),
  );

describe.each(SITES)('on %s', (site) => {
  test('an unchanged feed needs no request until a full comparison is due, which only reads', async () => {
    publish(varied(120));
    const app = await open(site);
    await app.sync('town');
    for (let round = 1; round < 24; round += 1) {
      syncing.clock.now += DAY_MS / 24;
      expect(await app.sync('town')).toMatchObject({ state: 'unchanged', unchanged: 120, requests: 0, writes: 0 });
    }
    syncing.clock.now += DAY_MS / 24;
    // The events are three pages over the network, else one; venues, organizers, categories and tags are one list each.
    expect(await app.sync('town')).toMatchObject({
      state: 'unchanged',
      requests: (site === 'a real site' ? 3 : 1) + 4,
      writes: 0,
    });
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', requests: 0, writes: 0 });
  });

  test('an unchanged feed without events to keep needs no request, although its ledger is as empty as a lost one', async () => {
    publish([]);
    const app = await open(site, ', skip: [{ field: title, matches: number }]');
    await app.sync('town');
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', requests: 0 });
    publish(feedEvents(3));
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', skipped: 3 });
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', requests: 0 });
  });

  test('one changed event needs one read and one write', async () => {
    publish(varied(120));
    const app = await open(site);
    await app.sync('town');
    publish(changed(varied(120), 1, () => ({ title: 'Another title', start: '20270501T200000' })));
    expect(await app.sync('town')).toMatchObject({
      state: 'done',
      updated: 1,
      unchanged: 119,
      requests: 2,
      writes: 1,
      problems: [],
    });
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', requests: 0 });
    expect((await app.events()).filter(({ title }) => title === 'Another title')).toMatchObject([
      { start_date: '2027-05-01 20:00:00', venue: { venue: 'Place 0' } },
    ]);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', unchanged: 120, writes: 0 });
  });

  test('one new event needs a look-up by slug, one list of names, and one write', async () => {
    publish(varied(120));
    const app = await open(site);
    await app.sync('town');
    publish([...varied(120), { uid: 'new', title: 'New one', lines: ['CATEGORIES:Kind 3'] }]);
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, requests: 1 + 1 + 1, writes: 1 });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', unchanged: 121, writes: 0 });
  });

  test('a missing event is counted without a request, and read before it is removed', async () => {
    publish(varied(120));
    const app = await open(site);
    await app.sync('town');
    publish(varied(120).filter((_, index) => index !== 5));
    for (let round = 1; round <= 2; round += 1)
      expect(await app.sync('town')).toMatchObject({ removed: 0, requests: 0 });
    expect(await app.sync('town')).toMatchObject({ state: 'done', removed: 1, requests: 2, writes: 1 });
    expect(await app.events()).toHaveLength(119);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('many changed events are read in lists, not one by one', async () => {
    publish(varied(60));
    const app = await open(site);
    await app.sync('town');
    publish(changed(varied(60), 25, () => ({ lines: ['DESCRIPTION:As it is'] })));
    const { requests, updated } = await app.sync('town');
    expect(updated).toBe(25);
    // One page of the changed events, and lists of the names that they had; then a batch and a last look at its events,
    // or without batches a read and a write of each event.
    expect(requests).toBe(1 + 3 + (site === 'a real site' ? 2 * 25 : 2));
  });

  test('an edit is noticed before that event is written, and otherwise when a full comparison is due', async () => {
    publish(varied(30));
    const app = await open(site);
    await app.sync('town');
    const [first, second, third] = ['Event number 0', 'Event number 1', 'Event number 2'];
    const edit = async (title: string, description: string): Promise<void> => {
      const { id, slug } = (await app.events()).find((event) => event.title === title)!;
      if (site === 'a real site') real.person.edit(slug, { description });
      else await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { description } }]);
    };
    await edit(first!, 'By hand');
    await edit(second!, 'By hand, too');
    const trashed = (await app.events()).find(({ title }) => title === third)!;
    await app.site.write([{ method: 'DELETE', path: `/events/${trashed.id}` }]);
    // The feed changes the first event: its description, which is a conflict, and its time.
    publish(
      changed(varied(30), 1, () => ({
        start: '20270601T180000',
        lines: [...varied(1)[0]!.lines!.slice(0, -1), 'DESCRIPTION:As it is'],
      })),
    );
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, conflicts: 1, writes: 1 });
    expect((await app.events()).find(({ title }) => title === first)).toMatchObject({
      start_date: '2027-06-01 18:00:00',
      description: expect.stringContaining('By hand') as string,
    });
    syncing.clock.now += DAY_MS;
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged', skipped: 1, writes: 0 });
    expect((await app.events()).find(({ title }) => title === second)).toMatchObject({
      description: expect.stringContaining('By hand, too') as string,
    });
    // The event that a person removed changes in the feed, but stays removed.
    publish(changed(varied(30), 3, () => ({ start: '20270701T180000' })));
    expect(await app.sync('town')).toMatchObject({ updated: 2, created: 0, skipped: 1 });
    expect(await app.events()).toHaveLength(29);
  });

  test('a missing event leads to a full comparison, so a run for a site that has lost everything is held', async () => {
    publish(varied(30));
    const app = await open(site);
    await app.sync('town');
    if (site === 'a real site') for (const { slug } of real.person.events()) real.person.erase(slug);
    else await app.context.database.pool.query('truncate site.events cascade');
    publish(changed(varied(30), 1, () => ({ title: 'Another title' })));
    const report = await app.sync('town');
    expect(report).toMatchObject({
      state: 'held',
      writes: 0,
      problems: [
        {
          code: 'held',
          message:
            'Site lost or restored: 30 of 30 upcoming events that were written before are not found on the site any more. Approving creates them again.',
        },
      ],
    });
  });
});

describe('a first sync', () => {
  test('needs ⌈terms/250⌉ + ⌈(venues + organizers)/250⌉ + ⌈events/250⌉ write requests on the built-in site, and the lists', async () => {
    publish(varied(330));
    const app = await open('the built-in site');
    const report = await app.sync('town');
    // Up to ten batches of 25 in one request.
    const gos = Math.ceil(KINDS / 250) + Math.ceil((PLACES + PEOPLE) / 250) + Math.ceil(330 / 250);
    // Two indexes; for the plan the events, those in the trash and four lists; venues and organizers once more before
    // they are created; and our rights there.
    const lists = 2 + 6 + 2 + 1;
    expect(report).toMatchObject({
      state: 'done',
      created: 330,
      writes: KINDS + PLACES + PEOPLE + 330,
      requests: gos + lists,
    });
  });

  test('needs one write per item on a site without batches, and the lists', async () => {
    publish(varied(60));
    const app = await open('a real site');
    const requests = await askedFor(() => app.sync('town'));
    expect(countOf(requests.filter((request) => request.startsWith('POST')))).toEqual({
      'POST /categories': KINDS,
      'POST /venues': PLACES,
      'POST /organizers': PEOPLE,
      'POST /events': 60,
    });
    // The same as with batches, except that venues and organizers are written in four parts, at the same time.
    expect(requests.filter((request) => request.startsWith('GET')).length).toBeLessThanOrEqual(2 + 6 + 2 * 4 + 1);
  });
});

describe('on a real site', () => {
  test('one changed event is read and written at its own address', async () => {
    publish(varied(60));
    const app = await open('a real site');
    await app.sync('town');
    publish(changed(varied(60), 1, () => ({ title: 'Another title' })));
    expect(await askedFor(() => app.sync('town'))).toEqual(['GET /events/ID', 'POST /events/by-slug/SLUG']);
  });

  test('an update that is tried again reads the event again', async () => {
    publish(varied(60));
    const app = await open('a real site');
    await app.sync('town');
    publish(changed(varied(60), 1, () => ({ title: 'Another title' })));
    real.fail({ kind: 'lost' }, { when: (method, where) => method === 'POST' && where.includes('/events/by-slug/') });
    expect(await askedFor(() => app.sync('town'))).toEqual([
      'GET /events/ID',
      'POST /events/by-slug/SLUG',
      'GET /events/ID',
      'POST /events/by-slug/SLUG',
    ]);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('an event that a person protected with a password is still updated', async () => {
    publish(varied(60));
    const app = await open('a real site');
    await app.sync('town');
    const { slug } = (await app.events())[0]!;
    real.person.edit(slug, { password: 'sesame', cost: '25', featured: true });
    publish(changed(varied(60), 1, () => ({ title: 'Another title' })));
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, conflicts: 0, problems: [] });
    expect(real.person.event(slug)).toMatchObject({
      title: 'Another title',
      password: 'sesame',
      cost: '25',
      featured: true,
    });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('a write without an answer is looked up once, as soon as the site can be reached', async () => {
    publish(varied(60));
    const app = await open('a real site');
    await app.sync('town');
    const [update, create] = [
      changed(varied(60), 1, () => ({ title: 'Another title' })),
      [...varied(60), { uid: 'new', title: 'New one' }],
    ];
    for (const [events, asked] of [
      [update, ['GET /events/ID']],
      [create, ['GET /events/by-slug/SLUG', 'GET /events/by-slug/SLUG']],
    ] as const) {
      publish(events);
      let isAway = false;
      real.fail({ kind: 'lost' }, { when: (method) => method === 'POST' && (isAway = true) });
      real.fail({ kind: 'status', status: 500 }, { when: () => isAway, times: 100 });
      expect(await syncAtOnce(app)).toMatchObject({ state: 'failed' });
      expect(await syncAtOnce(app)).toMatchObject({ state: 'failed', writes: 0 });
      real.heal();
      // The second look-up by slug is for a duplicate.
      expect(
        await askedFor(async () =>
          expect(await app.sync('town')).toMatchObject({ state: 'unchanged', conflicts: 0, problems: [] }),
        ),
      ).toEqual(asked);
      expect(await askedFor(() => app.sync('town'))).toEqual([]);
      publish(varied(60));
      expect(await app.sync('town')).toMatchObject({ state: events === update ? 'done' : 'unchanged' });
    }
  });

  test('many writes without an answer are looked up in lists, not one by one', async () => {
    publish(varied(60));
    const app = await open('a real site');
    await app.sync('town');
    const updated = changed(varied(60), 30, (event) => ({
      lines: [...event.lines!.slice(0, -1), 'DESCRIPTION:As it is'],
    }));
    const created = [
      ...varied(60),
      ...Array.from({ length: 30 }, (_, index) => ({ uid: `new-${index}`, title: `New ${index}` })),
    ];
    // Either fifty ids per request, or everything: 60 events in two pages, and the trash.
    for (const [events, pages] of [
      [updated, 1],
      [created, 3],
    ] as const) {
      publish(events);
      real.fail({ kind: 'status', status: 500 }, { when: (method) => method === 'POST', times: 1000 });
      expect(await syncAtOnce(app)).toMatchObject({ state: 'failed' });
      real.heal();
      const [query, setup] = [app.state.database.query(), app.setup('town')];
      const unanswered = await loadUnanswered(query, setup);
      expect(unanswered).toHaveLength(30);
      const ledger = await loadLedger(query, setup.site.key, 'town');
      expect(
        countOf(
          await askedFor(async () =>
            expect(await askAboutLostAnswers(setup.site.client, unanswered, ledger)).toMatchObject({
              twins: new Map(),
            }),
          ),
        ),
      ).toEqual({ 'GET /events': pages });
      publish(varied(60));
      expect(await app.sync('town')).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
      expect(await loadUnanswered(query, setup)).toEqual([]);
    }
  });

  test('a write that the site has not carried out is looked up and done by the next run', async () => {
    publish(varied(60));
    const app = await open('a real site');
    await app.sync('town');
    publish([...changed(varied(60), 1, () => ({ title: 'Another title' })), { uid: 'new', title: 'New one' }]);
    real.fail({ kind: 'status', status: 500 }, { when: (method) => method === 'POST', times: 100 });
    expect(await syncAtOnce(app)).toMatchObject({ state: 'failed' });
    real.heal();
    expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, updated: 1, removed: 0 });
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
    expect(await askedFor(() => app.sync('town'))).toEqual([]);
  });
});
