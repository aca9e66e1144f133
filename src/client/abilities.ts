import { AppError } from '../error.ts';
import { decodeEntities } from '../html/references.ts';
import { isZone, steadyZone } from '../time.ts';
import { rootNamedBy, routeAddress } from './address.ts';
import { errorFrom } from './answer.ts';
import { askForAnswer, hasCredentials, type Line } from './ask.ts';
import { isSameSite } from './questions.ts';
import type { Abilities } from './site-client.ts';

interface SiteIndex {
  readonly name?: string;
  readonly timezone_string?: string;
  readonly gmt_offset?: number | string;
  readonly namespaces: readonly string[];
}
interface Arg {
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
}
interface RouteEndpoint {
  readonly methods?: readonly string[];
  readonly args?: Readonly<Record<string, Arg>> | readonly [];
  readonly allow_batch?: unknown;
}
type Routes = Readonly<Record<string, { readonly endpoints?: readonly RouteEndpoint[] }>>;

/**
 * Finds out what a site can do, from its index and that of the namespace. `address` is its API root or one of its
 * pages; `languageParameter` selects a language. Throws AppError.
 */
export async function findAbilities(
  line: Line,
  address: string,
  namespace: string,
  languageParameter: string | undefined,
): Promise<Abilities> {
  const name = namespace.replace(/^\/+|\/+$/g, '');
  const { root, index, routes } = await readIndexes(line, address, name);
  const create = (resource: string): RouteEndpoint | undefined => endpointOf(routes, `/${name}/${resource}`, 'POST');
  const listArgs = argsOf(endpointOf(routes, `/${name}/events`, 'GET'));
  const pageSize = listArgs['per_page']?.maximum;
  return {
    root,
    namespace: name,
    title: decodeEntities(index.name ?? ''),
    timezone: zoneFrom(index),
    batch: RESOURCES.every((resource) => isBatchable(create(resource))),
    venueCoordinates: 'geo_lat' in argsOf(create('venues')) && 'geo_lng' in argsOf(create('venues')),
    // Sites silently cap larger pages.
    perPageMax: pageSize !== undefined && pageSize > 0 ? Math.min(pageSize, line.atOnce.items) : line.atOnce.items,
    languages: (listArgs[languageParameter ?? '']?.enum ?? []).map(String),
  };
}

interface Indexes {
  readonly root: string;
  readonly index: SiteIndex;
  readonly routes: Routes;
}

/**
 * The index of a site and that of a namespace. Both are requested at the same time if the address is most likely the
 * API root.
 */
async function readIndexes(line: Line, address: string, namespace: string): Promise<Indexes> {
  const found = findIndex(line, address);
  const early = isRoot(address) ? readRoutes(line, address, namespace) : undefined;
  // If this fails, the request for the site's index explains the problem better.
  early?.catch(() => undefined);
  const { root, index } = await found;
  if (!index.namespaces.includes(namespace))
    throw new AppError('site-no-namespace', noNamespace(root, namespace, index.namespaces));
  const addressIn = (at: string): string => routeAddress(at, `/${namespace}`).href;
  const routes = await (early && addressIn(root) === addressIn(address) ? early : readRoutes(line, root, namespace));
  return { root, index, routes };
}

/** Whether an address is most likely an API root rather than a page. */
function isRoot(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (/\/wp-json\/?$/.test(url.pathname) || url.searchParams.has('rest_route'));
}

const RESOURCES = ['events', 'venues', 'organizers', 'categories', 'tags'];
const INDEX_FIELDS = 'name,url,home,timezone_string,gmt_offset,namespaces';

