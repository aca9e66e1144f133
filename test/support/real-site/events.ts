import { isZone, wallFromInstant } from '../../../src/time.ts';
import { eventRecord } from './event-record.ts';
import { makeLinked } from './linked.ts';
import {
  forbidden,
  invalid,
  listOf,
  missing,
  refusal,
  writtenOut,
  type Asking,
  type Params,
  type Reply,
} from './reply.ts';
import {
  isUnpublished,
  keepsSlug,
  mayChange,
  mayEditEvents,
  mayEditOthers,
  mayRead,
  mayUpload,
  scaledStatus,
  USER,
  type Role,
} from './rights.ts';
import type { Site } from './site.ts';
import { postsOf, trashPost, uniqueSlug, type EventPost } from './store.ts';
import { resolveTerms } from './terms.ts';
import { slugOf, stored } from './text.ts';
import { instantOf, wallOf } from './wall.ts';

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
const FLAGS = ['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'] as const;
const isTrue = (value: unknown): boolean => [true, 1, '1', 'true'].includes(value as string);

export function createEvent(site: Site, { params, role }: Asking): Reply {
  const absent = ['title', 'start_date', 'end_date'].filter(
    (name) => params[name] === undefined || params[name] === null,
  );
  if (absent.length > 0) throw missing(...absent);
  check(site, params, role);
  if (!mayEditEvents(role)) throw forbidden(role);
  const id = site.store.nextPost;
  const blank: EventPost = {
    id,
    type: 'events',
    author: USER,
    status: scaledStatus(role, undefined),
    slug: '',
    title: '',
    description: '',
    excerpt: '',
    date: site.now(),
    modified: site.now(),
    start: '',
    end: '',
    utcStart: 0,
    utcEnd: 0,
    timezone: site.timezone,
    allDay: false,
    website: undefined,
    cost: '',
    image: '',
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    venue: 0,
    organizer: [],
    password: '',
  };
  // A create drops a cost of zero; an update keeps it.
  const event = write(
    site,
    role,
    blank,
    [0, '0'].includes(params['cost'] as string) ? { ...params, cost: '' } : params,
  );
  if (params['website'] === undefined) event.website = undefined;
  if (site.givesOwnSlugs) event.slug = `post-${id}`;
  site.store.nextPost = Math.max(site.store.nextPost, id + 1);
  return { status: 201, body: eventRecord(site, event) };
}

export function oneEvent(
  site: Site,
  method: string,
  key: { id: number } | { slug: string },
  { params, role }: Asking,
): Reply {
  if (method !== 'GET' && !mayEditEvents(role)) throw forbidden(role);
  const event = find(site, method, key);
  if (method === 'GET') return readEvent(site, event, role, params);
  const isAllowed = mayChange(role, event, { isOld: site.isOld, bySlug: 'slug' in key });
  if (method === 'DELETE') {
    if (!isAllowed) throw forbidden(role);
    if (event.status === 'trash') throw refusal(410, 'event-is-in-trash');
    trashPost(site.store, event, site.now());
    return { status: 200, body: eventRecord(site, event) };
  }
  check(site, params, role);
  if (!isAllowed) throw forbidden(role);
  return { status: 200, body: eventRecord(site, write(site, role, event, params)) };
}

function find(site: Site, method: string, key: { id: number } | { slug: string }): EventPost {
  if ('slug' in key) {
    const event = postsOf(site.store, 'events').find(({ slug }) => slug !== '' && slug === key.slug.toLowerCase());
    if (event) return event;
    if (method === 'GET' || method === 'DELETE') throw invalid('slug');
    if (site.isOld) throw writtenOut('event-not-found');
    throw refusal(404, 'rest-event-not-found');
  }
  const post = site.store.posts.get(key.id);
  if (post?.type === 'events') return post;
  if (site.isOld) throw invalid('id');
  throw post ? refusal(400, 'rest-invalid-event-id') : refusal(404, 'rest-event-not-found');
}

function readEvent(site: Site, event: EventPost, role: Role, params: Params): Reply {
  if (event.status === 'trash' && !(site.isOld && mayEditOthers(role)))
    throw refusal(403, site.isOld ? 'event-not-accessible' : 'event-no-longer-available');
  if (event.status !== 'publish' && !mayRead(role, event)) throw refusal(403, 'event-not-accessible');
  if (event.password !== '' && !(mayRead(role, event) && params['context'] === 'edit'))
    throw refusal(403, 'event-password-protected');
  return {
    status: 200,
    body: { ...eventRecord(site, event), json_ld: { '@type': 'Event', name: event.title, nonce: Math.random() } },
  };
}

function check(site: Site, params: Params, role: Role): void {
  const wrong = Object.entries(params)
    .filter(([name, value]) => isWrong(site, name, value, role))
    .map(([name]) => name);
  if (wrong.length > 0) throw invalid(...wrong);
}

function isWrong(site: Site, name: string, value: unknown, role: Role): boolean {
  switch (name) {
    case 'title':
    case 'description':
    case 'excerpt':
    case 'slug':
      return typeof value !== 'string' || value === '' || value === '0';
    case 'start_date':
    case 'end_date':
    case 'date':
      return typeof value !== 'string' || wallOf(value) === undefined;
    case 'timezone':
      return typeof value !== 'string' || (value !== '' && !isZone(value));
    case 'status':
      return !STATUSES.includes(value as string);
    case 'all_day':
    case 'show_map':
    case 'show_map_link':
    case 'hide_from_listings':
    case 'sticky':
    case 'featured':
      return ![true, false, 0, 1, '0', '1', 'true', 'false'].includes(value as string);
    case 'website':
      return (
        value !== null &&
        value !== '' &&
        (typeof value !== 'string' || !URL.canParse(value) || !/^[\x21-\x7e]+$/.test(value))
      );
    case 'image':
      return typeof value !== 'string' || !isImage(site, value) || !(mayUpload(role) || /^\d+$/.test(value));
    case 'venue':
      return isWrongLink(site, 'venues', value);
    default:
      return false;
  }
}

