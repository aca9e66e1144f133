import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { eventRows } from '../../src/site/store/event-rows.ts';
import { eventTotals } from '../../src/site/store/event-totals.ts';
import { seedSite } from '../bench/rest-seed.ts';
import { watchedSite } from '../bench/rest-statements.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { freshDatabase } from '../support/database.ts';

// Lists with cached totals, compared with a naive model that filters and sorts everything each time, while events and
// venues change.

/** RUNS=1000 tries more. */
const RUNS = Number(process.env['RUNS'] ?? 15);
const SEARCHED = 'Trumpet';
const VENUES = ['north', 'south'] as const;
type VenueName = (typeof VENUES)[number];
interface Said {
  readonly title: string;
  readonly start: string;
  readonly hours: number;
  readonly published: string;
  readonly featured: boolean;
  readonly hidden: boolean;
  readonly status: 'publish' | 'draft';
  readonly venues: readonly VenueName[];
  readonly tag: 'one' | 'two';
}
interface Kept extends Said {
  readonly id: number;
}
interface World {
  events: Kept[];
  readonly located: Record<VenueName, boolean>;
}

let site: TestSite;
const ids = {} as Record<VenueName, number>;
beforeAll(async () => {
  site = await builtinSite();
  for (const name of VENUES) ids[name] = (await site.ask('editor', 'POST', '/venues', { venue: name })).body.id;
  for (const name of ['one', 'two']) await site.ask('editor', 'POST', '/tags', { name });
});
afterAll(() => site.close());

// Few days, times and publication dates, so that most events tie with others. One day is long past, one far ahead.
const said: fc.Arbitrary<Said> = fc.record({
  title: fc.constantFrom('Piano', SEARCHED, 'Silence'),
  start: fc
    .tuple(
      fc.constantFrom('2025-03-01', '2026-11-20', '2026-12-01', '2026-12-02', '2027-01-10', '2031-01-01'),
      fc.constantFrom('00:00:00', '18:00:00', '23:59:59'),
    )
    .map((parts) => parts.join(' ')),
  hours: fc.constantFrom(0, 2, 30, 24 * 60),
  published: fc.constantFrom('2026-01-01 10:00:00', '2026-02-01 10:00:00'),
  featured: fc.boolean(),
  hidden: fc.constantFrom(false, false, false, true),
  status: fc.constantFrom('publish', 'publish', 'publish', 'draft'),
  venues: fc.subarray([...VENUES]),
  tag: fc.constantFrom('one', 'two'),
});
const wall = (start: string, hours: number): string =>
  new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const bodyOf = ({ title, start, hours, published, featured, hidden, status, venues, tag }: Said): object => ({
  title,
  start_date: start,
  end_date: wall(start, hours),
  timezone: 'UTC',
  date: published,
  featured,
  hide_from_listings: hidden,
  status,
  venue: venues.map((name) => ids[name]),
  tags: [tag],
});

type Step = (world: World) => Promise<void>;
const created =
  (event: Said): Step =>
  async (world) => {
    const { body } = await site.ask('editor', 'POST', '/events', bodyOf(event));
    world.events.push({ ...event, id: body.id });
  };
const changed =
  (index: number, event: Said): Step =>
  async (world) => {
    const former = world.events[index % Math.max(1, world.events.length)];
    if (!former) return;
    expect((await site.ask('editor', 'PUT', `/events/${former.id}`, bodyOf(event))).status).toBe(200);
    world.events = world.events.map((each) => (each === former ? { ...event, id: former.id } : each));
  };
const trashed =
  (index: number): Step =>
  async (world) => {
    const former = world.events[index % Math.max(1, world.events.length)];
    if (!former) return;
    expect((await site.ask('editor', 'DELETE', `/events/${former.id}`)).status).toBe(200);
    world.events = world.events.filter((each) => each !== former);
  };
const located =
  (name: VenueName, is: boolean): Step =>
  async (world) => {
    expect(
      (
        await site.ask(
          'editor',
          'PUT',
          `/venues/${ids[name]}`,
          is ? { geo_lat: 50, geo_lng: 20 } : { geo_lat: null, geo_lng: null },
        )
      ).status,
    ).toBe(200);
    world.located[name] = is;
  };