async function findIndex(line: Line, address: string): Promise<{ root: string; index: SiteIndex }> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new AppError(
      'site-bad-address',
      `"${publicPart(address)}" is not the address of a site. Write one such as https://example.org/wp-json as url in the configuration.`,
    );
  const first = await readIndex(line, address);
  if (first.index) return { root: first.root, index: first.index };
  const { named } = first;
  if (!named || named.href === first.root) throw first.error;
  if (!isSameSite(new URL(address), named)) {
    throw new AppError(
      'site-elsewhere',
      `The page at ${new URL(address).host} names an interface at ${named.origin}${named.pathname}. ` +
        'If that is the site, write this address as url in the configuration.',
    );
  }
  const second = await readIndex(line, named.href);
  if (second.index) return { root: second.root, index: second.index };
  throw second.error;
}

const publicPart = (address: string): string => address.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');

async function readIndex(
  line: Line,
  address: string,
): Promise<{ root: string; index?: SiteIndex; named?: URL; error: AppError }> {
  const what = 'reading the site index';
  const { answer, url } = await askForAnswer(
    line,
    { method: 'GET', url: routeAddress(address, '/', { _fields: INDEX_FIELDS }) },
    what,
  );
  const { body, headers, text } = answer;
  const error =
    body === undefined || answer.status >= 400
      ? errorFrom(answer, what, url.host, hasCredentials(line))
      : new AppError(
          'site-unknown',
          `${url.host} answers JSON, but no site index. Write the address of the API root, such as https://example.org/wp-json, as url in the configuration.`,
        );
  if (isSiteIndex(body)) return { root: rootFrom(url), index: body, error };
  const named = rootNamedBy(headers, text, url);
  return { root: rootFrom(url), error, ...(named ? { named } : {}) };
}

const isSiteIndex = (body: unknown): body is SiteIndex =>
  Array.isArray((body as { namespaces?: unknown } | null)?.namespaces);

// The address that answered, so that a redirect to https or www is followed only once and writes go straight to the
// target.
function rootFrom(url: URL): string {
  const root = new URL(url);
  root.searchParams.delete('_fields');
  return root.href;
}

async function readRoutes(line: Line, root: string, namespace: string): Promise<Routes> {
  const what = `reading the index of ${namespace}`;
  const { answer, url } = await askForAnswer(line, { method: 'GET', url: routeAddress(root, `/${namespace}`) }, what);
  const { routes } = (answer.body ?? {}) as { routes?: Routes };
  if (answer.status !== 200 || typeof routes !== 'object')
    throw errorFrom(answer, what, url.host, hasCredentials(line));
  return routes;
}

const endpointOf = (routes: Routes, route: string, method: string): RouteEndpoint | undefined =>
  routes[route]?.endpoints?.find(({ methods }) => methods?.includes(method));

const argsOf = (endpoint: RouteEndpoint | undefined): Readonly<Record<string, Arg>> =>
  endpoint?.args && !Array.isArray(endpoint.args) ? (endpoint.args as Readonly<Record<string, Arg>>) : {};

const isBatchable = (endpoint: RouteEndpoint | undefined): boolean =>
  (endpoint?.allow_batch as { v1?: unknown } | undefined)?.v1 === true;

function noNamespace(root: string, namespace: string, namespaces: readonly string[]): string {
  const calendars = namespaces.filter((name) => /(?:^|\/)events\/v\d+$/.test(name));
  const advice =
    calendars.length > 0
      ? `It offers ${calendars.join(', ')}: write that as namespace.`
      : 'Is the calendar installed there, and its interface switched on?';
  return `${new URL(root).host} has no ${namespace}. ${advice}`;
}

/** The site's time zone: a name or, if it has none, an offset (`UTC+5.5`). */
function zoneFrom({
  timezone_string: name,
  gmt_offset: offset,
}: Pick<SiteIndex, 'timezone_string' | 'gmt_offset'>): string {
  if (name !== undefined && isZone(name)) return name;
  return steadyZone(Number(offset ?? 0) * 60 || 0);
}

/**
 * Whether updates of a site are partial. Real sites take no batches on their calendar routes, and reset fields that an
 * update does not name; the built-in site takes batches and keeps such fields.
 */
export const isPartial = ({ batch }: Pick<Abilities, 'batch'>): boolean => batch;
