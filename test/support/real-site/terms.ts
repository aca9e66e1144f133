import { collated, postsOf, termsOf, uniqueTermSlug, type TermPost } from './store.ts';
import { forbidden, invalid, missing, refusal, type Asking, type Reply } from './reply.ts';
import { mayManageTerms } from './rights.ts';
import { pageOf } from './page-of.ts';
import type { Site } from './site.ts';
import { encoded, slugOf } from './text.ts';

const TAXONOMY = { categories: 'tribe_events_cat', tags: 'post_tag' } as const;

export const countOf = (site: Site, term: TermPost): number =>
  postsOf(site.store, 'events').filter((event) => event.status === 'publish' && event[term.type].includes(term.id))
    .length;

/** A term as its own routes show it. */
export function termRecord(site: Site, term: TermPost): object {
  const routes = `${site.root}/${site.namespace}/${term.type}`;
  return {
    id: term.id,
    count: countOf(site, term),
    description: term.description,
    name: encoded(term.name),
    slug: term.slug,
    taxonomy: TAXONOMY[term.type],
    ...(term.type === 'categories' ? { parent: term.parent } : {}),
    meta: [],
    url: `${site.home}/${term.type}/${term.slug}/`,
    urls: {
      self: `${routes}/${term.id}`,
      collection: routes,
      ...(term.parent ? { up: `${routes}/${term.parent}` } : {}),
    },
  };
}

/** A term as an event contains it. */
export function termInEvent(site: Site, term: TermPost): object {
  const routes = `${site.root}/${site.namespace}/${term.type}`;
  return {
    name: encoded(term.name),
    slug: term.slug,
    term_group: 0,
    term_taxonomy_id: term.id,
    taxonomy: TAXONOMY[term.type],
    description: term.description,
    parent: term.parent,
    count: countOf(site, term),
    filter: 'raw',
    id: term.id,
    urls: { self: `${routes}/${term.id}`, collection: routes },
  };
}

export function listTerms(site: Site, type: TermPost['type'], { params }: Asking): Reply {
  const hidesEmpty = !['false', '0', false].includes((params['hide_empty'] ?? 'true') as string);
  const search = collated(String(params['search'] ?? ''));
  const terms = termsOf(site.store, type)
    .filter(
      (term) =>
        (!hidesEmpty || countOf(site, term) > 0) && (params['slug'] === undefined || term.slug === params['slug']),
    )
    .filter((term) => collated(term.name).includes(search) || term.slug.includes(search))
    .sort((one, other) => collated(one.name).localeCompare(collated(other.name)));
  return pageOf(type, terms, params, `${site.root}/${site.namespace}`, site.perPageCap, (term) =>
    termRecord(site, term),
  );
}

export function createTerm(site: Site, type: TermPost['type'], { params, role }: Asking): Reply {
  const { name, slug, description } = params;
  if (name === undefined || name === null) throw missing('name');
  for (const text of ['slug', 'description']) if (params[text] === '') throw invalid(text);
  if (!mayManageTerms(role, type, site.isOld)) throw forbidden(role);
  if (String(name).trim() === '') throw refusal(500, 'empty_term_name');
  const parent = parentOf(site, type, params['parent']);
  const known = termsOf(site.store, type).find(
    (term) => collated(term.name) === collated(String(name)) && term.parent === parent,
  );
  if (known && (slug === undefined || slug === known.slug))
    throw refusal(400, 'term_exists', { term_id: known.id }, { additional_data: [known.id, known.id] });
  const term = addTerm(site, type, String(name), slug === undefined ? undefined : String(slug));
  Object.assign(term, { description: String(description ?? ''), parent });
  return { status: 201, body: termRecord(site, term) };
}

function parentOf(site: Site, type: TermPost['type'], parent: unknown): number {
  if (parent === undefined || type === 'tags') return 0;
  if (site.store.terms.get(Number(parent))?.type !== type) throw invalid('parent');
  return Number(parent);
}

export function addTerm(site: Site, type: TermPost['type'], name: string, slug?: string): TermPost {
  const id = site.store.nextTerm++;
  const term: TermPost = {
    id,
    type,
    name: name.trim(),
    slug: uniqueTermSlug(site.store, type, slugOf(slug ?? name) || String(id), id),
    description: '',
    parent: 0,
  };
  site.store.terms.set(id, term);
  return term;
}

export function oneTerm(
  site: Site,
  type: TermPost['type'],
  method: string,
  id: number,
  { params, role }: Asking,
): Reply {
  const term = site.store.terms.get(id);
  if (term?.type !== type) throw invalid('id');
  if (method === 'GET') return { status: 200, body: termRecord(site, term) };
  if (!mayManageTerms(role, type, site.isOld)) throw forbidden(role);
  if (method === 'DELETE') return deleteTerm(site, term);
  if (
    params['slug'] !== undefined &&
    termsOf(site.store, type).some((other) => other !== term && other.slug === params['slug'])
  )
    return { status: 500, body: { code: 'duplicate_term_slug', message: 'taken', data: null } };
  Object.assign(
    term,
    Object.fromEntries(
      ['name', 'slug', 'description']
        .filter((field) => params[field] !== undefined)
        .map((field) => [field, String(params[field])]),
    ),
  );
  return { status: 200, body: termRecord(site, term) };
}

function deleteTerm(site: Site, term: TermPost): Reply {
  const body = termRecord(site, term);
  site.store.terms.delete(term.id);
  for (const event of postsOf(site.store, 'events')) event[term.type] = event[term.type].filter((id) => id !== term.id);
  return { status: 200, body };
}

/**
 * The ids for an event's `categories` or `tags`. A tag that is given by name and exists becomes a new tag, named after
 * the existing tag's id.
 */
export function resolveTerms(site: Site, type: TermPost['type'], given: readonly (string | number)[]): number[] {
  const ids = given.flatMap((each): number[] => {
    if (/^\d+$/.test(String(each))) return site.store.terms.get(Number(each))?.type === type ? [Number(each)] : [];
    const known = termsOf(site.store, type).find(
      (term) => collated(term.name) === collated(String(each)) || term.slug === each,
    );
    if (!known) return [addTerm(site, type, String(each)).id];
    return [type === 'categories' ? known.id : junkTag(site, known.id)];
  });
  return [...new Set(ids)];
}

const junkTag = (site: Site, id: number): number =>
  (termsOf(site.store, 'tags').find((term) => term.name === String(id)) ?? addTerm(site, 'tags', String(id))).id;
