import { listEvents } from './event-list.ts';
import { createEvent, oneEvent } from './events.ts';
import { createLinked, listLinked, oneLinked } from './linked.ts';
import { noRoute, Refusal, refusal, type Asking, type Params, type Reply } from './reply.ts';
import { allowed, capabilitiesOf, mayChange, mayEditEvents, mayManageTerms, USER, type Role } from './rights.ts';
import type { Site } from './site.ts';
import { namespaceIndex, siteIndex } from './indexes.ts';
import { createTerm, listTerms, oneTerm } from './terms.ts';

/**
 * Answers one request below the API root. `path` begins with a slash. Lists are read from `lists`, which may be an
 * outdated cache.
 */
export function answer(site: Site, lists: Site, method: string, path: string, params: Params, role: Role): Reply {
  const route = path.replace(/\/+$/, '').toLowerCase();
  if (route === '' && method === 'GET') return siteIndex(site, params);
  if (route === '/batch/v1' && method === 'POST') return batch(site, params, role);
  if (route === '/wp/v2/users/me' && method === 'GET') return currentUser(params, role);
  if (route === `/${site.namespace}` && method === 'GET') return namespaceIndex(site);
  if (!route.startsWith(`/${site.namespace}/`)) throw noRoute();
  const [resource = '', key, slug, more] = path
    .slice(site.namespace.length + 2)
    .replace(/\/+$/, '')
    .split('/');
  if (more !== undefined) throw noRoute();
  const asking = { params, role };
  const reply = replyOrRefusal(() => onResource(site, lists, resource.toLowerCase(), key, slug, method, asking));
  return { ...reply, headers: { ...reply.headers, allow: allowedOn(site, resource.toLowerCase(), key, slug, asking) } };
}

function replyOrRefusal(reply: () => Reply): Reply {
  try {
    return reply();
  } catch (error) {
    if (error instanceof Refusal && !isNoRoute(error.reply)) return error.reply;
    throw error;
  }
}

const isNoRoute = ({ body }: Reply): boolean => (body as { code?: unknown }).code === 'rest_no_route';

/** The `Allow` header of a route, which every answer has: what this user may do there. */
function allowedOn(
  site: Site,
  resource: string,
  key: string | undefined,
  slug: string | undefined,
  { params, role }: Asking,
): string {
  const isTerm = resource === 'categories' || resource === 'tags';
  const mayCreate = isTerm ? mayManageTerms(role, resource, site.isOld) : mayEditEvents(role);
  if (key === undefined) return allowed(mayCreate);
  const which = keyOf(key, slug, params);
  const post =
    'id' in which
      ? site.store.posts.get(which.id)
      : [...site.store.posts.values()].find((each) => each.type === resource && each.slug === which.slug);
  const mayChangeIt =
    isTerm || post === undefined ? mayCreate : mayChange(role, post, { isOld: site.isOld, bySlug: 'slug' in which });
  return allowed(mayCreate, mayChangeIt, true);
}

/** GET /wp/v2/users/me: all users may read their own capabilities, but only with `context=edit`. */
function currentUser(params: Params, role: Role): Reply {
  if (role === 'nobody') throw refusal(401, 'rest_not_logged_in');
  const body: Readonly<Record<string, unknown>> = {
    id: Number(USER),
    name: 'calendar',
    ...(params['context'] === 'edit' ? { roles: [role], capabilities: capabilitiesOf(role) } : {}),
  };
  const fields = params['_fields'] === undefined ? Object.keys(body) : String(params['_fields']).split(',');
  return {
    status: 200,
    body: Object.fromEntries(fields.filter((field) => field in body).map((field) => [field, body[field]])),
  };
}

type Key = { readonly id: number } | { readonly slug: string };

function onResource(
  site: Site,
  lists: Site,
  resource: string,
  key: string | undefined,
  slug: string | undefined,
  method: string,
  asking: Asking,
): Reply {
  if (key === undefined) return onCollection(method === 'GET' ? lists : site, resource, method, asking);
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) throw noRoute();
  const isTerm = resource === 'categories' || resource === 'tags';
  const which = keyOf(key, slug, asking.params);
  if (isTerm && 'id' in which) return oneTerm(site, resource, method, which.id, asking);
  if (resource === 'venues' || resource === 'organizers') return oneLinked(site, resource, method, which, asking);
  if (resource === 'events') return oneEvent(site, method, which, asking);
  throw noRoute();
}

// The body takes precedence over the path: {"id": 4} sent to /events/99 edits event 4.
function keyOf(key: string, slug: string | undefined, params: Params): Key {
  if (key === 'by-slug' && slug !== undefined) return { slug: String(params['slug'] ?? decodeURIComponent(slug)) };
  if (!/^\d+$/.test(key) || slug !== undefined) throw noRoute();
  return { id: Number(params['id'] ?? key) };
}

function onCollection(site: Site, resource: string, method: string, asking: Asking): Reply {
  if (method !== 'GET' && method !== 'POST') throw noRoute();
  switch (resource) {
    case 'events':
      return method === 'GET' ? listEvents(site, asking) : createEvent(site, asking);
    case 'venues':
    case 'organizers':
      return method === 'GET' ? listLinked(site, resource, asking) : createLinked(site, resource, asking);
    case 'categories':
    case 'tags':
      return method === 'GET' ? listTerms(site, resource, asking) : createTerm(site, resource, asking);
    default:
      throw noRoute();
  }
}

/** The calendar's routes cannot be batched: each such item is refused in a 207. */
function batch(site: Site, params: Params, role: Role): Reply {
  const { requests } = params as { requests?: readonly { path?: string }[] };
  if (!Array.isArray(requests)) throw refusal(400, 'rest_missing_callback_param', { params: ['requests'] });
  if (requests.length > 25)
    throw refusal(400, 'rest_invalid_param', { params: { requests: 'requests must contain at most 25 items.' } });
  const responses = (requests as readonly { path?: string }[]).map(({ path = '' }) => {
    const code = path.startsWith(`/${site.namespace}/`) ? 'rest_batch_not_allowed' : 'rest_no_route';
    const { reply } = refusal(code === 'rest_no_route' ? 404 : 400, code);
    return { body: reply.body, status: reply.status, headers: { Allow: allowed(mayEditEvents(role)) } };
  });
  return { status: 207, body: { responses } };
}
