import { decodedPart } from '../../ascii.ts';
import { api } from '../../contract/api.ts';
import type { ArgContext, Args } from '../../contract/arg.ts';
import { checkArgs } from '../../contract/check.ts';
import { routesOf, type Route } from '../../contract/describe.ts';
import type { Endpoint, Method } from '../../contract/endpoint.ts';
import type { ErrorBody } from '../../contract/representation.ts';
import type { Caller, HandlerContext, Role, SiteSettings } from '../context.ts';
import { forbidden, HttpProblem, ForbiddenPost } from '../http-problem.ts';
import type { Answer, Answers } from '../handlers.ts';
import { fieldsOf } from './fields.ts';
import { noRoute, problemOutcome, type Outcome } from './outcome.ts';
import type { Params } from './php-params.ts';
import { mergedParams, type Sources } from './request-params.ts';
import { mayUse, WHO_MAY } from './rights.ts';
import { fetchImages, type FetchImage } from '../store/fetch-images.ts';

export type Handler = (input: never, ctx: HandlerContext) => Promise<Answer<unknown>>;
export type SetHandler = (
  inputs: readonly never[],
  ctx: HandlerContext,
) => Promise<readonly Answer<unknown>[] | undefined>;

export type StatementHandler = (inputs: readonly never[], ctx: HandlerContext) => Promise<Answers<unknown> | undefined>;

/** A route of the site, ready to be matched. */
export interface SiteRoute extends Route {
  readonly pattern: RegExp;
  /** The calendar namespace to which it belongs. */
  readonly calendar: string;
}

export interface Match {
  readonly route: SiteRoute;
  readonly params: Params;
}

/** The parts of the running built-in site. */
export interface Site {
  readonly settings: SiteSettings;
  readonly routes: readonly SiteRoute[];
  readonly handlerOf: (endpoint: Endpoint) => Handler;
  /** Carries out several requests to an endpoint together, if there is such a handler. */
  readonly setHandlerOf: (endpoint: Endpoint) => SetHandler | undefined;
  /** The same in one statement. */
  readonly statementHandlerOf: (endpoint: Endpoint) => StatementHandler | undefined;
  readonly fetchImage: FetchImage;
  /** Receives the errors behind 500 answers. */
  readonly report: (error: unknown) => void;
}

/** All routes, with those of the calendar repeated under the alias, if there is one. */
export function siteRoutes({ namespace, namespaceAlias }: SiteSettings): readonly SiteRoute[] {
  const routes = routesOf(api, namespace).map((route) => siteRoute(route, namespace));
  if (namespaceAlias === undefined || namespaceAlias === namespace) return routes;
  const aliased = routesOf(api, namespaceAlias).filter((route) => route.namespace === namespaceAlias);
  return [...routes, ...aliased.map((route) => siteRoute(route, namespaceAlias))];
}

function siteRoute(route: Route, calendar: string): SiteRoute {
  const escaped = route.path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  const source = escaped
    .replace(/\/$/, '')
    .replace('{id}', String.raw`(?<id>\d+)`)
    .replace('{slug}', '(?<slug>[^/]+)');
  return { ...route, calendar, pattern: new RegExp(`^${source}/?$`, 'i') };
}

/** Finds the route of a path below the interface's address, ignoring case and a trailing slash. */
export function matchRoute(routes: readonly SiteRoute[], path: string): Match | undefined {
  if (!path.startsWith('/')) return undefined;
  const decoded = decodedPath(path);
  if (decoded === undefined) return undefined;
  for (const route of routes) {
    const match = route.pattern.exec(decoded);
    if (match) return { route, params: { ...match.groups } };
  }
  return undefined;
}

/** Finds the endpoint for a method; HEAD counts as GET. */
export const endpointFor = (route: Route, method: string): Endpoint | undefined =>
  route.endpoints.find(({ methods }) => methods.includes((method === 'HEAD' ? 'GET' : method) as Method));

// As on real sites, an encoded slash is decoded, so such a slug has no route. Nor does a path with characters that
// PostgreSQL's text cannot contain.
function decodedPath(path: string): string | undefined {
  const decoded = decodedPart(path);
  return decoded.includes('\0') ? undefined : decoded;
}

/** A request that can be carried out: matched to an endpoint, with valid arguments. */
export interface Ready {
  readonly kind: 'ready';
  readonly match: Match;
  readonly endpoint: Endpoint;
  readonly args: Params;
  readonly fields: unknown;
  readonly language: unknown;
  readonly opening: Opening;
  /** Why the body was not read, as a sentence. */
  readonly unread?: string | undefined;
}
/** Parameters that open protected posts. As on real sites, every route takes them, declared or not. */
type Opening = Pick<HandlerContext, 'password' | 'isEditing'>;
export interface Refused {
  readonly kind: 'refused';
  readonly match: Match | undefined;
  readonly problem: Outcome;
}

