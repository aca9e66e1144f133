import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedSite } from '../../bench/rest-seed.ts';
import { statementsOf } from '../../bench/rest-statements.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

// How the database finds a page of a long list; test/bench/rest.ts measures how long that takes.
const EVENTS = 6_000;
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await seedSite(fresh.database.pool, EVENTS);
});
afterAll(() => fresh.close());

const plans = async (path: string): Promise<string> => {
  const texts: string[] = [];
  for (const { text, values } of await statementsOf(fresh.address, 'GET', `/api/calendar/events/v1${path}`)) {
    const { rows } = await fresh.database.pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, [...values]);
    texts.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return texts.join('\n');
};

it.each(['/events?per_page=50', `/events?per_page=50&page=${EVENTS / 50}`])('%s skips on an index alone, and fetches the rows of its page', async (path) => {
  const plan = await plans(path);
  expect(plan).toMatch(/Index Only Scan using events_start_wall/);
  expect(plan).not.toMatch(/Seq Scan on events|count\(\*\)|Aggregate.*\n.*Index Only Scan using events/);
  expect(plan).toMatch(/Index Scan using events_pkey|Bitmap Heap Scan on events/);
});