const index = fc.nat({ max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(said, { minLength: 1, maxLength: 6 }).map((events): Step => async (world) => {
    for (const event of events) await created(event)(world);
  }),
  fc.tuple(index, said).map(([at, event]) => changed(at, event)),
  index.map(trashed),
  fc.tuple(fc.constantFrom(...VENUES), fc.boolean()).map(([name, is]) => located(name, is)),
);

/** A list, and the naive model's filter for it. */
interface List {
  readonly query: string;
  readonly as?: 'editor';
  readonly fits: (event: Kept, world: World) => boolean;
}
const ALL = 'starts_after=1971-01-01';
const endOf = ({ start, hours }: Kept): string => wall(start, hours);
const isPublic = ({ status, hidden }: Kept): boolean => status === 'publish' && !hidden;
const LISTS: readonly List[] = [
  {
    query: '',
    fits: (event) => isPublic(event) && event.start >= '2026-11-20' && endOf(event) <= '2028-11-20 23:59:59',
  },
  { query: ALL, fits: isPublic },
  {
    query: 'start_date=2025-01-01&end_date=2026-12-02',
    fits: (event) => isPublic(event) && endOf(event) <= '2026-12-02 23:59:59',
  },
  { query: 'ends_before=2027-01-10', fits: (event) => isPublic(event) && endOf(event) <= '2027-01-10 23:59:59' },
  { query: 'ends_after=2026-12-01', fits: (event) => isPublic(event) && endOf(event) > '2026-12-01 23:59:59' },
  { query: `${ALL}&featured=true`, fits: (event) => isPublic(event) && event.featured },
  { query: `${ALL}&search=trumpet`, fits: (event) => isPublic(event) && event.title === SEARCHED },
  { query: `${ALL}&search=-trumpet`, fits: (event) => isPublic(event) && event.title !== SEARCHED },
  { query: `${ALL}&tags=one`, fits: (event) => isPublic(event) && event.tag === 'one' },
  { query: `${ALL}&venue=north`, fits: (event) => isPublic(event) && event.venues.includes('north') },
  ...[true, false].map((is): List => ({
    query: `${ALL}&geoloc=${is}`,
    fits: (event, world) => isPublic(event) && event.venues.some((name) => world.located[name]) === is,
  })),
  {
    query: `${ALL}&geoloc_lat=50&geoloc_lng=20`,
    fits: (event, world) => isPublic(event) && event.venues.some((name) => world.located[name]),
  },
  { query: `${ALL}&status=publish,draft`, as: 'editor', fits: () => true },
  { query: `${ALL}&status=draft`, as: 'editor', fits: ({ status }) => status === 'draft' },
];

const sorted = (events: readonly Kept[]): readonly Kept[] =>
  events.toSorted(
    (one, other) =>
      one.start.localeCompare(other.start) || one.published.localeCompare(other.published) || one.id - other.id,
  );

/** Checks that every page of a list is that of the naive model. */
async function checkList({ query, as, fits }: List, world: World, perPage: number): Promise<void> {
  const expected = sorted(world.events.filter((event) => fits(event, world))).map(({ id }) => id);
  const pages = Math.max(1, Math.ceil(expected.length / perPage));
  for (let page = 1; page <= pages; page += 1) {
    const { status, body } = await site.ask(
      as ?? null,
      'GET',
      `/events?${query.replace('north', String(ids.north))}&per_page=${perPage}&page=${page}`,
    );
    expect([query, page, status, body['total'], body.events.map(({ id }) => id)]).toEqual([
      query,
      page,
      200,
      expected.length,
      expected.slice((page - 1) * perPage, page * perPage),
    ]);
  }
}

async function checkVenues({ events }: World): Promise<void> {
  const named = async (query: string): Promise<readonly unknown[]> =>
    (await site.ask(null, 'GET', `/venues?per_page=50&${query}`)).body.venues.map(({ id }) => id).toSorted();
  const having = (fits: (event: Kept) => boolean): readonly number[] =>
    VENUES.filter((name) =>
      events.some((event) => event.status === 'publish' && event.venues.includes(name) && fits(event)),
    )
      .map((name) => ids[name])
      .toSorted();
  const all = VENUES.map((name) => ids[name]).toSorted();
  const withEvents = having(() => true);
  expect([
    await named('has_events=true'),
    await named('has_events=false'),
    await named('only_with_upcoming=true'),
  ]).toEqual([
    withEvents,
    all.filter((id) => !withEvents.includes(id)),
    having(({ start }) => start >= '2026-11-20 10:40:59'),
  ]);
}

describe('lists after any writes', () => {
  it('equal those of a naive model, page by page', async () => {
    const law = fc.asyncProperty(
      fc.array(said, { maxLength: 12 }),
      fc.array(
        fc.tuple(step, fc.subarray([...LISTS], { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 7 })),
        { minLength: 1, maxLength: 8 },
      ),
      async (first, steps) => {
        await sql`delete from site.events`.execute(site.db);
        const world: World = { events: [], located: { north: false, south: false } };
        for (const name of VENUES) await located(name, false)(world);
        for (const event of first) await created(event)(world);
        for (const list of LISTS) await checkList(list, world, 5);
        for (const [write, lists, perPage] of steps) {
          await write(world);
          for (const list of lists) await checkList(list, world, perPage);
          await checkVenues(world);
        }
      },
    );
    await expect(fc.assert(law, { numRuns: RUNS })).resolves.toBeUndefined();
  });

  it('by distance equal all events sorted, even if only the nearest venues are looked at', async () => {
    const { database, address, close } = await freshDatabase();
    await seedSite(database.pool, 6_000);
    // 120 of 200 venues are within reach, in pairs at the same place; some events have a second venue.
    await database.pool.query(
      `update site.venues set geo_lat = 52 + (substr(slug, 7)::integer / 2) * 0.0037, geo_lng = 21`,
    );
    await database.pool.query(
      `update site.events set venue_ids = venue_ids || array[1 + (venue_ids[1] * 7) % 200] where id % 3 = 0`,
    );
    const site = watchedSite(address);
    const { rows } = await database.pool.query<{
      id: number;
    }>(`select events.id from site.events join site.venues on venues.id = any (venue_ids)
      group by events.id having min(6371 * acos(least(1, cos(radians(geo_lat - 52))))) <= 25
      order by round(min(6371 * acos(least(1, cos(radians(geo_lat - 52)))))::numeric, 6),
        start_wall, events.published_at, events.id`);
    expect(rows.length).toBeGreaterThan(3_000);
    const ids = rows.map(({ id }) => id);
    for (const page of [1, 2, 3, 7, 20, Math.ceil(ids.length / 50)]) {
      const { body } = await site.ask(
        'GET',
        `/api/calendar/events/v1/events?starts_after=1971-01-01&geoloc_lat=52&geoloc_lng=21&per_page=50&page=${page}`,
      );
      expect([page, body.total, body.events.map(({ id }) => id)]).toEqual([
        page,
        ids.length,
        ids.slice((page - 1) * 50, page * 50),
      ]);
    }
    await site.close();
    await close();
  });

  it('are right even if something is written between the count and the page', async () => {
    await sql`delete from site.events`.execute(site.db);
    const world: World = { events: [], located: { north: false, south: false } };
    const event: Said = {
      title: 'Piano',
      start: '2026-12-01 18:00:00',
      hours: 2,
      published: '2026-01-01 10:00:00',
      featured: false,
      hidden: false,
      status: 'publish',
      venues: [],
      tag: 'one',
    };
    for (const start of ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04'])
      await created({ ...event, start: `${start} 18:00:00` })(world);
    const db = site.db;
    const where = sql<boolean>`status = 'publish'`;
    const stale = await eventTotals(db, where);
    expect([stale.total, [...stale.days.values()]]).toEqual([4, [1, 1, 1, 1]]);
    const page = async () =>
      (await eventRows(db, { where, limit: 2, offset: 2 }, stale)).map(({ start_wall: start }) => start.slice(0, 10));
    expect(await page()).toEqual(['2026-12-03', '2026-12-04']);
    await created({ ...event, start: '2026-11-30 18:00:00' })(world);
    // The count per day no longer says where a page begins.
    expect(await page()).toEqual(['2026-12-02', '2026-12-03']);
    expect((await eventTotals(db, where)).total).toBe(5);
    await sql`truncate site.events cascade`.execute(site.db);
    expect((await eventTotals(db, where)).total).toBe(0);
  });

  it('equal all events sorted, when only a few days of many events are counted again', async () => {
    const { database, close } = await freshDatabase();
    await seedSite(database.pool, 4_000);
    const db = database.query();
    const wheres = [
      sql<boolean>`status = 'publish'`,
      sql<boolean>`status = 'publish' and start_wall >= '2027-01-01' and end_wall < '2027-11-01'`,
      sql<boolean>`searched like '%event 1%'`,
    ];
    // 4,000 events on 400 days: after a change of a few, only their days are counted again.
    const some = fc
      .array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 2 })
      .map((numbers) => sql`slug = any (${numbers.map((number) => `event-${number}`)})`);
    const write = fc.oneof(
      some.map((which) => sql`delete from site.events where ${which}`),
      some.map(
        (which) =>
          sql`update site.events set status = case when status = 'publish' then 'draft' else 'publish' end where ${which}`,
      ),
      fc
        .tuple(some, fc.integer({ min: -3, max: 3 }))
        .map(
          ([which, days]) =>
            sql`update site.events set start_wall = start_wall + ${days} * interval '1 day', end_wall = end_wall + ${days} * interval '1 day' where ${which}`,
        ),
      some.map(
        (which) => sql`insert into site.events (slug, title, status, author, language, published_at, dated, modified_at,
          start_wall, end_wall, start_at, end_at, timezone, all_day)
        select '', title, 'publish', 1, 'en', published_at, true, modified_at, start_wall, end_wall, start_at,
        end_at, timezone, all_day from site.events where ${which}`,
      ),
      fc.constant(sql`update site.venues set title = title where slug = 'venue-1'`),
    );
    const law = fc.asyncProperty(write, fc.nat(), fc.integer({ min: 1, max: 50 }), async (statement, at, limit) => {
      await statement.execute(db);
      for (const where of wheres) {
        const totals = await eventTotals(db, where);
        const { rows } = await sql<{
          id: number;
        }>`select id from site.events where ${where} order by start_wall, published_at, id`.execute(db);
        const offset = at % rows.length;
        const page = await eventRows(db, { where, limit, offset }, totals);
        expect([totals.total, page.map(({ id }) => id)]).toEqual([
          rows.length,
          rows.slice(offset, offset + limit).map(({ id }) => id),
        ]);
      }
    });
    await expect(fc.assert(law, { numRuns: RUNS * 4 })).resolves.toBeUndefined();
    await close();
  });
});
