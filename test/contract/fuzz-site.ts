import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { sql } from '../../src/db/database.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';
import { mistakesIn, type SchemaName } from '../support/schema-check.ts';
import { requests, type Fuzzed, type Pool } from './fuzz-requests.ts';

const ANSWER_MS_MAX = 20_000;
const RESET_EVERY = 500;
const TABLES = ['images', 'terms', 'venues', 'organizers', 'events', 'users', 'application_passwords'];

let site: TestSite;
let pool: Pool;

/** A test with `runs` random requests, always the same ones for a seed. */
export function testRandomRequests(runs: number, seed: number): void {
  beforeAll(async () => {
    site = await builtinSite();
    pool = await populate();
  });
  afterAll(() => site.close());

  describe('a random request', () => {
    it(
      `is answered as documented, and changes nothing if it is refused (${runs} requests, seed ${seed})`,
      { timeout: 3 * 3_600_000 },
      async () => expect(await mistakesAfter(runs, seed)).toEqual([]),
    );
  });
}

async function mistakesAfter(
  runs: number,
  seed: number,
): Promise<readonly (readonly [mistake: string, request: string])[]> {
  const found = new Map<string, string>();
  const statuses: Record<string, number> = {};
  let before = await checksum();
  for (const [index, request] of fc.sample(requests(pool), { numRuns: runs, seed }).entries()) {
    if (index % RESET_EVERY === 0) {
      await reset();
      before = await checksum();
    }
    const { status, mistakes } = await judge(request);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const after = await checksum();
    if (after !== before && (status >= 400 || request.method === 'HEAD' || request.method === 'OPTIONS'))
      mistakes.push('a refused request changed something');
    before = after;
    for (const mistake of mistakes)
      if (found.size < 50)
        found.set(
          `${request.endpoint}: ${mistake}`.replace(/\d+/g, 'N').slice(0, 200),
          JSON.stringify(request).slice(0, 1500),
        );
  }
  process.stderr.write(`Fuzzed: ${runs} requests of seed ${seed}, by status ${JSON.stringify(statuses)}\n`);
  return [...found];
}

/** Sends a request and checks the answer. */
async function judge(request: Fuzzed): Promise<{ readonly status: number; readonly mistakes: string[] }> {
  const { as, method, path, body, type } = request;
  const errors = site.errors.length;
  const sent = site.handle(
    new Request(`https://site.example/api${path}`, {
      method,
      ...(body !== undefined && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    }),
    as === null ? undefined : site.callers[as],
  );
  const response = await Promise.race([sent, late()]);
  if (response === 'late') return { status: 0, mistakes: ['no answer in time'] };
  const text = await response.text();
  const thrown = site.errors
    .slice(errors)
    .map((error) => `threw ${error instanceof Error ? error.message : String(error)}`);
  return {
    status: response.status,
    mistakes: [
      ...thrown,
      ...(response.status >= 500 ? [`answered ${response.status}`] : []),
      ...mistakesOf(request, response.status, text),
    ],
  };
}

const late = (): Promise<'late'> =>
  new Promise((resolve) => {
    setTimeout(resolve, ANSWER_MS_MAX, 'late').unref();
  });

function mistakesOf({ endpoint, method, isReshaped, path }: Fuzzed, status: number, text: string): string[] {
  if (method === 'HEAD' || isReshaped) return [];
  const body: unknown = JSON.parse(text);
  const { answers, status: success } = (api as Readonly<Record<string, Endpoint>>)[endpoint]!;
  if (status >= 400)
    return mistakesIn(body, 'Problem').map((mistake) => `a problem is not as documented: ${JSON.stringify(mistake)}`);
  // A generated id can make this another path, for example that of the collection.
  if (status !== success) return [`answered ${status} instead of ${success} at ${path.slice(0, 80)}`];
  return mistakesIn(body, answers as SchemaName).map((mistake) => `not as documented: ${JSON.stringify(mistake)}`);
}

/** A checksum of all rows of the site. */
async function checksum(): Promise<string> {
  const parts = TABLES.map(
    (table) =>
      sql`select coalesce(sum(hashtextextended(${sql.raw(`${table}::text`)}, 0)), 0) as part from ${sql.ref(`site.${table}`)}`,
  );
  const { rows } = await sql<{
    sum: string;
  }>`select string_agg(part::text, ' ') as sum from (${sql.join(parts, sql` union all `)}) as parts`.execute(site.db);
  return rows[0]!.sum;
}

/** Fills the site with a few objects of every kind and status, and keeps a copy of all rows. */
async function populate(): Promise<Pool> {
  const ids: Record<string, number[]> = { users: Object.values(site.callers).map(({ id }) => id) };
  const slugs: string[] = [];
  const make = async (collection: string, fields: object): Promise<number> => {
    const { status, body } = await site.ask('editor', 'POST', `/${collection}`, fields);
    if (status !== 201) throw new Error(JSON.stringify(body));
    (ids[collection] ??= []).push(body.id);
    if (typeof body['slug'] === 'string' && body['slug'] !== '') slugs.push(body['slug']);
    return body.id;
  };
  const parent = await make('categories', { name: 'Music' });
  for (const name of ['Jazz', 'Rock & Roll']) await make('categories', { name, parent });
  for (const name of ['free', 'open air']) await make('tags', { name });
  const venue = await make('venues', { venue: 'Hall', city: 'Łódź', geo_lat: 51.77, geo_lng: 19.46 });
  const organizer = await make('organizers', { organizer: 'Club', email: 'a@b.example' });
  for (const [index, status] of ['publish', 'publish', 'draft', 'pending', 'private', 'trash', 'future'].entries()) {
    await make('events', {
      title: `Fuzz ${index}`,
      slug: `fuzz-${index}`,
      status,
      start_date: '2027-01-10 18:00',
      end_date: '2027-01-10 20:00',
      venue,
      organizer,
      categories: [parent],
      cost: '10',
      ...(status === 'future' && { date: '2027-01-01' }),
    });
  }
  await sql.raw('create schema seed').execute(site.db);
  for (const table of TABLES)
    await sql.raw(`create table seed.${table} as select * from site.${table}`).execute(site.db);
  return { ids, slugs };
}

/** Restores the copy. */
async function reset(): Promise<void> {
  // Deleting instead of truncating updates the data that triggers derive from events.
  await sql.raw('delete from site.events').execute(site.db);
  await sql.raw(`truncate ${TABLES.map((table) => `site.${table}`).join(', ')} cascade`).execute(site.db);
  for (const table of TABLES) {
    const { rows } = await sql<{
      name: string;
    }>`select column_name as name from information_schema.columns where table_schema = 'site' and table_name = ${table} and is_generated = 'NEVER'`.execute(
      site.db,
    );
    const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
    await sql`insert into ${sql.ref(`site.${table}`)} (${columns}) overriding system value select ${columns} from ${sql.ref(`seed.${table}`)}`.execute(
      site.db,
    );
  }
}
