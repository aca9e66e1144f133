/** The collections of the interface, and the word for a single item. */
const THINGS = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
} as const;
export type Listed = keyof typeof THINGS;

/** How a request identifies a single item. */
type Key = ({ readonly id: number } | { readonly slug: string }) & { readonly translation_language?: string };

/** The message for names that match nothing in a collection. */
export const unknownNames = (list: Listed, names: readonly string[]): string =>
  `There is no ${THINGS[list]} ${names.join(', ')}.`;

/** The same for ids. */
export const unknownIds = (list: Listed, ids: readonly (number | string)[]): string =>
  `There is no ${THINGS[list]} with the id ${ids.join(', ')}.`;

/** The same for the item that an address names, keyed by parameter. */
export function unknownItem(list: Listed, key: Key): Readonly<Record<string, string>> {
  const where = key.translation_language === undefined ? '' : ` in the language "${key.translation_language}"`;
  return 'id' in key
    ? { id: `There is no ${THINGS[list]} with the id ${key.id}${where}.` }
    : { slug: `There is no ${THINGS[list]} with this slug${where}.` };
}
