import { api } from '../../contract/api.ts';
import { describeRoute, routeKey, type RouteEntry } from '../../contract/describe.ts';
import { openapi } from '../../contract/openapi.ts';
import type { NamespaceIndex, SiteIndex } from '../../contract/representation.ts';
import { offsetAt } from '../../time.ts';
import type { SiteSettings } from '../context.ts';
import { argContext, type SiteRoute } from './dispatch.ts';
import { HttpProblem } from '../http-problem.ts';

/** The address of the interface, such as `https://calendar.example/api/`. */
export const rootOf = ({ publicUrl }: SiteSettings): string => `${publicUrl}/api/`;

/** The published description of a route, which also answers OPTIONS. */
export const entryOf = (route: SiteRoute, settings: SiteSettings, now: number): RouteEntry =>
  describeRoute(route, { ...argContext(settings, route.calendar, { now }), root: rootOf(settings) });

/** The index of the site with all of its routes. */
export function siteIndex(routes: readonly SiteRoute[], settings: SiteSettings, now: number): SiteIndex {
  const { title, description, publicUrl, timezone } = settings;
  const hours = offsetAt(now, timezone) / 60;
  const isOffset = /^(?:UTC)?[+-]/i.test(timezone);
  return {
    name: title,
    description,
    url: publicUrl,
    home: publicUrl,
    gmt_offset: isOffset ? String(hours) : hours,
    timezone_string: isOffset ? '' : timezone,
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: [...new Set(routes.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''))],
    authentication: { 'application-passwords': { endpoints: { authorization: `${publicUrl}/authorize` } } },
    routes: entries(routes, settings, now),
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
    _links: { help: [{ href: `${rootOf(settings)}${settings.namespace}/doc` }] },
  };
}

/** The index of one namespace. Throws HttpProblem if there is no such namespace. */
export function namespaceIndex(
  routes: readonly SiteRoute[],
  namespace: string,
  settings: SiteSettings,
  now: number,
): NamespaceIndex {
  const own = routes.filter((route) => route.namespace === namespace && namespace !== '');
  if (own.length === 0) throw new HttpProblem('rest_invalid_namespace', 'The specified namespace could not be found.');
  return { namespace, routes: entries(own, settings, now), _links: { up: [{ href: rootOf(settings) }] } };
}

/** The OpenAPI document of the interface. */
export const apiDocument = (settings: SiteSettings, calendar: string, now: number): object =>
  openapi(
    api,
    { title: settings.title, description: settings.description, version: '1.0.0' },
    { ...argContext(settings, calendar, { now }), root: rootOf(settings) },
  );

const entries = (routes: readonly SiteRoute[], settings: SiteSettings, now: number): Record<string, RouteEntry> =>
  Object.fromEntries(routes.map((route) => [routeKey(route.path), entryOf(route, settings, now)]));
