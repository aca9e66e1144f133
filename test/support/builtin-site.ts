import { sql, type Queryable } from '../../src/db/database.ts';
import type { Caller, Role, SiteSettings } from '../../src/site/context.ts';
import { openRest, type RestSite, type SiteHandler } from '../../src/site/requests/handle.ts';
import { makeMedia } from '../../src/site/store/media.ts';
import type { FetchImage } from '../../src/site/store/fetch-images.ts';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import type { FetchPage } from '../../src/site/embeds/fetch-page.ts';
import { storeHandlers, storeSets, storeStatements } from '../../src/site/store/store-handlers.ts';
import { callerFromUser, type User } from '../../src/site/users/users.ts';
import { freshDatabase } from './database.ts';
import { png } from './pictures.ts';

/** The answer's body as tests read it; each test uses the keys of its own endpoint. */
export type Body = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly venue: Body;
  readonly organizer: Bodies;
  readonly categories: Bodies;
  readonly tags: Bodies;
  readonly events: Bodies;
  readonly venues: Bodies;
  readonly organizers: Bodies;
  readonly responses: readonly { readonly status: number; readonly body: Body }[];
};
type Bodies = readonly [Body, ...Body[]];
export interface Exchanged {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}
export interface TestSite {
  readonly db: Queryable;
  /**
   * Sends a request in process. `as` is the user's role (null: anonymous), `path` is below the namespace unless it
   * starts with `/api`.
   */
  readonly ask: (as: Role | null, method: string, path: string, body?: unknown) => Promise<Exchanged>;
  readonly handle: SiteHandler;
  /** Like `handle`, but with values instead of requests and responses. */
  readonly answer: RestSite['answer'];
  /** Gets a file below `/media/`. */
  readonly media: (request: Request) => Promise<Response>;
  readonly settings: SiteSettings;
  readonly callers: Readonly<Record<Role, Caller>>;
  readonly clock: { now: number };
  readonly errors: unknown[];
  /** How many statements the site has sent to the database so far. */
  readonly statements: () => number;
  /** The site's connection to the database, which counts statements. */
  readonly counted: TestSite['db'];
  readonly close: () => Promise<void>;
}

const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];

const outOfReach: FetchPage = async () => ({ kind: 'failed', message: 'Tests reach no other sites.' });
/** Returns a picture for every address, except for those whose name says that there is none. */
const picture: FetchImage = async (url) =>
  /\/(?:none|nohead|cs)\./i.test(url)
    ? { kind: 'failed', message: 'There is nothing.' }
    : { kind: 'fetched', bytes: png(640, 360, url.length) };

/**
 * The built-in site on its own database, with one user per role. The clock stands at 2026-11-20T10:40:59Z until a test
 * moves it.
 */
export async function builtinSite(
  changes: Partial<SiteSettings> = {},
  fetchPage: FetchPage = outOfReach,
  fetchImage: FetchImage = picture,
): Promise<TestSite> {
  const { database, close } = await freshDatabase();
  const db = database.query();
  const settings: SiteSettings = {
    title: 'Site',
    description: '',
    timezone: 'Europe/Warsaw',
    languages: ['en', 'pl'],
    publicUrl: 'https://site.example',
    namespace: 'calendar/events/v1',
    trashDays: 30,
    ...changes,
  };
  const { rows: users } = await sql<User>`insert into site.users (login, email, display_name, role)
    select role, role || '@site.example', role, role from unnest(${ROLES}::text[]) as role returning *`.execute(db);
  const callers = Object.fromEntries(users.map((user) => [user.role, callerFromUser(user)])) as Record<Role, Caller>;
  const clock = { now: Date.parse('2026-11-20T10:40:59Z') };
  const errors: unknown[] = [];
  let statements = 0;
  const counting = (inner: Queryable): Queryable => ({
    isTransaction: inner.isTransaction,
    run: (text, values) => {
      statements += 1;
      return inner.run(text, values);
    },
    transaction: (work) => inner.transaction((transaction) => work(counting(transaction))),
  });
  const counted = counting(db);
  const { handle, answer } = openRest({
    db: counted,
    settings,
    handlers: { ...storeHandlers, ...makeEmbedHandlers(fetchPage) },
    sets: storeSets,
    statements: storeStatements,
    fetchImage,
    now: () => clock.now,
    report: (error) => errors.push(error),
  });
  const ask = async (as: Role | null, method: string, path: string, body?: unknown): Promise<Exchanged> => {
    const url = `${settings.publicUrl}${path.startsWith('/api') ? '' : `/api/${settings.namespace}`}${path}`;
    const json = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    // A string is sent as plain text, because it must not be parsed as JSON.
    const init =
      body === undefined
        ? { method }
        : typeof body === 'string'
          ? { method, body, headers: { 'content-type': 'text/plain' } }
          : json;
    const response = await handle(new Request(url, init), as === null ? undefined : callers[as]);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body };
  };
  return {
    db,
    ask,
    handle,
    answer,
    media: makeMedia(db),
    settings,
    callers,
    clock,
    errors,
    statements: () => statements,
    counted,
    close,
  };
}
