import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '../../../src/client/site-client.ts';
import { dueFault, isCarriedOut, sendFault, type Answering, type Fault, type FaultPlan } from './faults.ts';
import { inProcess } from './in-process.ts';
import { personAt, type Person } from './person.ts';
import { Refusal, type Params, type Reply } from './reply.ts';
import { answer } from './routes.ts';
import type { Role } from './rights.ts';
import type { Site } from './site.ts';
import { emptyStore, type Store } from './store.ts';

export interface RealSiteOptions {
  readonly timezone?: string;
  readonly now?: () => number;
  /** Behaves like a version before 6.17.2. */
  readonly isOld?: boolean;
  readonly perPageCap?: number;
  /** The host blocks PUT, PATCH and DELETE. */
  readonly blocksMethods?: boolean;
  /** The host drops the Authorization header. */
  readonly dropsCredentials?: boolean;
  readonly namespace?: string;
  /** Milliseconds that it takes to answer. */
  readonly latencyMs?: number;
  /** A plugin gives new events slugs of its own. */
  readonly givesOwnSlugs?: boolean;
  /** A plugin that prevents listing users closes `wp/v2/users`. */
  readonly hidesUsers?: boolean;
}

/**
 * A simulated calendar site that behaves as the recordings show real ones to, with an in-memory store, on a free port.
 */
export interface RealSite {
  /** The API root, `http://127.0.0.1:PORT/wp-json`; `home` is its front page. */
  readonly root: string;
  readonly home: string;
  readonly namespace: string;
  readonly credentials: { readonly username: string; readonly applicationPassword: string };
  /** All requests, including failed ones, as `GET /tribe/events/v1/events?page=1`. */
  readonly requests: readonly string[];
  /** The highest number of concurrent writes so far. */
  readonly writesAtOnce: () => number;
  /** The site's data, which tests may read and change directly. */
  readonly store: () => Store;
  /** What a person does in the back office. */
  readonly person: Person;
  /** Addresses that pictures can be imported from. */
  readonly images: Set<string>;
  /** Makes requests that match `when` fail, `times` times (once by default), after the first `after` of them. */
  readonly fail: (fault: Fault, plan?: Partial<Omit<FaultPlan, 'fault'>>) => void;
  /** Ends all faults. */
  readonly heal: () => void;
  /** Until they are thawed, lists come from a cache with the current state. Single reads do not. */
  readonly freezeLists: () => void;
  readonly thawLists: () => void;
  /** Changes the role of the credentials' user, which starts as an editor. The user's posts keep their author. */
  readonly setRole: (role: Role) => void;
  readonly backup: () => Store;
  /** Restores a backup: what was added since is gone, and its ids are assigned again. */
  readonly restore: (backup: Store) => void;
  readonly close: () => Promise<void>;
}

const CREDENTIALS = { username: 'editor', applicationPassword: 'abcd EFGH 1234 ijkl MNOP 5678' };

