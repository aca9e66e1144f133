import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { repetitions } from '../support/repetitions.ts';
import { pagesOf, type Browser } from '../support/site-pages.ts';

// After a write, only what it has changed is made again; the rest comes from the cache, and is still right.

const RUNS = repetitions(10);

let site: TestSite;
let keeping: Browser;
const ids: Record<string, number> = {};
beforeAll(async () => {
  site = await builtinSite();
  keeping = pagesOf(site)();
  for (const name of ['north', 'south'])
    ids[name] = (await site.ask('editor', 'POST', '/venues', { venue: name })).body.id;
  ids['band'] = (await site.ask('editor', 'POST', '/organizers', { organizer: 'band' })).body.id;
  for (const name of ['arts', 'film']) ids[name] = (await site.ask('editor', 'POST', '/categories', { name })).body.id;
  ids['jazz'] = (await site.ask('editor', 'POST', '/categories', { name: 'jazz', parent: ids['arts'] ?? 0 })).body.id;
});
afterAll(() => site.close());

const ADDRESSES: readonly string[] = [
  '/',
  '/?free=1',
  '/?category=arts',
  '/?q=-trumpet',
  '/month/2026-12/',
  '/week/2026-11-30/',
  '/category/arts/',
  '/venue/north/',
  '/event/event-1/',
  '/event/event-2/',
  '/event/event-2/dates/',
  '/api/calendar/events/v1/events?per_page=3',
  '/api/calendar/events/v1/events?per_page=3&page=2',
  '/api/calendar/events/v1/events?categories=arts',
  '/api/calendar/events/v1/events?search=trumpet',
  '/api/calendar/events/v1/events?search=-trumpet+-drums',
  '/api/calendar/events/v1/events/by-slug/event-1',
  '/api/calendar/events/v1/categories?hide_empty=1',
  '/api/calendar/events/v1/venues?has_events=1',
];

interface Said {
  readonly title: string;
  readonly start_date: string;
  readonly hours: number;
  readonly venue: string;
  readonly categories: readonly string[];
  readonly more: object;
}
const said: fc.Arbitrary<Said> = fc.record({
  title: fc.constantFrom('Piano', 'Trumpet', 'Drums'),
  start_date: fc.constantFrom(
    '2026-11-20 18:00:00',
    '2026-12-01 10:00:00',
    '2026-12-02 10:00:00',
    '2026-12-09 10:00:00',
    '2027-03-01 18:00:00',
  ),
  hours: fc.constantFrom(2, 30, 24 * 20),
  venue: fc.constantFrom('north', 'south'),
  categories: fc.subarray(['arts', 'film', 'jazz']),
  more: fc.constantFrom({}, {}, { password: 'open' }, { hide_from_listings: true }, { status: 'draft' }, { cost: '0' }),
});
const bodyOf = ({ hours, venue, categories, more, ...event }: Said): object => ({
  status: 'publish',
  password: '',
  hide_from_listings: false,
  cost: '5',
  ...event,
  end_date: new Date(Date.parse(`${event.start_date.replace(' ', 'T')}Z`) + hours * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' '),
  venue: ids[venue],
  organizer: ids['band'],
  categories: categories.map((name) => ids[name]),
  ...more,
});

type Step = () => Promise<unknown>;
const editor = (method: string, path: string, body: object = {}): Promise<unknown> =>
  site.ask('editor', method, path, body);
const NUMBERS = 4;
const number = fc.integer({ min: 1, max: NUMBERS });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(number, said).map(([n, event]) => async () => {
      const slug = `event-${n}`;
      const { status } = await site.ask('editor', 'PUT', `/events/by-slug/${slug}`, bodyOf(event));
      if (status !== 200) await editor('POST', '/events', { ...bodyOf(event), slug });
    }),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(number, fc.string({ maxLength: 5 })).map(
      ([n, text]) =>
        () =>
          editor('PUT', `/events/by-slug/event-${n}`, { description: `About ${text}` }),
    ),
  },
  number.map((n) => () => editor('DELETE', `/events/by-slug/event-${n}`)),
  fc.constantFrom('North', 'Northern hall').map((venue) => () => editor('PUT', `/venues/${ids['north']}`, { venue })),
  fc.constantFrom('publish', 'draft').map((status) => () => editor('PUT', `/venues/${ids['north']}`, { status })),
  fc
    .constantFrom('band', 'Big band')
    .map((organizer) => () => editor('PUT', `/organizers/${ids['band']}`, { organizer })),
  fc.constantFrom('arts', 'Fine arts').map((name) => () => editor('PUT', `/categories/${ids['arts']}`, { name })),
  fc
    .boolean()
    .map(
      (isBelow) => () => editor('PUT', `/categories/${ids['jazz']}`, { parent: isBelow ? ids['arts'] : ids['film'] }),
    ),
  // Several writes at once, as a run sends them.
  fc.array(said, { minLength: 1, maxLength: 4 }).map(
    (events) => () =>
      site.ask('editor', 'POST', '/api/batch/v1', {
        requests: events.map((event) => ({ path: '/calendar/events/v1/events', body: bodyOf(event) })),
      }),
  ),
);

