/** A feed that goes out: its words, and what of the site is in it (the filters of the list endpoint). Durations in milliseconds. */
export interface FeedDefinition {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** A CSS colour name or `#rrggbb`. */
  readonly color?: string;
  /** Slugs or ids; any of them. */
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  /** Ids; any of them. */
  readonly venue?: readonly string[];
  readonly organizer?: readonly string[];
  readonly search?: string;
  readonly featured?: boolean;
  readonly window?: FeedWindow;
}

export interface FeedWindow { readonly past: number; readonly future: number }

const DAY = 86_400_000;
export const FEED_WINDOW: FeedWindow = { past: 90 * DAY, future: 540 * DAY };

/** The UTC day of an instant, `2027-01-10`: a feed's window moves once a day, so that it stays the same bytes meanwhile. */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The list endpoint's query for a feed at a time: published events that overlap its window. `ends_after` excludes the day it names. */
export function listQueryOf(definition: FeedDefinition, now: number): Readonly<Record<string, string>> {
  const { past, future } = definition.window ?? FEED_WINDOW;
  const several = (name: 'categories' | 'tags' | 'venue' | 'organizer'): Record<string, string> =>
    (definition[name]?.length ? { [name]: definition[name].join(',') } : {});
  return {
    status: 'publish', ends_after: dayOf(now - past - DAY), starts_before: dayOf(now + future),
    ...several('categories'), ...several('tags'), ...several('venue'), ...several('organizer'),
    ...(definition.search ? { search: definition.search } : {}),
    ...(definition.featured === undefined ? {} : { featured: String(definition.featured) }),
  };
}