export async function realSite(options: RealSiteOptions = {}): Promise<RealSite> {
  let [writes, writesMost] = [0, 0];
  const server = createServer((request, response) => {
    if (request.method !== 'GET') {
      writesMost = Math.max(writesMost, (writes += 1));
      response.once('close', () => {
        writes -= 1;
      });
    }
    void bodyOf(request)
      .then(async (body) => {
        if (options.latencyMs) await sleep(options.latencyMs);
        return body;
      })
      .then((body) =>
        serving({ method: request.method ?? 'GET', url: request.url ?? '/', headers: request.headers, body }, response),
      );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { serving, ...site } = doubleAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  return {
    ...site,
    writesAtOnce: () => writesMost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The same site without a port: `transport` reaches it in this process, and broken connections and timeouts fail at
 * once.
 */
export function nearRealSite(options: RealSiteOptions = {}): RealSite & { readonly transport: Transport } {
  const { serving, ...site } = doubleAt('http://site.example', options);
  return { ...site, transport: inProcess(serving), writesAtOnce: () => 1, close: async () => undefined };
}

/** A request as it is sent over the wire. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}
export type Serving = (sent: Sent, response: Answering) => void;

function doubleAt(
  home: string,
  options: RealSiteOptions,
): Omit<RealSite, 'close' | 'writesAtOnce'> & { readonly serving: Serving } {
  const plans: FaultPlan[] = [];
  const requests: string[] = [];
  let frozen: Store | undefined;
  let role: Role = 'editor';
  const site: Site = {
    store: emptyStore(),
    now: options.now ?? Date.now,
    timezone: options.timezone ?? 'Europe/Warsaw',
    home,
    root: `${home}/wp-json`,
    namespace: options.namespace ?? 'tribe/events/v1',
    isOld: options.isOld === true,
    givesOwnSlugs: options.givesOwnSlugs === true,
    perPageCap: options.perPageCap ?? 50,
    images: new Set(),
  };
  const serving: Serving = (sent, response) => {
    const asked = readRequest(sent, role, options);
    requests.push(`${asked.method} ${asked.path}${asked.query}`);
    serve(
      site,
      frozen === undefined ? site : { ...site, store: frozen },
      asked,
      dueFault(plans, asked.method, asked.path),
      response,
      options.blocksMethods === true,
    );
  };
  return {
    serving,
    root: site.root,
    home,
    namespace: site.namespace,
    credentials: CREDENTIALS,
    requests,
    images: site.images,
    store: () => site.store,
    person: personAt(site),
    fail: (fault, plan = {}) => {
      plans.push({ fault, when: plan.when ?? (() => true), after: plan.after ?? 0, times: plan.times ?? 1 });
    },
    heal: () => {
      plans.length = 0;
    },
    freezeLists: () => {
      frozen = structuredClone(site.store);
    },
    thawLists: () => {
      frozen = undefined;
    },
    setRole: (next) => {
      role = next;
    },
    backup: () => structuredClone(site.store),
    restore: (backup) => {
      site.store = structuredClone(backup);
    },
  };
}

interface Asked {
  readonly method: string;
  readonly sentMethod: string;
  readonly path: string;
  readonly query: string;
  readonly params: Params;
  readonly access: Role | 'wrong';
  readonly isPage: boolean;
  readonly isHidden: boolean;
}

function readRequest(
  { method: sentMethod, url: address, headers, body }: Sent,
  role: Role,
  { dropsCredentials, hidesUsers }: RealSiteOptions,
): Asked {
  const url = new URL(address, 'http://site.invalid');
  const route = url.searchParams.get('rest_route');
  const isPage = route === null && !/^\/wp-json(?:\/|$)/.test(url.pathname);
  const { _method: inQuery, rest_route: _, ...query } = Object.fromEntries(url.searchParams);
  const inHeader = headers['x-http-method-override'];
  const path = route ?? url.pathname.replace(/^\/wp-json/, '');
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json') && body !== '';
  return {
    sentMethod,
    method: String(inQuery ?? inHeader ?? sentMethod).toUpperCase(),
    path,
    query: url.search,
    isPage,
    isHidden: hidesUsers === true && path.startsWith('/wp/v2/users'),
    params: { ...query, ...(isJson ? (JSON.parse(body) as Params) : {}) },
    access: dropsCredentials ? 'nobody' : accessOf(headers['authorization'], role),
  };
}

function accessOf(authorization: Sent['headers'][string], role: Role): Asked['access'] {
  if (typeof authorization !== 'string' || !authorization.startsWith('Basic ')) return 'nobody';
  const [username, ...rest] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
  const isRight =
    username === CREDENTIALS.username &&
    rest.join(':').replace(/[\s-]/g, '') === CREDENTIALS.applicationPassword.replace(/\s/g, '');
  return isRight ? role : 'wrong';
}

function serve(
  site: Site,
  lists: Site,
  asked: Asked,
  fault: Fault | undefined,
  response: Answering,
  blocksMethods: boolean,
): void {
  if (fault && !isCarriedOut(fault)) return void sendFault(fault, response);
  if (blocksMethods && !['GET', 'POST', 'HEAD'].includes(asked.sentMethod))
    return void response.writeHead(405, { 'content-type': 'text/html' }).end('<html><h1>405 Not Allowed</h1></html>');
  const headers = { link: `<${site.root}/>; rel="https://api.w.org/"` };
  if (asked.isPage)
    return void response
      .writeHead(200, { ...headers, 'content-type': 'text/html' })
      .end(`<!doctype html><head><link rel="https://api.w.org/" href="${site.root}/" /></head><body>Welcome</body>`);
  const reply = replyOf(site, lists, asked);
  if (fault && fault.kind !== 'warning') return void sendFault(fault, response);
  response.writeHead(reply.status, { ...headers, 'content-type': 'application/json; charset=UTF-8', ...reply.headers });
  if (fault) sendFault(fault, response);
  // As PHP encodes it: slashes are escaped, and non-ASCII characters are written as \u.
  response.end(
    JSON.stringify(reply.body)
      .replace(/\//g, '\\/')
      .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function replyOf(site: Site, lists: Site, { method, path, params, access, isHidden }: Asked): Reply {
  if (access === 'wrong')
    return {
      status: 401,
      body: {
        code: 'incorrect_password',
        message: 'The provided password is an invalid application password.',
        data: { status: 401 },
      },
    };
  if (isHidden)
    return {
      status: 403,
      body: {
        code: 'rest_user_cannot_view',
        message: 'Sorry, you are not allowed to list users.',
        data: { status: 403 },
      },
    };
  try {
    return answer(site, lists, method, path, params, access);
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    return {
      status: 500,
      body: {
        code: 'double_failed',
        message: String(error instanceof Error ? error.stack : error),
        data: { status: 500 },
      },
    };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
