import { api } from '../../contract/api.ts';
import type { AtOnce } from '../../contract/arg.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Queryable } from '../../db/database.ts';
import { CODED_FACTOR } from '../../files/coded.ts';
import { authenticate, throttlesForCredentials } from '../users/authenticate.ts';
import { runBatch } from './batch.ts';
import { networkOf } from '../throttle.ts';
import type { Caller, HandlerContext, SiteSettings } from '../context.ts';
import { siteRoutes, type Handler, type SetHandler, type Site, type StatementHandler } from './dispatch.ts';
import type { Handlers, SetHandlers, SiteHandlers, StatementHandlers } from '../handlers.ts';
import { forbidden, HttpProblem } from '../http-problem.ts';
import { keepMade, type At } from '../kept.ts';
import { apiDocument, namespaceIndex, siteIndex } from './indexes.ts';
import { problemOutcome, type Outcome } from './outcome.ts';
import { STRANGER_BYTES_MAX, WRITER_BYTES_MAX } from '../../request-bytes.ts';
import { conditionIn } from './conditional-write.ts';
import { bodyParams, queryParams, valueParams } from './request-params.ts';
import { outcomeTo, type Asked, type RequestContext } from './outcome-to.ts';
import {
  badCallback,
  isCallback,
  lengthOf,
  rendered,
  respond,
  sentOften,
  type Form,
  type Rendered,
} from './respond.ts';
import { triesOfEventPasswords } from '../store/event-password.ts';
import type { FetchImage } from '../store/fetch-images.ts';
import { siteRevision } from '../store/turn.ts';
import { mayUse, WHO_MAY } from './rights.ts';

/** The parts of the built-in site. */
export interface SiteParts {
  readonly db: Queryable;
  readonly settings: SiteSettings;
  readonly handlers: SiteHandlers;
  readonly sets: SetHandlers;
  readonly statements: StatementHandlers;
  /** Fetches images that requests name by address; without it such requests fail. */
  readonly fetchImage?: FetchImage;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives the errors behind 500 answers. */
  readonly report: (error: unknown) => void;
}

/**
 * Answers a request to the interface. A given `caller` is trusted and needs no credentials; `peer` is the address of an
 * outside client. Nothing is written once `isAwaited` says that nobody waits for the answer.
 */
export type SiteHandler = (
  request: Request,
  caller?: Caller,
  peer?: string,
  isAwaited?: () => boolean,
) => Promise<Response>;

/** A request as values. It lacks what only concerns the form of an answer, such as `_jsonp` and `_envelope`. */
export interface ValueRequest {
  readonly method: string;
  readonly url: URL;
  readonly body?: unknown;
}

/** The circumstances of a request made in this process, with the site's revision, if it is already known. */
export interface Asking extends At {
  /** The address of the client on whose behalf it is made. */
  readonly peer?: string | undefined;
  /** The limits of HTTP requests apply if unset. */
  readonly atOnce?: AtOnce;
  /** For requests that change a single item: if this is false for it, nothing is written. */
  readonly isAsKnown?: HandlerContext['isAsKnown'];
}

/** The built-in site's REST interface below `/api/`. */
export interface RestSite {
  /** Answers an HTTP request. */
  readonly handle: SiteHandler;
  /**
   * The same within this process, with values that neither side may change. Without a caller the request is anonymous.
   */
  readonly answer: (request: ValueRequest, caller: Caller | null, asking?: Asking) => Promise<Outcome>;
}

/** Opens the built-in site's REST interface. */
export function openRest({
  db,
  settings,
  handlers,
  sets,
  statements,
  now,
  report,
  fetchImage = noImages,
}: SiteParts): RestSite {
  const routes = siteRoutes(settings);
  const site: Site = { settings, routes, report, handlerOf, setHandlerOf, statementHandlerOf, fetchImage };
  const all: Handlers<typeof api> = {
    ...handlers,
    siteIndex: async (_, ctx) => ({ body: siteIndex(routes, settings, ctx.now) }),
    namespaceIndex: async ({ namespace }, ctx) => ({ body: namespaceIndex(routes, namespace, settings, ctx.now) }),
    readDoc: async (_, ctx) => ({ body: apiDocument(settings, ctx.settings.namespace, ctx.now) }),
    sendBatch: async (input, ctx) => ({ body: await runBatch(site, input, ctx) }),
  };
  // Each handler takes its arguments as the endpoint's parsers produce them.
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
  const statementsByEndpoint = new Map(
    Object.entries(statements).map(([name, one]) => [
      api[name as keyof typeof api] as Endpoint,
      one as StatementHandler,
    ]),
  );
  function statementHandlerOf(endpoint: Endpoint): StatementHandler | undefined {
    return statementsByEndpoint.get(endpoint);
  }

  const throttles = throttlesForCredentials();
  const tries = triesOfEventPasswords();
  // The clock is read once: after a second reading the minute could differ from the one under which the answer is kept.
  const minute = (): number => Math.floor(now() / MINUTE_MS) * MINUTE_MS;
  // If the database is unavailable, the answer itself says so.
  const revisionIfKnown = (): Promise<string | undefined> => siteRevision(db).catch(() => undefined);
  // Answers to anonymous reads are made once per revision and minute, as of the full minute.
  const keep = keepMade<Rendered>({
    revision: revisionIfKnown,
    now,
    moment: () => String(minute()),
    sizeOf: ({ digest, content }) => (digest === undefined ? undefined : lengthOf(content) * CODED_FACTOR),
    bytesMax: KEPT_BYTES_MAX,
    onceMax: KEPT_ONCE_MAX,
    again: sentOften,
  });
  const answer: RestSite['answer'] = async ({ method, url, body }, caller, asking = {}) => {
    const { peer = '', atOnce, isAsKnown, confirm } = asking;
    const reach = {
      db,
      tries: { ...tries, peer: networkOf(peer) },
      callerOf: async () => caller,
      ...(atOnce && { atOnce }),
      ...(isAsKnown && { isAsKnown }),
    };
    try {
      const asked = { url, method, query: queryParams(url.search), bodyOf: async () => valueParams(body) };
      const isShared = caller === null && isRead(method) && isSameForAll(asked);
      const revision = isShared ? (asking.revision ?? (await revisionIfKnown())) : undefined;
      return (await outcomeTo(site, { ...reach, revision, confirm }, asked, now())).outcome;
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      return problemOutcome(error);
    }
  };
  const handle: SiteHandler = async (request, caller, address = '', isAwaited = always) => {
    const authorization = request.headers.get('authorization');
    const isStranger = caller === undefined && authorization === null;
    const place = isStranger && isRead(request.method) ? await keep(pathAndQuery(request)) : undefined;
    if (place?.made) return respond(request, place.made, request.method === 'HEAD');
    const asked = askedBy(request, site);
    if ('refused' in asked) return asked.refused;
    const peer = networkOf(address);
    const callerOf = async (): Promise<Caller | null> =>
      caller ?? authenticate(db, authorization, { peer, now: now(), throttles });
    const reach = { db, isAwaited, tries: { ...tries, peer }, callerOf };
    const made =
      place && isSameForAll(asked)
        ? await place.fill((at) => answerTo(site, { ...reach, ...at }, asked, minute()))
        : await answerTo(site, reach, asked, now());
    return respond(request, made, asked.method === 'HEAD');
  };
  return { handle, answer };
}