const isImage = (site: Site, value: string): boolean =>
  /^\d+$/.test(value) ? [...site.images][Number(value) - 10_000] !== undefined : site.images.has(value);

function isWrongLink(site: Site, type: 'venues' | 'organizers', value: unknown): boolean {
  if (Array.isArray(value) || value === null || value === '' || value === 0 || value === false) return false;
  if (typeof value === 'object')
    return (value as { id?: unknown }).id === undefined && typeof (value as { venue?: unknown }).venue !== 'string';
  return site.store.posts.get(Number(value))?.type !== type;
}

/** Stores the fields of a create or update, and resets those that it does not name: no update is partial. */
function write(site: Site, role: Role, event: EventPost, params: Params): EventPost {
  const links = linksOf(site, role, event, params);
  const text = (name: 'title' | 'description' | 'excerpt'): string =>
    params[name] === undefined ? event[name] : stored(String(params[name])).trim();
  const status = scaledStatus(role, params['status'] as string | undefined);
  Object.assign(event, { title: text('title'), description: text('description'), excerpt: text('excerpt'), ...links });
  event.slug = keepsSlug(role, status) ? slugFor(site, event, status, params['slug'] as string | undefined) : '';
  event.status = status;
  event.date = isUnpublished(status)
    ? null
    : params['date'] === undefined
      ? site.now()
      : instantOf(wallOf(String(params['date']))!, site.timezone);
  if (status === 'publish' && event.date !== null && event.date > site.now()) event.status = 'future';
  writeDates(site, event, params);
  event.website = String(params['website'] ?? '');
  event.cost = String(params['cost'] ?? '');
  event.image = imageFor(site, params['image'] as string | undefined);
  for (const flag of FLAGS) event[flag] = isTrue(params[flag]);
  for (const type of ['categories', 'tags'] as const)
    if (params[type] !== undefined) event[type] = resolveTerms(site, type, listOf(params[type]));
  event.modified = site.now();
  site.store.posts.set(event.id, event);
  return event;
}

const imageFor = (site: Site, image: string | undefined): string =>
  image !== undefined && /^\d+$/.test(image) ? [...site.images][Number(image) - 10_000]! : (image ?? '');

// Out of the trash, the slug loses its suffix. A draft gets a slug when it is published.
function slugFor(site: Site, event: EventPost, status: string, asked: string | undefined): string {
  const isOpen = isUnpublished(status);
  const before = event.status === 'trash' ? event.slug.replace(/__trashed$/, '') : event.slug;
  const wanted =
    asked === undefined ? before || (isOpen ? '' : slugOf(event.title) || String(event.id)) : slugOf(asked);
  return isOpen ? wanted : uniqueSlug(site.store, 'events', wanted, event.id);
}

function writeDates(site: Site, event: EventPost, params: Params): void {
  const zone = String(params['timezone'] ?? '') || site.timezone;
  const allDay = isTrue(params['all_day']);
  const isBoth = params['start_date'] !== undefined && params['end_date'] !== undefined;
  event.timezone = zone;
  event.allDay = allDay;
  // A single date is ignored. Without dates the UTC times stay as they were, whatever the zone.
  if (!isBoth && !allDay) return;
  const asked = isBoth
    ? ([wallOf(String(params['start_date']))!, wallOf(String(params['end_date']))!] as const)
    : ([event.start, event.end] as const);
  const [start, end] = allDay ? [`${asked[0].slice(0, 10)} 00:00:00`, `${asked[1].slice(0, 10)} 23:59:59`] : asked;
  event.utcStart = instantOf(start, zone);
  event.utcEnd = instantOf(end, zone);
  event.start = wallFromInstant(event.utcStart, zone);
  // If the end is before the start, it is moved to the start, but only in local time.
  event.end = event.utcEnd < event.utcStart ? event.start : wallFromInstant(event.utcEnd, zone);
}

// A venue cannot be removed; organizers that are not named are removed.
function linksOf(site: Site, role: Role, event: EventPost, params: Params): { venue: number; organizer: number[] } {
  const { venue, organizer } = params;
  if (Array.isArray(venue) && venue.length > 0) throw refusal(400, 'could-not-create-venue');
  const isSent =
    venue !== undefined && venue !== null && venue !== '' && venue !== 0 && venue !== false && !Array.isArray(venue);
  return {
    venue: isSent ? idOf(site, role, 'venues', venue) : event.venue,
    organizer: organizersOf(site, role, organizer),
  };
}

function organizersOf(site: Site, role: Role, value: unknown): number[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.map((each) => idOf(site, role, 'organizers', each));
  if ((typeof value === 'object' && (value as { id?: unknown }).id === undefined) || /,/.test(String(value)))
    throw refusal(400, 'could-not-create-organizer');
  return [idOf(site, role, 'organizers', value)];
}

function idOf(site: Site, role: Role, type: 'venues' | 'organizers', value: unknown): number {
  if (typeof value !== 'object' || value === null) return Number(value);
  const { id } = value as { id?: unknown };
  return id === undefined ? makeLinked(site, type, value as Params, role).id : Number(id);
}
