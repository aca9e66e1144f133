import pg from 'pg';
import type { DatabaseAddress } from '../../src/db/database.ts';
import type { Caller } from '../../src/site/context.ts';
import { PUBLIC_URL, siteOn } from './rest-site.ts';

/** A statement as the built-in site sends it. */
export interface Statement { readonly text: string; readonly values: readonly unknown[] }

const CALLER: Caller = { id: 1, login: 'bench', displayName: 'bench', email: '', role: 'administrator' };

/** What the built-in site sends to the database for one request; of a list, when its total has been counted before, and when not (`isFirst`). */
export async function statementsOf(address: DatabaseAddress, method: string, at: string, body?: object, isFirst = false): Promise<readonly Statement[]> {
  const { handle, database } = siteOn(address);
  const seen: Statement[] = [];
  const request = (): Request => new Request(`${PUBLIC_URL}${at}`, { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
  if (method === 'GET' && !isFirst) await handle(request());
  const { query } = pg.Client.prototype;
  // The driver itself is watched: nothing is left out.
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | { text: string; values?: unknown[] }, unknown[]?];
    seen.push(typeof first === 'string' ? { text: first, values: Array.isArray(second) ? second : [] } : { text: first.text, values: first.values ?? [] });
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  const { status } = await handle(request(), method === 'GET' ? undefined : CALLER);
  pg.Client.prototype.query = query;
  await database.close();
  if (status >= 300) throw new Error(`${method} ${at} answered ${status}`);
  return seen;
}

const PER_PAGE = 50;

/** How long the database takes for pages of a list, by EXPLAIN ANALYZE: planning and running of each statement. */
export async function listTimes(address: DatabaseAddress, pool: pg.Pool, count: number): Promise<readonly string[]> {
  const list = `/api/calendar/events/v1/events?per_page=${PER_PAGE}`;
  const counting = (await statementsOf(address, 'GET', list, undefined, true)).filter(({ text }) => text.startsWith('select count(*)'));
  const lines = [`the total of a list is counted in ${(await bestOf(pool, counting)).map((ms) => ms.toFixed(1)).join(' + ')} ms, once after each write`];
  for (const [name, page] of [['first', 1], ['last', Math.ceil(count / PER_PAGE)]] as const) {
    const statements = await statementsOf(address, 'GET', `${list}&page=${page}`);
    const best = await bestOf(pool, statements);
    lines.push(`the ${name} page of ${PER_PAGE} takes the database ${best.reduce((sum, ms) => sum + ms, 0).toFixed(1)} ms: ${statements.map(({ text }, index) => `${best[index]!.toFixed(1)} ${text.trim().replace(/\s+/g, ' ').slice(0, 40)}…`).join(', ')}`);
  }
  return lines;
}

type Explained = readonly { readonly 'Planning Time': number; readonly 'Execution Time': number }[];
/** The shortest of five times that each statement was planned and run; ms. */
async function bestOf(pool: pg.Pool, statements: readonly Statement[]): Promise<readonly number[]> {
  const best: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const [index, { text, values }] of statements.entries()) {
      const { rows } = await pool.query<{ 'QUERY PLAN': Explained }>(`explain (analyze, timing off, format json) ${text}`, [...values]);
      const [plan] = rows[0]!['QUERY PLAN'];
      best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, (plan?.['Planning Time'] ?? 0) + (plan?.['Execution Time'] ?? 0));
    }
  }
  return best;
}