const MINUTE_MS = 60_000;
// A page of fifty events may have half a megabyte.
const KEPT_BYTES_MAX = 32_000_000;
// Most addresses are never requested again, and memory that is freed soon costs little.
const KEPT_ONCE_MAX = 64;

const always = (): boolean => true;

const noImages: FetchImage = async () => ({ kind: 'failed', message: 'This site fetches no images.' });

/** An HTTP request, as far as its address and method describe it. */
interface AskedAsText extends Asked {
  /** The form of the answer to a caller. */
  readonly form: (caller: Caller | null) => Form;
}

function askedBy(
  request: Request,
  { settings }: Site,
): AskedAsText | { readonly refused: Response | Promise<Response> } {
  const url = new URL(request.url);
  try {
    const query = queryParams(url.search);
    const callback = query['_jsonp'] === '' ? undefined : query['_jsonp'];
    if (callback !== undefined && !isCallback(callback)) return { refused: badCallback() };
    const bodyOf: Asked['bodyOf'] = (endpoint, caller) => bodyFor(endpoint, request, caller);
    const method = methodOf(request, query['_method']);
    const form = (caller: Caller | null): Form => ({
      settings,
      caller,
      conditional: true,
      envelope: query['_envelope'] !== undefined,
      callback,
      xml: false,
    });
    const condition = isRead(method) ? undefined : conditionIn(request.headers);
    const isAsExpected: Asked['isAsExpected'] =
      condition && (async (read, caller) => condition((await rendered(read, form(caller))).digest));
    return { url, query, method, bodyOf, form, isAsExpected };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const form = { settings, caller: null, conditional: false, envelope: false, callback: undefined, xml: false };
    const isHead = request.method === 'HEAD';
    return { refused: rendered(problemOutcome(error), form).then((made) => respond(request, made, isHead)) };
  }
}

/** Whether all anonymous callers get the same answer to a read, because it contains no password. */
const isSameForAll = ({ query }: Asked): boolean => query['_method'] === undefined && query['password'] === undefined;

/** The address without its host, which does not affect the answer. */
const pathAndQuery = ({ url }: Request): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

async function answerTo(site: Site, reach: RequestContext, asked: AskedAsText, now: number): Promise<Rendered> {
  const { query, method, form } = asked;
  const { outcome, caller, match } = await outcomeTo(site, reach, asked, now);
  const isEmbed = match?.route.endpoints.includes(api.readEmbed) === true;
  return rendered(outcome, {
    ...form(caller),
    conditional: isRead(method),
    xml: isEmbed && query['format'] === 'xml',
  });
}

/** Reads the parameters in a body. Callers who may not write can only send a small one. */
async function bodyFor(endpoint: Endpoint, request: Request, caller: Caller | null): ReturnType<typeof bodyParams> {
  const isWriter = mayUse('edit-events', caller);
  try {
    return await bodyParams(request, isWriter ? WRITER_BYTES_MAX : STRANGER_BYTES_MAX);
  } catch (error) {
    const isRefused =
      error instanceof HttpProblem && error.code === 'rest_body_too_large' && !mayUse(endpoint.right, caller);
    throw isRefused ? forbidden(caller, WHO_MAY[endpoint.right]) : error;
  }
}

/** The effective method: `_method`, else the header sent through proxies that only allow GET and POST. */
function methodOf(request: Request, override: unknown): string {
  if (typeof override === 'string' && override !== '') return override.toUpperCase();
  const header = request.headers.get('x-http-method-override');
  return (header !== null && request.method === 'POST' ? header : request.method).toUpperCase();
}
