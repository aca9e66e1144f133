import type { FieldName } from './plan.ts';

/** Fields that are decided and sent together: a time means nothing without its zone, and sites ignore one date alone. */
export const WHEN: readonly FieldName[] = ['start_date', 'end_date', 'timezone', 'all_day'];

/** Every field of an event, in merge units. */
export const UNITS: readonly (readonly FieldName[])[] = [
  ['title'],
  WHEN,
  ['description'],
  ['excerpt'],
  ['status'],
  ['website'],
  ['image'],
  ['cost'],
  ['featured'],
  ['sticky'],
  ['hide_from_listings'],
  ['show_map'],
  ['show_map_link'],
  ['categories'],
  ['tags'],
  ['venue'],
  ['organizer'],
];

/** The fields whose values are terms or linked posts: refs going out, sorted ids coming back. */
export const LINKED = { categories: 'categories', tags: 'tags', venue: 'venues', organizer: 'organizers' } as const;
export type LinkedField = keyof typeof LINKED;
/** Links that the trash of a real site cuts for good: an event that comes out of there is given them anew. */
export const CUT_BY_TRASH = ['venue', 'organizer'] as const satisfies readonly FieldName[];
export const isLinked = (field: string): field is LinkedField => Object.hasOwn(LINKED, field);
