import type { SiteClient } from '../../client/site-client.ts';
import { isPartial } from '../../client/abilities.ts';
import { siteOrganizerOf, siteTermOf, siteVenueOf } from '../../sync/compare/site-values.ts';
import type { SiteOrganizer, SiteTerm, SiteVenue } from '../../sync/model/plan.ts';

/** Readers of the complete lists for looking up names. */
export const LISTS = {
  categories: (client: SiteClient): Promise<readonly SiteTerm[]> => allOf(client.list('categories', {}), siteTermOf),
  tags: (client: SiteClient): Promise<readonly SiteTerm[]> => allOf(client.list('tags', {}), siteTermOf),
  venues: async (client: SiteClient): Promise<readonly SiteVenue[]> =>
    allOf(client.list('venues', await shownInEvents(client)), siteVenueOf),
  organizers: async (client: SiteClient): Promise<readonly SiteOrganizer[]> =>
    allOf(client.list('organizers', await shownInEvents(client)), siteOrganizerOf),
} as const;

/** The categories that a site has in any of its languages. */
export const categoriesEverywhere = async (client: SiteClient): Promise<readonly SiteTerm[]> => [
  ...(await LISTS.categories(client)),
  ...(await allOf(client.listElsewhere('categories', {}), siteTermOf)),
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
export async function allOf<T, U>(items: AsyncIterable<T>, convert: (item: T) => U): Promise<U[]> {
  const all: U[] = [];
  for await (const item of items) all.push(convert(item));
  return all;
}