let asked = 0;
/** The same page at an address that nobody has requested yet. */
const elsewhere = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}_=${(asked += 1)}`;

/** Compares answers with those of a site on the same database that has an empty cache. */
async function compare(addresses: readonly string[]): Promise<number> {
  // Counts as another site, about which nothing is cached.
  const fresh = pagesOf({ ...site, counted: { ...site.counted } })();
  for (const address of addresses) {
    const [kept, made] = [await keeping.get(address), await fresh.get(address)];
    expect([address, kept.status, kept.html]).toEqual([address, made.status, made.html]);
  }
  return addresses.length;
}

const EVENT: Said = {
  title: 'Piano',
  start_date: '2026-12-01 10:00:00',
  hours: 2,
  venue: 'north',
  categories: ['jazz'],
  more: {},
};
async function succeed(method: string, path: string, body: object = {}): Promise<void> {
  expect((await site.ask('editor', method, path, body)).status).toBeLessThan(300);
}
const WRITES: readonly (readonly [what: string, write: Step])[] = [
  ['a text', () => succeed('PUT', '/events/by-slug/event-1', { description: 'Doors at seven' })],
  ['a title', () => succeed('PUT', '/events/by-slug/event-1', { title: 'Trumpet' })],
  ['a day', () => succeed('PUT', '/events/by-slug/event-1', bodyOf({ ...EVENT, start_date: '2026-12-02 10:00:00' }))],
  ['a place', () => succeed('PUT', '/events/by-slug/event-1', { venue: ids['south'] })],
  [
    'another date of it',
    () =>
      succeed('POST', '/events', {
        ...bodyOf({ ...EVENT, title: 'Trumpet', start_date: '2026-12-09 10:00:00', venue: 'south' }),
        slug: 'event-3',
      }),
  ],
  ['who may see that', () => succeed('PUT', '/events/by-slug/event-3', { hide_from_listings: true })],
  ['another event', () => succeed('POST', '/events', { ...bodyOf(EVENT), slug: 'event-2' })],
  ['a category', () => succeed('PUT', '/events/by-slug/event-2', { categories: [ids['film']] })],
  ['what it is below', () => succeed('PUT', `/categories/${ids['film']}`, { parent: ids['arts'] })],
  ['what its password hides', () => succeed('PUT', '/events/by-slug/event-2', { password: 'open' })],
  ['who may see its place', () => succeed('PUT', `/venues/${ids['north']}`, { status: 'draft' })],
  ['the name of a place', () => succeed('PUT', `/venues/${ids['south']}`, { venue: 'Southern hall' })],
  ['the name of a category', () => succeed('PUT', `/categories/${ids['jazz']}`, { name: 'Jazz and more' })],
  ['an event that is gone', () => succeed('DELETE', '/events/by-slug/event-2')],
  ['no event at all', () => sql`truncate site.events cascade`.execute(site.db)],
];

test('after each kind of write, pages and answers are those of a site with an empty cache', async () => {
  await succeed('POST', '/events', { ...bodyOf(EVENT), slug: 'event-1' });
  await succeed('POST', '/events', {
    ...bodyOf(EVENT),
    start_date: '2026-12-05 10:00:00',
    end_date: '2026-12-05 11:00:00',
  });
  await compare(ADDRESSES);
  for (const [what, write] of WRITES) {
    await write();
    // Long enough after the last write that writing seems to be over.
    site.clock.now += 2_000;
    const addresses = [...ADDRESSES.map(elsewhere), ...ADDRESSES];
    expect([what, await compare(addresses)]).toEqual([what, addresses.length]);
  }
});

test('after any sequence of writes, pages and answers are those of a site with an empty cache', async () => {
  let compared = 0;
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(
          fc.tuple(step, fc.subarray([...ADDRESSES], { minLength: 4, maxLength: 8 }), fc.boolean(), fc.boolean()),
          { minLength: 2, maxLength: 10 },
        ),
        async (steps) => {
          for (const [write, addresses, isQuiet, isNew] of steps) {
            await write();
            if (isQuiet) site.clock.now += 2_000;
            compared += await compare(isNew ? addresses.map(elsewhere) : addresses);
          }
        },
      )
      .beforeEach(async () => {
        await sql`delete from site.events`.execute(site.db);
      }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS);
});
