import type { LinkedNames } from '../model/unread-remainder.ts';
import type { OrganizerDraft, VenueDraft } from '../model/draft.ts';
import { organizerLinks, venueLinks } from './link-posts.ts';
import { termLinks } from './link-terms.ts';
import type { Json, Policy, Refs, SiteTerm, Snapshot } from '../model/plan.ts';
import { FIELDS, type LinkedField } from '../model/fields.ts';
import { namelessRef, refFor, refsById, type Link, type Resolve } from './link.ts';

/** Turns the names and data of drafts into refs, and refs into ids. */
export interface Links {
  /** The refs for a field's draft value, in order and without repetitions. */
  readonly refsOf: (field: LinkedField, value: readonly (string | VenueDraft | OrganizerDraft)[]) => readonly string[];
  /** The id of a ref; null if it has yet to be created. */
  readonly idOf: (ref: string) => number | null;
  /** The refs of the site's ids, with their names if the snapshot has them. */
  readonly refsOfIds: (field: LinkedField, ids: Json | undefined) => readonly string[];
  readonly get: (ref: string) => Link | undefined;
}

/** Looks up the terms, venues and organizers of all drafts on the site. The order of the drafts does not matter. */
export function linksFor(drafts: readonly LinkedNames[], onSite: Snapshot, policy: Policy): Links {
  const snapshot = { ...onSite, categories: termsOnSite('categories', onSite), tags: termsOnSite('tags', onSite) };
  const fields = drafts.map((draft) => draft.fields);
  const refs = refsOnSite(snapshot);
  const shown = namesShown(snapshot);
  const resolve = {
    categories: termLinks(
      'categories',
      fields.flatMap((each) => each.categories ?? []),
      snapshot.categories,
      refs.categories,
    ),
    tags: termLinks(
      'tags',
      [...fields.flatMap((each) => each.tags ?? []), 'cancelled', 'tentative'],
      snapshot.tags,
      refs.tags,
    ),
    venue: venueLinks(
      fields.flatMap((each) => each.venue ?? []),
      snapshot.venues,
      refs.venue,
      policy.venueCoordinates,
    ),
    organizer: organizerLinks(
      fields.flatMap((each) => each.organizer ?? []),
      snapshot.organizers,
      refs.organizer,
    ),
  } as const;
  const known = new Map<string, Link>();
  const remember = (link: Link): string => {
    known.set(link.ref, link);
    return link.ref;
  };
  // Events share equal lists (share-equal.ts), so each list is looked up once.
  const refsOfList = {
    categories: new WeakMap<object, readonly string[]>(),
    tags: new WeakMap<object, readonly string[]>(),
    venue: new WeakMap<object, readonly string[]>(),
    organizer: new WeakMap<object, readonly string[]>(),
  };
  return {
    refsOf: (field, list) => {
      const known = refsOfList[field].get(list);
      if (known) return known;
      // Each resolver only receives values of its own field.
      const found = [...new Set(list.map((each) => remember((resolve[field] as Resolve<typeof each>)(each))))];
      refsOfList[field].set(list, found);
      return found;
    },
    idOf: (ref) => known.get(ref)?.id ?? null,
    refsOfIds: (field, ids) =>
      numbersIn(ids).map((id) =>
        remember({
          ref: refs[field].get(id) ?? refFor(FIELDS[field].linked, namelessRef(id, shown(field, id))),
          id,
          create: null,
        }),
      ),
    get: (ref) => known.get(ref),
  };
}

/** The ids of refs that exist on the site. */
export const idsOfRefs = (refs: readonly string[], links: Links): Refs =>
  Object.fromEntries(
    refs.flatMap((ref) => {
      const id = links.idOf(ref);
      return id === null ? [] : [[ref, id]];
    }),
  );

/** The names that events show for venues and organizers whose list was not read. */
function namesShown({ events }: Snapshot): (field: LinkedField, id: number) => string {
  const all = { venue: new Map<number, string>(), organizer: new Map<number, string>() };
  for (const { names } of events.values())
    for (const field of ['venue', 'organizer'] as const)
      for (const [id, name] of Object.entries(names?.[field] ?? {})) all[field].set(Number(id), name);
  return (field, id) => (field === 'venue' || field === 'organizer' ? (all[field].get(id) ?? '') : '');
}

/**
 * The terms in the site's list, then those that only its events show, such as terms of another language. The latter are
 * sorted by id, because events are read in no particular order.
 */
function termsOnSite(field: 'categories' | 'tags', snapshot: Snapshot): readonly SiteTerm[] {
  const listed = new Set(snapshot[field].map(({ id }) => id));
  const shown = [...snapshot.events.values()]
    .flatMap(({ terms }) => terms?.[field] ?? [])
    .filter(({ id }) => !listed.has(id))
    .sort((one, other) => one.id - other.id);
  return [...snapshot[field], ...new Map(shown.map((term) => [term.id, term])).values()];
}

const numbersIn = (ids: Json | undefined): readonly number[] =>
  Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];

function refsOnSite({
  categories,
  tags,
  venues,
  organizers,
}: Snapshot): Readonly<Record<LinkedField, ReadonlyMap<number, string>>> {
  return {
    categories: refsById('categories', categories),
    tags: refsById('tags', tags),
    venue: refsById(
      'venues',
      venues.map(({ id, venue }) => ({ id, name: venue })),
    ),
    organizer: refsById(
      'organizers',
      organizers.map(({ id, organizer }) => ({ id, name: organizer })),
    ),
  };
}
