import type { Representations, Resource, SiteClient } from '../../client/site-client.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import { nameOf } from './choices.ts';
import type { FeedDefinition, Narrowing } from './definition.ts';

/** A definition in which venues and organizers are ids, as the list endpoint requires. */
export interface ResolvedFilters {
  readonly definition: FeedDefinition;
  /** The names of its filters, as the site shows them. */
  readonly names: readonly string[];
  /** References to things that the site does not have. */
  readonly missing: readonly Missing[];
  /** Whether a filter matches nothing that exists, so that no event can match. */
  readonly isEmpty: boolean;
}

/** A reference that was not found, by slug, name or id, and its filter. */
export interface Missing {
  readonly filter: Narrowing;
  readonly ref: string;
}

const FILTERS = [
  ['categories', 'categories'],
  ['tags', 'tags'],
  ['venue', 'venues'],
  ['organizer', 'organizers'],
] as const;
const ONE = { categories: 'category', tags: 'tag', venue: 'venue', organizer: 'organizer' } as const;

/** `venue "town-hall"`. */
export const missingInWords = ({ filter, ref }: Missing): string => `${ONE[filter]} "${ref}"`;

/**
 * Looks up the categories, tags, venues and organizers that a feed names by slug or name, with one request each; ids of
 * venues and organizers need none. What `client` does not find because it has another language is looked up by
 * `otherwise`. Throws AppError.
 */
export async function resolveFilters(
  client: SiteClient,
  definition: FeedDefinition,
  otherwise = client,
): Promise<ResolvedFilters> {
  const found = await Promise.all(
    FILTERS.flatMap(([field, resource]) => {
      const refs = definition[field];
      return refs === undefined || refs.length === 0
        ? []
        : [lookUp([client, otherwise], resource, refs).then((items) => ({ field, items }))];
    }),
  );
  const lists = found.map(({ field, items }) => [
    field,
    items.flatMap(({ id }) => (id === undefined ? [] : [String(id)])),
  ]);
  return {
    definition: { ...definition, ...Object.fromEntries(lists) },
    names: found.flatMap(({ items }) => items.flatMap(({ name }) => name || [])),
    missing: found.flatMap(({ field, items }) =>
      items.flatMap(({ ref, id }) => (id === undefined ? [{ filter: field, ref }] : [])),
    ),
    isEmpty: found.some(({ items }) => items.every(({ id }) => id === undefined)),
  };
}

interface Found {
  readonly ref: string;
  readonly id?: number;
  readonly name?: string;
}

async function lookUp(
  clients: readonly SiteClient[],
  resource: Exclude<Resource, 'events'>,
  refs: readonly string[],
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const ref of refs) {
    let item: Awaited<ReturnType<typeof readOne>> = null;
    for (const client of new Set(clients)) item ??= await readOne(client, resource, ref);
    found.push(item ? { ref, id: item.id, name: nameOf(item) } : { ref });
  }
  return found;
}

async function readOne(
  client: SiteClient,
  resource: Exclude<Resource, 'events'>,
  ref: string,
): Promise<Representations[typeof resource] | null> {
  const slug = slugOfName(ref);
  // The slug of a name in another script is percent-encoded, in lower case.
  const slugs = [
    ...new Set([ref, slug, encodeURIComponent(ref.toWellFormed().toLowerCase().replace(/\s+/g, '-')).toLowerCase()]),
  ]
    .filter((one) => one !== '')
    .map((one) => ({ slug: one }));
  const ids = /^\d{1,9}$/.test(ref) ? [{ id: Number(ref) }] : [];
  // As in the interface: for terms a numeric slug comes before an id, for venues and organizers the id comes first.
  const keys = resource === 'categories' || resource === 'tags' ? [...slugs, ...ids] : [...ids, ...slugs];
  let item: Representations[typeof resource] | null = null;
  for (const key of keys) item ??= await client.read(resource, key);
  // We read as an editor, who sees drafts as well.
  return item && 'status' in item && item.status !== 'publish' ? null : item;
}
