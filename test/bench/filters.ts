import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { openDatabase, type DatabaseAddress } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Caller } from '../../src/site/context.ts';
import { PUBLIC_URL, siteOn } from './rest-site.ts';

// How long the database takes for a list with each filter: the count (once per filter, until something is written) and the rest of the
// first and of the last page, planning and running. `node src/launch.js test/bench/filters.ts 100000`; VERBOSE=1 prints the plans.

const NS = '/api/calendar/events/v1';
const ALL = 'starts_after=1971-01-01';
const EDITOR: Caller = { id: 2, login: 'editor', displayName: 'editor', email: '', role: 'editor' };
const CONTRIBUTOR: Caller = { id: 3, login: 'contributor', displayName: 'contributor', email: '', role: 'contributor' };

const LISTS: readonly (readonly [path: string, as?: Caller])[] = [
  ['/events?'], [`/events?${ALL}`], ['/events?start_date=2027-03-01&end_date=2027-03-02'], ['/events?starts_before=2027-03-02&ends_after=2027-02-28'], ['/events?ends_after=2027-11-01'],
  ['/events?search=trumpet'], ['/events?search=doors'], ['/events?search=nothing-of-the-kind'], ['/events?categories=category-3'], ['/events?tags=tag-50'], ['/events?tags=rare'], ['/events?categories=category-3&tags=tag-50'],
  ['/events?venue=7'], ['/events?organizer=2100'], ['/events?featured=true'], ['/events?featured=false'], ['/events?translation_language=pl'], ['/events?include=50004,50005,50006'],
  ['/events?geoloc=true'], ['/events?geoloc_lat=52.2&geoloc_lng=21'], ['/events?post_parent=50004'],
  ['/events?status=draft', EDITOR], ['/events?status=publish', EDITOR], ['/events?', EDITOR], ['/events?', CONTRIBUTOR], [`/events?${ALL}&status=future,private`, EDITOR], [`/events?${ALL}&status=trash`, EDITOR],
  ['/venues?'], ['/venues?search=hall'], ['/venues?search=hall%201999'], ['/venues?event=50004'], ['/venues?has_events=true'], ['/venues?has_events=false'], ['/venues?only_with_upcoming=true'], ['/venues?translation_language=pl'], ['/venues?status=draft', EDITOR],
  ['/organizers?search=host%2019'], ['/organizers?has_events=false'], ['/categories?'], ['/tags?search=tag-5'], ['/tags?event=50004'], ['/tags?orderby=count&order=desc'], ['/categories?parent=1&hide_empty=false'],
];

const post = (kind: string): string => `'${kind}-' || n, '${kind} ' || n`;

async function seed(pool: pg.Pool, count: number): Promise<void> {
  const shared = `case when n % 10 = 0 then 'pl' else 'en' end, timestamptz '2026-01-01' + n * interval '1 second', true, timestamptz '2026-01-01'`;
  await pool.query(`insert into site.venues (slug, title, description, city, status, author, language, published_at, dated, modified_at, geo_lat, geo_lng)
    select ${post('hall')}, 'A hall', 'Town ' || n % 50, case when n % 100 = 0 then 'draft' else 'publish' end, 1, ${shared}, case when n % 2 = 0 then 49 + n % 60 / 10.0 end, case when n % 2 = 0 then 14 + n % 100 / 10.0 end from generate_series(1, 2000) n`);
  await pool.query(`insert into site.organizers (slug, title, description, email, status, author, language, published_at, dated, modified_at) select ${post('host')}, 'Hosts', 'h' || n || '@x.example', 'publish', 1, ${shared} from generate_series(1, 1000) n`);
  await pool.query(`insert into site.terms (taxonomy, name, slug, language, parent) select 'categories', 'Category ' || n, 'category-' || n, 'en', case when n > 20 then 1 + n % 20 end from generate_series(1, 60) n`);
  await pool.query(`insert into site.terms (taxonomy, name, slug, language) select 'tags', 'Tag ' || n, 'tag-' || n, 'en' from generate_series(1, 500) n union all select 'tags', 'Rare', 'rare', 'en'`);
  await pool.query(`insert into site.events (slug, title, description, status, author, language, published_at, dated, modified_at, start_wall, end_wall, start_at, end_at, timezone, all_day, featured, hide_from_listings, venue_ids, organizer_ids, category_ids, tag_ids)
    select ${post('event')}, case when n % 5000 = 0 then 'With trumpet. ' else '' end || repeat('Doors at seven, music until late. ', 12),
      case n % 50 when 0 then 'draft' when 1 then 'pending' when 2 then case when n % 500 = 2 then 'private' else 'trash' end else 'publish' end, 1 + n % 3, ${shared},
      wall, wall + interval '2 hours', wall at time zone 'Europe/Warsaw', (wall + interval '2 hours') at time zone 'Europe/Warsaw', 'Europe/Warsaw', false, n % 100 = 7, n % 200 = 9,
      array[1 + n % 1500], array[2001 + n % 900], array[1 + n % 60], array[61 + n % 500] || case when n % 10000 = 3 then array[561] else '{}' end
    from (select n, timestamp '2026-11-21 08:00' + (n::bigint * 7919 % (400 * 24 * 60)) * interval '1 minute' as wall from generate_series(1, ${count}) n) as days`);
  await pool.query('vacuum analyze site.events, site.venues, site.organizers, site.terms');
}

