import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../src/contract/api.ts';
import { LISTS, seedFilters } from '../bench/filter-lists.ts';
import { watchedSite, type Statement, type WatchedSite } from '../bench/rest-statements.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

// How the database finds the pages of a long list; test/bench/filters.ts measures how long that takes.
const EVENTS = 20_000;
const NS = '/api/calendar/events/v1';
let fresh: FreshDatabase;
let site: WatchedSite;
beforeAll(async () => {
  fresh = await freshDatabase();
  await seedFilters(fresh.database.pool, EVENTS);
  site = watchedSite(fresh.address);
});
afterAll(async () => {
  await site.close();
  await fresh.close();
});

async function plansOf(statements: readonly Statement[]): Promise<string> {
  const texts: string[] = [];
  for (const { text, values } of statements) {
    const { rows } = await fresh.database.pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off) ${text}`,
      [...values],
    );
    texts.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return texts.join('\n');
}

const tried = (path: string): readonly string[] =>
  LISTS.filter(([list]) => list.startsWith(`/${path}?`)).flatMap(([list]) => [
    ...new URLSearchParams(list.slice(path.length + 2)).keys(),
  ]);

// A word in every event: counting the matches reads all events once.
const IN_EVERY_EVENT = 'search=doors';

describe('no list scans the table of events', () => {
  it.each(LISTS.map(([list, as]) => ({ list, as, who: as?.login ?? 'nobody' })))(
    '$list as $who',
    async ({ list, as }) => {
      const at = `${NS}${list}&per_page=50`;
      const {
        statements: first,
        body: { total },
      } = await site.ask('GET', at, as);
      await fresh.database.pool.query(
        `update site.events set title = title where slug in ('event-5', 'event-6', 'event-7')`,
      );
      const { statements: afterWrite } = await site.ask('GET', at, as);
      const { statements: last } = await site.ask('GET', `${at}&page=${Math.max(1, Math.ceil(total / 50))}`, as);
      const plan = await plansOf([...(list.includes(IN_EVERY_EVENT) ? [] : first), ...afterWrite, ...last]);
      expect(plan).toContain('Scan');
      expect(plan).not.toContain('Seq Scan on events');
    },
  );

  it('every filter of the interface is tried', () => {
    // Paging and sorting are tested elsewhere; `strict_dates` does not change the comparisons.
    const others = ['page', 'per_page', 'strict_dates', 'ticketed', 'order', 'include', 'exclude', 'post', 'slug'];
    for (const [path, { args }] of [
      ['events', api.listEvents],
      ['venues', api.listVenues],
    ] as const) {
      expect(Object.keys(args).filter((name) => !others.includes(name) && !tried(path).includes(name))).toEqual([]);
    }
  });
});

it.each([
  ['featured=true', 'events_featured_idx'],
  ['featured=false', 'events_public_idx'],
  ['geoloc=true', 'events_public_idx'],
])('%s, which leaves out protected events, is counted and paged with an index-only scan', async (filter, index) => {
  const { statements } = await site.ask('GET', `${NS}/events?${filter}&per_page=50`);
  const plan = await plansOf(statements);
  expect(plan).toContain(`Index Only Scan using ${index}`);
  expect(plan).toMatch(/password = ''/);
  expect(plan).not.toMatch(/Seq Scan on events|Bitmap Heap Scan on events.*\n.*Filter/);
});

it.each([
  // No list has had pages of this length, so nothing about them is cached.
  ['first', 'per_page=49&page=1', 60],
  ['last', 'per_page=50&page=370', 400],
])('the %s page is found with an index-only scan that skips the events of other days', async (_, page, rowsMax) => {
  // No events are cached at this revision, but the total is.
  await fresh.database.pool.query(`update site.events set title = title where slug = 'event-5'`);
  await site.ask('GET', `${NS}/events?per_page=1`);
  const { statements } = await site.ask('GET', `${NS}/events?${page}`);
  const plan = await plansOf(statements);
  const walked = Number(/Index Only Scan using events_public_idx on events .*actual rows=([\d.]+)/.exec(plan)?.[1]);
  expect(walked).toBeLessThanOrEqual(rowsMax);
  expect(walked).toBeGreaterThanOrEqual(49);
  expect(plan).not.toMatch(/Seq Scan on events|Aggregate.*\n.*Index Only Scan using events/);
});
