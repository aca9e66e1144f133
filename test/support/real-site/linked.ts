import { collated, postsOf, trashPost, uniqueSlug, type LinkedPost } from './store.ts';
import { forbidden, invalid, missing, refusal, type Asking, type Params, type Reply } from './reply.ts';
import { mayChange, mayEditEvents, mayRead, scaledStatus, USER, type Role } from './rights.ts';
import { pageOf } from './page-of.ts';
import { globalId, postDates, type Site } from './site.ts';
import { paragraphs, slugOf, stored, texturized } from './text.ts';

type Type = LinkedPost['type'];
const NAME = { venues: 'venue', organizers: 'organizer' } as const;
const META: Readonly<Record<Type, readonly string[]>> = {
  venues: ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'],
  organizers: ['phone', 'website', 'email'],
};

/** A venue or organizer as the site shows it; empty values are left out. */
export function linkedRecord(site: Site, post: LinkedPost): object {
  const path =
    post.status === 'publish'
      ? `/${NAME[post.type]}/${post.slug}/`
      : `/?post_type=tribe_${NAME[post.type]}&p=${post.id}`;
  const texts = {
    description: paragraphs(post.description),
    excerpt: post.excerpt === '' ? '' : paragraphs(post.excerpt),
    slug: post.slug,
    ...post.meta,
  };
  return {
    id: post.id,
    author: post.author,
    status: post.status,
    ...postDates(site, post),
    url: `${site.home}${path}`,
    [NAME[post.type]]: texturized(post.title),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...(post.type === 'venues' ? { show_map: post.show_map, show_map_link: post.show_map_link } : {}),
    ...globalId(site, post.id),
  };
}

export function listLinked(site: Site, type: Type, { params, role }: Asking): Reply {
  const root = `${site.root}/${site.namespace}`;
  const all = postsOf(site.store, type)
    .filter(({ status }) => (mayEditEvents(role) ? status !== 'trash' : status === 'publish'))
    .filter((post) => params['event'] === undefined || linksOf(site, Number(params['event'])).includes(post.id))
    .sort((one, other) => other.date - one.date || other.id - one.id);
  const pieces = String(params['search'] ?? '')
    .toLowerCase()
    .split(/[^a-z0-9-]+/)
    .filter((piece) => piece !== '');
  const found = all.filter((post) =>
    [post.title, post.description, ...Object.values(post.meta)].some((text) =>
      pieces.every((piece) => text.toLowerCase().includes(piece)),
    ),
  );
  const reply = pageOf(type, pieces.length === 0 ? all : found, params, root, site.perPageCap, (post) =>
    linkedRecord(site, post),
  );
  // If a search finds nothing, the totals are those of the whole list.
  return pieces.length > 0 && found.length === 0
    ? { ...reply, body: { ...(reply.body as object), total: all.length, total_pages: Math.ceil(all.length / 10) } }
    : reply;
}

function linksOf(site: Site, id: number): readonly number[] {
  const event = site.store.posts.get(id);
  if (event?.type !== 'events') throw invalid('event');
  return [event.venue, ...event.organizer];
}

export function createLinked(site: Site, type: Type, { params, role }: Asking): Reply {
  const name = params[NAME[type]];
  if (name === undefined || name === null) throw missing(NAME[type]);
  checkTexts(type, params);
  if (!mayEditEvents(role)) throw forbidden(role);
  return { status: 201, body: linkedRecord(site, makeLinked(site, type, params, role)) };
}

function checkTexts(type: Type, params: Params): void {
  const name = params[NAME[type]];
  if (name !== undefined && (typeof name !== 'string' || name === '')) throw invalid(NAME[type]);
  const wrong = [...META[type], 'description', 'excerpt', 'show_map', 'show_map_link'].filter(
    (field) => params[field] !== undefined && typeof params[field] !== 'string',
  );
  if (wrong.length > 0) throw invalid(...wrong);
  const { website } = params;
  if (website !== undefined && website !== '' && !URL.canParse(String(website))) throw invalid('website');
}

/**
 * A venue or organizer with the same title, and the same description if one is sent, is reused and its data
 * overwritten.
 */
export function makeLinked(site: Site, type: Type, params: Params, role: Role): LinkedPost {
  const title = stored(String(params[NAME[type]]));
  const description = params['description'] === undefined ? undefined : stored(String(params['description']));
  const known = postsOf(site.store, type).find(
    (post) =>
      post.status !== 'trash' &&
      collated(post.title) === collated(title) &&
      (description === undefined || post.description === description),
  );
  if (known) {
    setMeta(known, params);
    return known;
  }
  const id = site.store.nextPost++;
  const post: LinkedPost = {
    id,
    type,
    author: USER,
    status: scaledStatus(role, params['status'] as string | undefined),
    slug: uniqueSlug(site.store, type, slugOf(title), id),
    title: title.trim(),
    description: description ?? '',
    excerpt: stored(String(params['excerpt'] ?? '')),
    date: site.now(),
    modified: site.now(),
    meta: {},
    show_map: isOn(params['show_map']),
    show_map_link: isOn(params['show_map_link']),
  };
  setMeta(post, params);
  site.store.posts.set(id, post);
  return post;
}

const isOn = (value: unknown): boolean => value === undefined || ['1', 'true'].includes(String(value));

function setMeta(post: LinkedPost, params: Params): void {
  for (const field of META[post.type])
    if (params[field] !== undefined) post.meta[field] = stored(String(params[field]));
}

export function oneLinked(
  site: Site,
  type: Type,
  method: string,
  key: { id: number } | { slug: string },
  { params, role }: Asking,
): Reply {
  const post =
    'id' in key ? site.store.posts.get(key.id) : postsOf(site.store, type).find(({ slug }) => slug === key.slug);
  if (post?.type !== type) throw invalid('id' in key ? 'id' : 'slug');
  if (method === 'GET') {
    if (post.status !== 'publish' && !mayRead(role, post)) throw refusal(403, `${NAME[type]}-not-accessible`);
    return { status: 200, body: linkedRecord(site, post) };
  }
  if (method !== 'DELETE') checkTexts(type, params);
  if (!mayChange(role, post, { isOld: site.isOld, bySlug: 'slug' in key })) throw forbidden(role);
  if (method === 'DELETE') {
    if (post.status === 'trash') throw refusal(410, `${NAME[type]}-is-in-trash`);
    trashPost(site.store, post, site.now());
    return { status: 200, body: linkedRecord(site, post) };
  }
  updateLinked(site, post, params, role);
  return { status: 200, body: linkedRecord(site, post) };
}

// Mostly partial, but the status, the flags and stateprovince are reset if they are absent.
function updateLinked(site: Site, post: LinkedPost, params: Params, role: Role): void {
  const name = params[NAME[post.type]];
  if (name !== undefined) post.title = stored(String(name));
  if (params['description']) post.description = stored(String(params['description']));
  if (post.status === 'trash')
    post.slug = uniqueSlug(site.store, post.type, post.slug.replace(/__trashed$/, ''), post.id);
  post.status = scaledStatus(role, params['status'] as string | undefined);
  post.meta = { ...post.meta, stateprovince: '' };
  setMeta(post, params);
  post.show_map = isOn(params['show_map']);
  post.show_map_link = isOn(params['show_map_link']);
  post.modified = site.now();
}
