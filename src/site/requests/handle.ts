import { api } from '../../contract/api.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Kysely } from '../../db/database.ts';
import { authenticate, throttlesForCredentials } from '../users/authenticate.ts';
import { runBatch } from './batch.ts';
import { networkOf } from '../throttle.ts';
import type { Caller, HandlerContext, PasswordTries, SiteSettings } from '../context.ts';
import {
  allowHeader,
  dispatch,
  endpointFor,
  matchRoute,
  siteRoutes,
  type Handler,
  type Match,
  type SetHandler,
  type Site,
  type SiteRoute,
} from './dispatch.ts';
import type { Handlers, SetHandlers, SiteHandlers } from '../handlers.ts';
import { withEmbedded } from './embedded.ts';
import { forbidden, HttpProblem } from '../http-problem.ts';
import { keepMade } from '../kept.ts';
import { apiDocument, entryOf, namespaceIndex, siteIndex } from './indexes.ts';
import { noRoute, problemOutcome, unforeseen, type Outcome } from './outcome.ts';
import { STRANGER_BYTES_MAX, WRITER_BYTES_MAX } from './request-body.ts';
import { bodyParams, queryParams } from './request-params.ts';
import { badCallback, isCallback, rendered, respond, type Rendered } from './respond.ts';
import { triesOfEventPasswords } from '../store/event-password.ts';
import type { FetchImage } from '../store/fetch-images.ts';
import { siteRevision } from '../store/turn.ts';
import type { Params } from './php-params.ts';
import { mayUse } from './rights.ts';
import type { SiteTables } from '../tables.ts';

/** What the built-in site is made of. */
export interface SiteParts {
  readonly db: Kysely<SiteTables>;
  readonly settings: SiteSettings;
  readonly handlers: SiteHandlers;
  readonly sets: SetHandlers;
  /** How to fetch images that requests name by their address; without it such requests fail. */
  readonly fetchImage?: FetchImage;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives the errors behind answers of 500. */
  readonly report: (error: unknown) => void;
}

/**
 * Answers a request to the interface. A given caller works in process and needs no credential; `peer` is the address of
 * an outside client; nothing is written once `signal` is aborted.
 */
export type SiteHandler = (request: Request, caller?: Caller, peer?: string, signal?: AbortSignal) => Promise<Response>;

const PREFIX = /^\/api(?=\/|$)/i;

/** The built-in site's REST interface below `/api/`: request in, response out. */
export function makeSite({ db, settings, handlers, sets, now, report, fetchImage = noImages }: SiteParts): SiteHandler {
  const routes = siteRoutes(settings);
  const site: Site = { settings, routes, report, handlerOf, setHandlerOf, fetchImage };
  const all: Handlers<typeof api> = {
    ...handlers,
    siteIndex: async (_, ctx) => ({ body: siteIndex(routes, settings, ctx.now) }),
    namespaceIndex: async ({ namespace }, ctx) => ({ body: namespaceIndex(routes, namespace, settings, ctx.now) }),
    readDoc: async (_, ctx) => ({ body: apiDocument(settings, ctx.settings.namespace, ctx.now) }),
    sendBatch: async (input, ctx) => ({ body: await runBatch(site, input, ctx) }),
  };
  // Each endpoint's handler takes the arguments as that endpoint's parsers produce them.
  const byEndpoint = new Map(
    Object.entries(api).map(([name, endpoint]) => [endpoint as Endpoint, all[name as keyof typeof api] as Handler]),
  );

  function handlerOf(endpoint: Endpoint): Handler {
    const handler = byEndpoint.get(endpoint);
    if (!handler) throw new Error(`no handler for ${endpoint.path}`);
    return handler;
  }

  const setsByEndpoint = new Map(
    Object.entries(sets).map(([name, set]) => [api[name as keyof typeof api] as Endpoint, set as SetHandler]),
  );
  function setHandlerOf(endpoint: Endpoint): SetHandler | undefined {
    return setsByEndpoint.get(endpoint);
  }

  const throttles = throttlesForCredentials();
  const tries = triesOfEventPasswords();
  const minute = (): number => now() - (now() % MINUTE_MS);
  // What strangers read is made once, as it is at a full minute.
  const keep = keepMade<Rendered>({
    // Without a database the answer itself says so.
    revision: () => siteRevision(db).catch(() => undefined),
    moment: () => String(minute()),
    sizeOf: ({ tag, content }) => (tag === undefined ? undefined : content.length),
    bytesMax: KEPT_BYTES_MAX,
  });
  return async (request, caller, address = '', signal = request.signal) => {
    const authorization = request.headers.get('authorization');
    const isStranger = caller === undefined && authorization === null;
    const place = isStranger && isRead(request.method) ? await keep(pathAndQuery(request)) : undefined;
    if (place?.made) return respond(request, place.made, request.method === 'HEAD');
    const asked = askedBy(request, site);
    if ('refused' in asked) return asked.refused;
    const peer = networkOf(address);
    const callerOf = async (): Promise<Caller | null> =>
      caller ?? authenticate(db, authorization, { peer, now: now(), throttles });
    const reach = { db, signal, tries: { ...tries, peer }, callerOf };
    const answer =
      place && isSameForAll(asked)
        ? await place.fill((revision) => answerTo(site, { ...reach, revision }, asked, minute()))
        : await answerTo(site, reach, asked, now());
    return respond(request, answer, asked.method === 'HEAD');
  };
}

