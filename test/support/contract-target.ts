import { randomBytes } from 'node:crypto';
import { createLogger } from '../../src/log.ts';
import { createApplicationPassword } from '../../src/site/users/application-passwords.ts';
import type { SiteSettings } from '../../src/site/context.ts';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import { openRest, type SiteHandler } from '../../src/site/requests/handle.ts';
import { storeHandlers, storeSets, storeStatements } from '../../src/site/store/store-handlers.ts';
import type { Role } from '../../src/site/roles.ts';
import { startWeb } from '../../src/web/start-web.ts';
import { sql } from '../../src/db/database.ts';
import { freshDatabase } from './database.ts';

/** The answer's body as the cases read it. */
export type Json = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly slug: string;
  readonly code?: string;
  readonly data?: Readonly<Record<string, unknown>>;
};
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}
export interface Sent {
  readonly as?: Role | null;
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A site that the suite runs against. */
export interface Target {
  readonly name: string;
  /** The address of the interface, without a trailing slash. */
  readonly root: string;
  readonly namespace: string;
  /**
   * Whether it is the built-in site. It is also asked what real sites do differently, and it has users of all roles.
   */
  readonly isOurs: boolean;
  /** The id of an existing image, as text; undefined if none is known. */
  readonly image: string | undefined;
  /**
   * Sends `METHOD path`. The path is below the namespace, or below the root if it starts with `//`. The user is an
   * editor unless `as` says otherwise.
   */
  readonly send: (line: string, sent?: Sent) => Promise<Answer>;
  readonly errors: readonly unknown[];
  /** Whether `close` removes the site along with everything that was created on it. */
  readonly isScratch: boolean;
  readonly close: () => Promise<void>;
}

const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];
type Fetch = (request: Request) => Promise<Response>;
type Opened = Omit<Target, 'send' | 'name'> & {
  readonly credentials: ReadonlyMap<Role, string>;
  readonly fetch: Fetch;
};

export const OVER_A_SOCKET = 'over a socket';

/**
 * The sites that the suite runs against: the built-in one in process and over a socket, and the one that the
 * environment names, if any.
 */
export const targets: readonly (readonly [name: string, open: () => Promise<Target>])[] = [
  ['in process', async () => targetOf('in process', await ownSite())],
  [OVER_A_SOCKET, async () => targetOf(OVER_A_SOCKET, await servedSite())],
  ...(process.env['CONTRACT_BASE_URL'] === undefined
    ? []
    : [
        [
          process.env['CONTRACT_BASE_URL'],
          async () => targetOf('given', await givenSite(process.env['CONTRACT_BASE_URL']!)),
        ] as const,
      ]),
];
if (process.env['CONTRACT_BASE_URL'] === undefined)
  process.stderr.write('Contract suite: CONTRACT_BASE_URL names no further site to run against.\n');

function targetOf(name: string, { credentials, fetch, ...site }: Opened): Target {
  const send = async (line: string, { as = 'editor', json, form, headers = {} }: Sent = {}): Promise<Answer> => {
    const [method = 'GET', path = ''] = line.split(/ (.*)/s);
    const url = path.startsWith('//') ? `${site.root}${path.slice(1)}` : `${site.root}/${site.namespace}${path}`;
    const authorization = as === null ? undefined : credentials.get(as);
    if (as !== null && authorization === undefined) throw new Error(`${name} has no ${as}`);
    const type =
      json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined;
    const all = {
      ...(authorization !== undefined && { authorization }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    };
    const body = json !== undefined ? JSON.stringify(json) : form;
    const response = await fetch(new Request(url, { method, headers: all, ...(body !== undefined && { body }) }));
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (/^[[{]/.test(text) ? JSON.parse(text) : {}) as Json,
    };
  };
  return { ...site, name, send };
}

const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** The built-in site on its own database, with an alias of the namespace and a user of each role. */
async function ownSite(publicUrl = 'https://site.example'): Promise<Opened & { readonly handle: SiteHandler }> {
  const { database, close } = await freshDatabase();
  const db = database.query();
  const credentials = new Map<Role, string>();
  for (const role of ROLES) {
    const { password } = await createApplicationPassword(db, role, 'contract');
    await sql`update site.users set role = ${role} where login = ${role}`.execute(db);
    credentials.set(role, basic(role, password));
  }
  const settings: SiteSettings = {
    title: 'Site',
    description: '',
    timezone: 'Europe/Warsaw',
    languages: ['en', 'pl'],
    publicUrl,
    namespace: 'calendar/events/v1',
    namespaceAlias: 'tribe/events/v1',
    trashDays: 30,
  };
  const errors: unknown[] = [];
  const { handle } = openRest({
    db,
    settings,
    handlers: {
      ...storeHandlers,
      ...makeEmbedHandlers(async () => ({ kind: 'failed', message: 'Tests reach no other sites.' })),
    },
    sets: storeSets,
    statements: storeStatements,
    now: Date.now,
    report: (error) => errors.push(error),
  });
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into site.images (url, extension) values ($1, 'jpg') returning id`,
    [`${publicUrl}/media/pic.jpg`],
  );
  return {
    root: `${publicUrl}/api`,
    namespace: settings.namespace,
    isOurs: true,
    image: String(rows[0]!.id),
    errors,
    isScratch: true,
    close,
    credentials,
    handle,
    fetch: (request) => handle(request),
  };
}

async function servedSite(): Promise<Opened> {
  const parts: { handle?: Fetch } = {};
  const served: Fetch = (request) => parts.handle!(request);
  const web = await startWeb(
    { host: '127.0.0.1', port: 0 },
    [
      ['/api', served],
      ['/api/*', served],
      ['/', served],
      ['/index.php', served],
    ],
    createLogger('error'),
  );
  const site = await ownSite(web.url);
  parts.handle = site.fetch;
  return {
    ...site,
    fetch: (request) => fetch(request),
    close: async () => {
      await web.close();
      await site.close();
    },
  };
}

/**
 * Any site. The suite creates its data as CONTRACT_USERNAME (an editor or an administrator) with CONTRACT_PASSWORD, and
 * deletes it at the end.
 */
async function givenSite(base: string): Promise<Opened> {
  const {
    CONTRACT_NAMESPACE: namespace = 'calendar/events/v1',
    CONTRACT_USERNAME: username,
    CONTRACT_PASSWORD: password,
    CONTRACT_IMAGE: image,
  } = process.env;
  if (username === undefined || password === undefined)
    throw new Error(
      'CONTRACT_BASE_URL needs CONTRACT_USERNAME and CONTRACT_PASSWORD: an editor and an application password',
    );
  const root = base.replace(/\/+$/, '');
  const index = await (await fetch(`${root}/${namespace}`)).text();
  // Only the built-in site has fields for coordinates.
  return {
    root,
    namespace,
    isOurs: index.includes('"geo_lat"'),
    image,
    errors: [],
    isScratch: false,
    credentials: new Map<Role, string>([['editor', basic(username, password)]]),
    fetch: (request) => fetch(request),
    close: async () => undefined,
  };
}

/** A key that no other run uses. */
export const newKey = (): string => `k${randomBytes(5).toString('hex')}`;