/** What happens around the call of a handler. */
export interface Surroundings {
  /** Adds to the answer before `_fields` selects from it. */
  readonly whole?: (body: unknown) => Promise<unknown>;
  /** Calls the handler in a transaction, and may refuse its result. */
  readonly within?: (
    call: (inside: Partial<Pick<HandlerContext, 'db'>>) => Promise<Answer<unknown>>,
  ) => Promise<Answer<unknown>>;
}

/** Carries out a request: checks its parameters and the caller's right, and calls the handler. */
export async function dispatch(
  site: Site,
  match: Match | undefined,
  method: string,
  sources: Omit<Sources, 'path'>,
  ctx: Omit<HandlerContext, 'settings'>,
  around?: Surroundings,
): Promise<Outcome> {
  const prepared = prepare(site, match, method, sources, ctx);
  return prepared.kind === 'refused'
    ? { ...prepared.problem, headers: allowHeader(prepared.match, ctx) }
    : perform(site, prepared, ctx, around);
}

/** The time of a request, and how much it may ask for in one go. */
type Asking = Pick<HandlerContext, 'now' | 'atOnce'>;

/** The first half of `dispatch`: finds the endpoint and parses the arguments, or refuses. */
export function prepare(
  site: Site,
  match: Match | undefined,
  method: string,
  sources: Omit<Sources, 'path'>,
  asking: Asking,
): Ready | Refused {
  const endpoint = match && endpointFor(match.route, method);
  if (!endpoint) return { kind: 'refused', match: undefined, problem: problemOutcome(noRoute(match?.route)) };
  const params = mergedParams({ ...sources, path: match.params });
  const checked = checkArgs<Args>(endpoint.args, params, argContext(site.settings, match.route.calendar, asking));
  if (!checked.ok)
    return { kind: 'refused', match, problem: { status: 400, body: withUnread(checked.error, sources), headers: {} } };
  return {
    kind: 'ready',
    match,
    endpoint,
    args: checked.args,
    fields: params['_fields'],
    language: sources.query['translation_language'],
    opening: openingOf(params),
    unread: isWrite(method) ? sources.unread : undefined,
  };
}

/** Whether the body of a method is written; that of DELETE has no meaning (RFC 9110, section 9.3.5). */
const isWrite = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** If required parameters seem to be missing because the body was not read, the error says so. */
const withUnread = (error: ErrorBody, { unread }: Pick<Sources, 'unread'>): ErrorBody =>
  unread === undefined || error.code !== 'rest_missing_callback_param'
    ? error
    : { ...error, message: `${error.message}. ${unread}` };

/**
 * The second half of `dispatch`: checks the caller's right, then calls the handler. Refusals are outcomes; any other
 * error is thrown.
 */
export async function perform(
  site: Site,
  { match, endpoint, args, fields, language, opening, unread }: Ready,
  ctx: Omit<HandlerContext, 'settings'>,
  { whole = async (body) => body, within = (call) => call({}) }: Surroundings = {},
): Promise<Outcome> {
  try {
    if (!mayUse(endpoint.right, ctx.caller)) throw forbidden(ctx.caller, WHO_MAY[endpoint.right]);
    if (unread !== undefined) throw notRead(unread);
    const handler = site.handlerOf(endpoint);
    const settings = settingsOf(site, match);
    const images = ctx.images ?? (await fetchImages(site.fetchImage, [args], { ...ctx, settings }));
    // The endpoint's own parsers have produced these arguments.
    const inner = { ...ctx, ...opening, settings, images, ...languageOf(language) };
    const answer = await within((inside) => handler(args as never, { ...inner, ...inside }));
    const headers = allowHeader(match, answer.isReadOnly ? NOBODY : ctx);
    return answered(endpoint, { ...answer, body: await whole(answer.body) }, fields, headers);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return problemOutcome(error, allowHeader(match, error instanceof ForbiddenPost ? NOBODY : ctx));
  }
}

/**
 * An update without parameters changes nothing, so parameters in an unread body must not get a success (RFC 9110,
 * section 15.5.16).
 */
const notRead = (why: string): HttpProblem =>
  new HttpProblem('rest_unsupported_media_type', `Nothing was written. ${why}`);

/** Callers who may only read a post have the rights of anonymous callers to it. */
const NOBODY = { caller: null };

/**
 * The second half of `dispatch` for several requests to one endpoint together. Throws if any is refused. Returns
 * undefined if they must go one by one; the caller then has to roll back.
 */
