import { api } from '../../contract/api.ts';
import { routesOf, type Route } from '../../contract/describe.ts';
import type { Endpoint, Method } from '../../contract/endpoint.ts';
import type { SiteSettings } from '../context.ts';
import type { Params } from './php-params.ts';

/** A route of the site, ready to be matched. */
export interface SiteRoute extends Route {
  readonly pattern: RegExp;
  /** The calendar's namespace that it is below. */
  readonly calendar: string;
}

export interface Match {
  readonly route: SiteRoute;
  readonly params: Params;
}

/** All routes; those of the calendar also under the alias, if there is one. */
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

/** The route of a path below the interface's address, in upper or lower case, with or without a trailing slash. */
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

/** The endpoint for a method; HEAD counts as GET. */
export const endpointFor = (route: Route, method: string): Endpoint | undefined =>
  route.endpoints.find(({ methods }) => methods.includes((method === 'HEAD' ? 'GET' : method) as Method));

// As on real sites, an encoded slash is decoded, so such a slug has no route. Nor does a path with characters that
// PostgreSQL's text cannot contain.
function decodedPath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
