import type { Representations, SiteClient } from '../../client/site-client.ts';
import { isPartial } from '../../client/abilities.ts';
import { siteOrganizerOf, siteTermOf, siteVenueOf } from '../../sync/compare/site-values.ts';
import type { SiteOrganizer, SiteTerm, SiteVenue } from '../../sync/model/plan.ts';
import type { GrowingList } from '../state/listed-names.ts';

/** Readers of the complete lists for looking up names. */
export const LISTS = {
  categories: (client: SiteClient): Promise<readonly SiteTerm[]> => collect(client.list('categories', {}), siteTermOf),
  tags: (client: SiteClient): Promise<readonly SiteTerm[]> => collect(client.list('tags', {}), siteTermOf),
  venues: (client: SiteClient): Promise<readonly SiteVenue[]> => readList(client, 'venues'),
  organizers: (client: SiteClient): Promise<readonly SiteOrganizer[]> => readList(client, 'organizers'),
} as const;

/** An item of a list of venues or organizers. */
export type ListItem<L extends GrowingList> = { venues: SiteVenue; organizers: SiteOrganizer }[L];

const ITEM_OF: { readonly [L in GrowingList]: (item: Representations[L]) => ListItem<L> } = {
  venues: siteVenueOf,
  organizers: siteOrganizerOf,
};

/** All venues or organizers of a site. */
export const readList = async <L extends GrowingList>(client: SiteClient, list: L): Promise<readonly ListItem<L>[]> =>
  collect(client.list(list, await shownInEvents(client)), ITEM_OF[list]);

/**
 * The venues or organizers that were added to a list since it consisted of `ids`: sites list the newest first. Undefined
 * if reading the whole list is as fast, or if the number of items shows that others were deleted.
 */
export async function itemsAddedTo<L extends GrowingList>(
  client: SiteClient,
  list: L,
  ids: ReadonlySet<number>,
): Promise<readonly ListItem<L>[] | undefined> {
  const { perPageMax } = await client.abilities();
  if (ids.size < perPageMax) return undefined;
  const query = await shownInEvents(client);
  const count = ((await client.count(list, query)) ?? 0) - ids.size;
  if (count < 0) return undefined;
  const added: ListItem<L>[] = [];
  for await (const item of client.list(list, query)) {
    if (!ids.has(item.id)) added.push(ITEM_OF[list](item));
    else if (added.length === count) return added;
    if (added.length > count) return undefined;
  }
  return undefined;
}

/** The categories that a site has in any of its languages. */
export const categoriesEverywhere = async (client: SiteClient): Promise<readonly SiteTerm[]> => [
  ...(await LISTS.categories(client)),
  ...(await collect(client.listElsewhere('categories', {}), siteTermOf)),
];

/**
 * The query for the venues and organizers that visitors see in events. The built-in site hides unpublished ones there,
 * such as a contributor's suggestion, and linking to one would cost a feed's event its place. A user who may not
 * publish only makes such ones and has to find them again.
 */
const shownInEvents = async (client: SiteClient): Promise<Readonly<Record<string, string>>> =>
  isPartial(await client.abilities()) && (await client.rights()) === 'publish' ? { status: 'publish' } : {};

/**
 * The built-in site shows hidden events only to editors who name a status; real sites list everything visible without
 * it.
 */
const LIVING = 'publish,future,draft,pending,private';

/** The query for a list of all events of a site that are not in the trash. */
export const livingEvents = async (client: SiteClient): Promise<Readonly<Record<string, string>>> =>
  isPartial(await client.abilities()) ? { status: LIVING } : {};

/** Collects the converted items of a list. */
export async function collect<T, U>(items: AsyncIterable<T>, convert: (item: T) => U): Promise<U[]> {
  const all: U[] = [];
  for await (const item of items) all.push(convert(item));
  return all;
}
