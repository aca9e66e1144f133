import type { Authority, FieldName } from './plan.ts';

/** What becomes of one unit: `conflict` leaves the site as it is and lists the difference for a person. */
export type Verdict = 'nothing' | 'write' | 'leave' | 'adopt' | 'conflict';

export interface Changes {
  /** The draft's value is not the last one that was handled. */
  readonly feed: boolean;
  /** The site's value is not what the site made of our last write. */
  readonly site: boolean;
  /** The site already shows what the draft wants. */
  readonly same: boolean;
}

const RULES: Readonly<Record<'feed' | 'site' | 'both', Readonly<Record<Authority, Verdict>>>> = {
  feed: { preserve: 'write', feed: 'write', site: 'leave' },
  site: { preserve: 'leave', feed: 'write', site: 'leave' },
  both: { preserve: 'conflict', feed: 'write', site: 'leave' },
};

/** The rule of the three-way merge, whole. In every row the draft's value becomes the one that was handled last. */
export function merge(changes: Changes, authority: Authority): Verdict {
  if (!changes.feed && !changes.site) return 'nothing';
  if (changes.same) return 'adopt';
  return RULES[changes.feed && changes.site ? 'both' : changes.feed ? 'feed' : 'site'][authority];
}

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
