/** What the lists of the interface have, and how one of it is called. */
const THINGS = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
} as const;
export type Listed = keyof typeof THINGS;

/** What one thing is asked for by. */
type Key = ({ readonly id: number } | { readonly slug: string }) & { readonly translation_language?: string };

/** What is said of names that nothing in a list has. */
export const noneCalled = (list: Listed, names: readonly string[]): string =>
  `There is no ${THINGS[list]} ${names.join(', ')}.`;

/** The same of ids. */
export const noneWith = (list: Listed, ids: readonly (number | string)[]): string =>
  `There is no ${THINGS[list]} with the id ${ids.join(', ')}.`;

/** The same of the one that an address names, by the parameter that does. */
export function noneAt(list: Listed, key: Key): Readonly<Record<string, string>> {
  const where = key.translation_language === undefined ? '' : ` in the language "${key.translation_language}"`;
  return 'id' in key
    ? { id: `There is no ${THINGS[list]} with the id ${key.id}${where}.` }
    : { slug: `There is no ${THINGS[list]} with this slug${where}.` };
}