interface Statement { readonly sql: string; readonly parameters: readonly unknown[] }

/** The statements of a request, as the site sends them. */
async function statementsOf(address: DatabaseAddress, at: string, as: Caller | undefined): Promise<readonly Statement[]> {
  const { handle, database } = siteOn(address);
  const seen: Statement[] = [];
  const { connect } = database.pool;
  database.pool.connect = (async () => {
    const client = await (connect as () => Promise<pg.PoolClient>).call(database.pool);
    const { query } = client;
    return new Proxy(client, {
      get: (target, name) => (name !== 'query' ? Reflect.get(target, name) as unknown : (text: string, values: unknown[]) => {
        seen.push({ sql: text, parameters: values ?? [] });
        return (query as (text: string, values: unknown[]) => unknown).call(target, text, values);
      }),
    });
  }) as typeof connect;
  const answer = await handle(new Request(`${PUBLIC_URL}${NS}${at}`), as);
  if (answer.status !== 200) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
  total = (await answer.json() as { total: number }).total;
  await database.close();
  return seen;
}
let total = 0;

async function timeOf(pool: pg.Pool, { sql, parameters }: Statement): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { rows } = await pool.query<{ 'QUERY PLAN': readonly { 'Planning Time': number; 'Execution Time': number }[] }>(`explain (analyze, timing off, format json) ${sql}`, [...parameters]);
    times.push(rows[0]!['QUERY PLAN'][0]!['Planning Time'] + rows[0]!['QUERY PLAN'][0]!['Execution Time']);
  }
  const best = Math.min(...times);
  if (process.env['VERBOSE'] && best > 5) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain analyze ${sql}`, [...parameters]);
    process.stdout.write(`${sql}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  }
  return best;
}

const isCount = ({ sql }: Statement): boolean => sql.includes('count(*)::integer as total');

async function measure(address: DatabaseAddress, pool: pg.Pool, list: string, as: Caller | undefined): Promise<void> {
  const cells: string[] = [];
  for (const page of ['first', 'last'] as const) {
    const statements = await statementsOf(address, `${list}&per_page=50${page === 'last' ? `&page=${Math.max(1, Math.ceil(total / 50))}` : ''}`, as);
    let [counting, rest] = [0, 0];
    for (const statement of statements) {
      const ms = await timeOf(pool, statement);
      if (isCount(statement)) counting += ms;
      else rest += ms;
    }
    cells.push(...(page === 'first' ? [String(total).padStart(7), counting.toFixed(1).padStart(7)] : []), rest.toFixed(1).padStart(7));
  }
  process.stdout.write(`${`${as?.login ?? ''} ${list.replace(/[?&]$/, '')}`.padEnd(66)} ${cells.join(' ')}\n`);
}

const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-bench-'));
const server = await startEmbedded(directory);
const database = openDatabase(server.address, 2);
await migrate(database);
await seed(database.pool, Number(process.argv[2] ?? 100_000));
process.stdout.write(`${'list (times in ms)'.padEnd(66)}    rows   count   first    last\n`);
const wanted = process.argv[3];
for (const [list, as] of LISTS) if (wanted === undefined || list.includes(wanted)) await measure(server.address, database.pool, list, as);
await database.close();
await server.stop();
await rm(directory, { recursive: true, force: true });