export async function performAsSet(
  site: Site,
  handler: SetHandler,
  items: readonly [Ready, ...Ready[]],
  ctx: Omit<HandlerContext, 'settings'>,
): Promise<readonly Outcome[] | undefined> {
  const answers = await handler(...askedOf(site, items, ctx));
  return answers && outcomesOf(items, answers, ctx);
}

/**
 * The same in a single statement, after which the outcomes can be built. Returns undefined, having done nothing, if
 * they must be carried out in another way.
 */
export async function performInStatement(
  site: Site,
  handler: StatementHandler,
  items: readonly [Ready, ...Ready[]],
  ctx: Omit<HandlerContext, 'settings'>,
): Promise<(() => Promise<readonly Outcome[]>) | undefined> {
  const answers = await handler(...askedOf(site, items, ctx));
  return answers && (async () => outcomesOf(items, await answers(), ctx));
}

/**
 * The arguments for a handler of several requests to one endpoint. Throws HttpProblem if the caller has no right to it.
 */
function askedOf(
  site: Site,
  items: readonly [Ready, ...Ready[]],
  ctx: Omit<HandlerContext, 'settings'>,
): [readonly never[], HandlerContext] {
  const [{ endpoint, match, language }] = items;
  if (!mayUse(endpoint.right, ctx.caller)) throw forbidden(ctx.caller, WHO_MAY[endpoint.right]);
  // The endpoint's own parsers have produced these arguments.
  const inputs = items.map(({ args }) => args as never);
  return [inputs, { ...ctx, settings: settingsOf(site, match), ...languageOf(language) }];
}

function outcomesOf(
  items: readonly [Ready, ...Ready[]],
  answers: readonly Answer<unknown>[],
  ctx: Omit<HandlerContext, 'settings'>,
): readonly Outcome[] {
  const [{ endpoint, match }] = items;
  const headers = allowHeader(match, ctx);
  return answers.map((answer, index) => answered(endpoint, answer, items[index]?.fields, headers));
}

const languageOf = (language: unknown): Pick<HandlerContext, 'language'> =>
  typeof language === 'string' ? { language } : {};

/** The settings for the routes of one calendar namespace; the same object for the same routes. */
function settingsOf({ settings }: Site, { route: { calendar } }: Match): SiteSettings {
  if (calendar === settings.namespace) return settings;
  const known = underAlias.get(settings) ?? { ...settings, namespace: calendar };
  underAlias.set(settings, known);
  return known;
}

/** A site has at most one alias. */
const underAlias = new WeakMap<SiteSettings, SiteSettings>();

const answered = (
  endpoint: Endpoint,
  { body, headers: own }: Answer<unknown>,
  fields: unknown,
  headers: Readonly<Record<string, string>>,
): Outcome => ({
  status: endpoint.status,
  body: fieldsOf(body, fields),
  headers: { ...own, ...totals(endpoint, body), ...headers },
});

const openingOf = ({ password, context }: Params): Opening => ({
  password: typeof password === 'string' ? password : undefined,
  isEditing: context === 'edit',
});

/** The Allow header: the methods of a route that this caller may use. */
export function allowHeader(
  match: Match | undefined,
  { caller }: Pick<HandlerContext, 'caller'>,
): Readonly<Record<string, string>> {
  if (!match) return {};
  const byRole = allowHeaders.get(match.route) ?? new Map<Role | undefined, AllowHeader>();
  allowHeaders.set(match.route, byRole);
  const header = byRole.get(caller?.role) ?? allowHeaderOf(match.route, caller);
  byRole.set(caller?.role, header);
  return header;
}

/** Rights to routes depend only on the role, see `mayUse`. */
const allowHeaders = new WeakMap<SiteRoute, Map<Role | undefined, AllowHeader>>();

type AllowHeader = Readonly<Record<string, string>>;

function allowHeaderOf({ endpoints }: SiteRoute, caller: Caller | null): AllowHeader {
  const allowed = endpoints.filter(({ right }) => mayUse(right, caller));
  const methods = new Set(allowed.flatMap((endpoint) => endpoint.methods));
  return methods.size === 0 ? {} : { Allow: [...methods].join(', ') };
}

export const argContext = (
  { timezone, languages }: SiteSettings,
  namespace: string,
  { now, atOnce }: Asking,
): ArgContext => ({ now, timezone, languages, namespace, ...(atOnce && { atOnce }) });

/** The headers that repeat a page's totals. */
function totals({ answers }: Endpoint, body: unknown): Record<string, string> {
  if (!answers.endsWith('Page')) return {};
  const { total, total_pages: pages } = body as { readonly total: number; readonly total_pages: number };
  return { 'X-TEC-Total': String(total), 'X-TEC-TotalPages': String(pages) };
}