const MINUTE_MS = 60_000;
// A page of fifty events may have half a megabyte.
const KEPT_BYTES_MAX = 32_000_000;

/** What a request works on, and how long it may; and who asks. */
interface Reach extends Pick<HandlerContext, 'db' | 'signal' | 'revision'> {
  readonly tries: PasswordTries;
  readonly callerOf: () => Promise<Caller | null>;
}

const noImages: FetchImage = async () => ({ kind: 'failed', message: 'This site fetches no images.' });

/** A request, as far as its address and its method say what is asked. */
interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly query: Params;
  readonly method: string;
  /** The function that `_jsonp` names. */
  readonly callback: string | undefined;
}

function askedBy(request: Request, { settings }: Site): Asked | { readonly refused: Response } {
  const url = new URL(request.url);
  try {
    const query = queryParams(url.search);
    const callback = query['_jsonp'] === '' ? undefined : query['_jsonp'];
    if (callback !== undefined && !isCallback(callback)) return { refused: badCallback() };
    return { request, url, query, method: methodOf(request, query['_method']), callback };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const form = { settings, caller: null, conditional: false, envelope: false, callback: undefined, xml: false };
    return { refused: respond(request, rendered(problemOutcome(error), form), request.method === 'HEAD') };
  }
}

/** Whether all strangers get the same answer to a read: no password opens anything to one of them. */
const isSameForAll = ({ query }: Asked): boolean => query['_method'] === undefined && query['password'] === undefined;

/** The address without its host, which nothing depends on. */
const pathAndQuery = ({ url }: Request): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

async function answerTo(site: Site, { callerOf, ...reach }: Reach, asked: Asked, now: number): Promise<Rendered> {
  const { url, query, method, callback } = asked;
  let caller: Caller | null = null;
  let match: Match | undefined;
  let outcome: Outcome;
  try {
    caller = await callerOf();
    match = matchOf(url.pathname, site);
    outcome = await outcomeFor(site, { ...asked, ...reach, match, caller, now });
  } catch (error) {
    outcome =
      error instanceof HttpProblem
        ? problemOutcome(error, allowHeader(match, { caller }))
        : unforeseen(error, site.report);
  }
  const isEmbed = match?.route.endpoints.includes(api.readEmbed) === true;
  return rendered(outcome, {
    settings: site.settings,
    caller,
    conditional: isRead(method),
    envelope: query['_envelope'] !== undefined,
    callback,
    xml: isEmbed && query['format'] === 'xml',
  });
}

function matchOf(pathname: string, { settings, routes }: Site): Match | undefined {
  const path = withoutBase(pathname, settings);
  return PREFIX.test(path) ? matchRoute(routes, path.replace(PREFIX, '') || '/') : undefined;
}

/**
 * A site may be installed below a path. A proxy in front of it removes that path, our own client in process does not.
 */
function withoutBase(pathname: string, { publicUrl }: SiteSettings): string {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  return base !== '' && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
}

/** What is asked, of which route, by whom, and with what it is answered. */
interface Matched extends Asked, Omit<Reach, 'callerOf'> {
  readonly match: Match | undefined;
  readonly caller: Caller | null;
  readonly now: number;
}

async function outcomeFor(
  site: Site,
  { request, query, method, match, caller, tries, db, signal, now, revision }: Matched,
): Promise<Outcome> {
  if (!match) throw noRoute();
  if (method === 'OPTIONS') return described(site, match.route, match, caller, now);
  const endpoint = endpointFor(match.route, method);
  if (!endpoint) return problemOutcome(noRoute());
  const sources = { ...(await bodyFor(endpoint, request, caller)), query };
  const ctx = { db, caller, tries, now, ...(signal && { signal }), ...(revision !== undefined && { revision }) };
  return dispatch(site, match, method, sources, ctx, async (body) =>
    query['_embed'] === undefined ? body : withEmbedded(site, body, query['_embed'], ctx),
  );
}

/** The parameters in a body. Callers who may not write may only send a small one. */
async function bodyFor(endpoint: Endpoint, request: Request, caller: Caller | null): ReturnType<typeof bodyParams> {
  const isWriter = mayUse('edit-events', caller);
  try {
    return await bodyParams(request, isWriter ? WRITER_BYTES_MAX : STRANGER_BYTES_MAX);
  } catch (error) {
    const isRefused =
      error instanceof HttpProblem && error.code === 'rest_body_too_large' && !mayUse(endpoint.right, caller);
    throw isRefused ? forbidden(caller) : error;
  }
}

/** The route's own description, for OPTIONS. */
const described = (site: Site, route: SiteRoute, match: Match, caller: Caller | null, now: number): Outcome => ({
  status: 200,
  body: entryOf(route, site.settings, now),
  headers: allowHeader(match, { caller }),
});

/** The effective method: `_method`, then the header sent through proxies that only allow GET and POST. */
function methodOf(request: Request, override: unknown): string {
  if (typeof override === 'string' && override !== '') return override.toUpperCase();
  const header = request.headers.get('x-http-method-override');
  return (header !== null && request.method === 'POST' ? header : request.method).toUpperCase();
}
