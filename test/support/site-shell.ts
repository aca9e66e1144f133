import { api } from '../../src/contract/api.ts';
import { sql, type Queryable } from '../../src/db/database.ts';
import { createApplicationPassword } from '../../src/site/users/application-passwords.ts';
import type { Caller, HandlerContext, Role } from '../../src/site/context.ts';
import type { SiteHandlers } from '../../src/site/handlers.ts';
import { openRest } from '../../src/site/requests/handle.ts';
import { HttpProblem, invalidParams } from '../../src/site/http-problem.ts';
import { freshDatabase } from './database.ts';

export const NOW = Date.parse('2026-11-20T10:40:59Z');
export const NS = '/calendar/events/v1';
export const concert = { title: 'Concert', start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00' };

/** The answer's body as tests read it; each test uses the keys of its own endpoint. */
export type Body = Record<string, unknown> & {
  readonly code: string;
  readonly data: Record<string, unknown>;
  readonly endpoint: string;
  readonly input: Record<string, unknown>;
  readonly responses: ({ readonly body: Body; readonly status: number; readonly headers: unknown } | null)[];
};
export interface Asked {
  readonly as?: string;
  readonly json?: unknown;
  readonly body?: URLSearchParams | FormData | string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Record<string, string>;
  readonly caller?: Caller | undefined;
}

export const basic = (login: string, secret: string): string =>
  `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;

/**
 * The request handling of the built-in site on its own database, with one user per role. Handlers echo their input,
 * except `createTag`, which writes to a table so that tests can check what a batch leaves behind.
 */
export async function siteShell() {
  const fresh = await freshDatabase();
  const db = fresh.database.query();
  await sql`create table probe (name text not null)`.execute(db);
  const passwords = await usersByRole(db);
  const reported: unknown[] = [];
  const told = Object.keys(api).map((name) => [
    name,
    async (input: unknown, { caller, settings }: HandlerContext) => ({
      body: {
        endpoint: name,
        input,
        caller: caller?.login ?? null,
        namespace: settings.namespace,
        total: 3,
        total_pages: 1,
      },
    }),
  ]);
  const { handle: site } = openRest({
    db,
    settings: {
      title: 'Town calendar',
      description: '',
      timezone: 'Europe/Warsaw',
      languages: ['en', 'pl'],
      publicUrl: 'https://site.example',
      namespace: 'calendar/events/v1',
      namespaceAlias: 'tribe/events/v1',
      trashDays: 30,
    },
    // The handlers echo their input, which is not a valid representation.
    handlers: { ...Object.fromEntries(told), createTag } as unknown as SiteHandlers,
    sets: {},
    statements: {},
    now: () => NOW,
    report: (error) => reported.push(error),
  });

  /** Sends `METHOD /path` below the interface's address. */
  async function ask(line: string, { as, json, body, headers = {}, caller }: Asked = {}) {
    const [method = 'GET', path = ''] = line.split(' ');
    const sent = json === undefined ? body : typeof json === 'string' ? json : JSON.stringify(json);
    const all = {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: basic(as, passwords.get(as)!) }),
      ...headers,
    };
    const response = await site(
      new Request(`https://site.example/api${path}`, {
        method,
        headers: all,
        ...(sent !== undefined && { body: sent, duplex: 'half' }),
      }),
      caller,
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as Body,
    };
  }

  return {
    db,
    passwords,
    reported,
    ask,
    close: fresh.close,
    written: async () => (await sql<{ name: string }>`select name from probe`.execute(db)).rows.map(({ name }) => name),
    clear: async () => {
      reported.length = 0;
      await sql`truncate probe`.execute(db);
    },
  };
}
export type SiteShell = Awaited<ReturnType<typeof siteShell>>;

async function usersByRole(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const passwords = new Map<string, string>();
  for (const role of [
    'subscriber',
    'contributor',
    'author',
    'editor',
    'administrator',
  ] as const satisfies readonly Role[]) {
    const { password } = await createApplicationPassword(db, role, 'tests');
    await sql`update site.users set role = ${role}, email = ${`${role}@site.example`} where login = ${role}`.execute(
      db,
    );
    passwords.set(role, password);
  }
  return passwords;
}

async function createTag({ name }: { readonly name: string }, ctx: HandlerContext) {
  await sql`insert into probe values (${name})`.execute(ctx.db);
  if (name === 'taken')
    throw new HttpProblem('term_exists', 'A term with the name provided already exists.', { term_id: 2 });
  if (name === 'unknown') throw invalidParams({ slug: 'There is none.' });
  if (name === 'broken') await sql`select 1 / 0`.execute(ctx.db);
  return { body: { name }, headers: { Location: `https://site.example/tags/${encodeURIComponent(name)}` } };
}
