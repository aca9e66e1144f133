import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/db/database.ts';
import type { Caller } from '../../src/site/context.ts';
import { PUBLIC_URL, siteOn } from './rest-site.ts';

/** A statement as the built-in site sends it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name, if the connection prepares the statement. */
  readonly name?: string;
}

const CALLER: Caller = { id: 1, login: 'bench', email: '', role: 'administrator' };

interface Asked {
  readonly statements: readonly Statement[];
  readonly body: { readonly total: number; readonly events: readonly { readonly id: number }[] };
}
export interface WatchedSite {
  readonly ask: (method: string, at: string, as?: Caller, body?: object) => Promise<Asked>;
  readonly close: () => Promise<void>;
}

/** The built-in site, with a record of the statements that it sends for each request. */
export function watchedSite(address: DatabaseAddress): WatchedSite {
  const { handle, pages, database } = siteOn(address);
  const ask = async (method: string, at: string, as?: Caller, body?: object): Promise<Asked> => {
    const seen: Statement[] = [];
    const { query } = pg.Client.prototype;
    // Watching the driver itself catches every statement.
    pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
      const [first, second] = args as [string | Statement, unknown[]?];
      seen.push(
        typeof first === 'string'
          ? { text: first, values: Array.isArray(second) ? second : [] }
          : { ...first, values: first.values ?? [] },
      );
      return (query as (...args: unknown[]) => unknown).apply(this, args);
    } as typeof query;
    const request = new Request(`${PUBLIC_URL}${at}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const isApi = at.startsWith('/api');
    const answer = await (isApi ? handle(request, as) : pages(request));
    pg.Client.prototype.query = query;
    if (answer.status >= 300) throw new Error(`${method} ${at} answered ${answer.status}: ${await answer.text()}`);
    return { statements: seen, body: (await (isApi ? answer.json() : answer.text())) as Asked['body'] };
  };
  return { ask, close: database.close };
}

// After this time, the site relies on its cache until a statement shows a change.
const QUIET_MS = 1_100;

/** What the built-in site sends for a request after it has answered others of the same kind, while nobody writes. */
export async function statementsOf(
  address: DatabaseAddress,
  method: string,
  requests: readonly (readonly [at: string, body: object | undefined])[],
): Promise<readonly Statement[]> {
  const site = watchedSite(address);
  let last: readonly Statement[] = [];
  for (const [index, [at, body]] of requests.entries()) {
    if (index === requests.length - 1) await wait(QUIET_MS);
    last = (await site.ask(method, at, method === 'GET' ? undefined : CALLER, body)).statements;
  }
  await site.close();
  return last;
}

const PER_PAGE = 50;
const DAYS_CHANGED = 25;

/**
 * Database times of a list in ms, for counting it the first time and for pages of 50, and whether any statement reads
 * all events.
 */
export interface ListTimes {
  readonly total: number;
  readonly counting: number;
  readonly first: number;
  readonly afterWrite: number;
  readonly middle: number;
  readonly last: number;
  readonly readsAllEvents: boolean;
}

/**
 * Measures a list: the very first request (for the count), then the first page, the same page right after a write to 25
 * events, a page in the middle, and the last page.
 */
export async function listTimes(
  address: DatabaseAddress,
  pool: pg.Pool,
  list: string,
  as?: Caller,
): Promise<ListTimes> {
  const site = watchedSite(address);
  let asked = 0;
  // Each request has a new address.
  const ask = (page: number): Promise<Asked> =>
    site.ask('GET', `${list}&per_page=${PER_PAGE}&page=${page}&_=${(asked += 1)}`, as);
  const {
    statements: counted,
    body: { total },
  } = await ask(1);
  const { statements: first } = await ask(1);
  await pool.query(
    `update site.events set title = title where id in (select id from site.events where status = 'publish' order by id * 7919 % 10007 limit ${DAYS_CHANGED})`,
  );
  const { statements: afterWrite } = await ask(1);
  const pages = Math.max(1, Math.ceil(total / PER_PAGE));
  const { statements: middle } = await ask(Math.ceil(pages / 2));
  const { statements: last } = await ask(pages);
  await site.close();
  const best = [];
  for (const statements of [counted, first, afterWrite, middle, last]) best.push(await bestOf(pool, statements));
  const [whole = 0, firstMs = 0, afterWriteMs = 0, middleMs = 0, lastMs = 0] = best.map(({ ms }) => ms);
  return {
    total,
    counting: Math.max(0, whole - firstMs),
    first: firstMs,
    afterWrite: afterWriteMs,
    middle: middleMs,
    last: lastMs,
    readsAllEvents: best.some((each) => each.readsAllEvents),
  };
}

type Explained = readonly { readonly 'Planning Time': number; readonly 'Execution Time': number }[];
const ROUNDS = 7;
const READS_ALL = /"Node Type":"Seq Scan"[^{}]*"Relation Name":"events"/;

/**
 * The sum of each statement's shortest planning and running time, in ms: other work on the machine can only add to it.
 */
async function bestOf(
  pool: pg.Pool,
  statements: readonly Statement[],
): Promise<{ readonly ms: number; readonly readsAllEvents: boolean }> {
  const best: number[] = [];
  let readsAllEvents = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { text, values }] of statements.entries()) {
      const { rows } = await pool.query<{ 'QUERY PLAN': Explained }>(
        `explain (analyze, timing off, format json) ${text}`,
        [...values],
      );
      const [plan] = rows[0]!['QUERY PLAN'];
      best[index] = Math.min(
        best[index] ?? Number.POSITIVE_INFINITY,
        (plan?.['Planning Time'] ?? 0) + (plan?.['Execution Time'] ?? 0),
      );
      readsAllEvents ||= READS_ALL.test(JSON.stringify(plan));
    }
  }
  return { ms: best.reduce((all, ms) => all + ms, 0), readsAllEvents };
}
