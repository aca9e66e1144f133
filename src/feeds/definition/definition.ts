import type { Days } from '../../selection/days.ts';
import type { Selection } from '../../selection/selection.ts';
import { dayAfter, DAY_MS, wallFromInstant } from '../../time.ts';

/** What a feed can be narrowed to by name. */
export const NARROWINGS = ['categories', 'tags', 'venue', 'organizer'] as const;
export type Narrowing = (typeof NARROWINGS)[number];

/**
 * An exported feed: its texts, and which events of the site it contains, as filters of the list endpoint. Durations are
 * in milliseconds.
 */
export interface FeedDefinition {
  readonly id: string;
  /** '' for a feed on demand, which is named after its contents. */
  readonly title: string;
  readonly description?: string;
  /** A CSS colour name or `#rrggbb`. */
  readonly color?: string;
  /** The name of the configured site, if there are several. */
  readonly site?: string;
  readonly language?: string;
  /** Slugs or ids, of which an event needs one. */
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly venue?: readonly string[];
  readonly organizer?: readonly string[];
  readonly search?: string;
  readonly featured?: boolean;
  /** Only events that are free of charge. */
  readonly free?: true;
  /** Days in the site's zone, instead of the window; they move along with the calendar. */
  readonly time?: Pick<Selection, 'when' | 'from'>;
  readonly window?: FeedWindow;
  /** Further parameters of the list endpoint, by name. */
  readonly more?: Readonly<Record<string, string>>;
  readonly variant?: Variant;
  /** How cancelled events are shown. */
  readonly cancelled?: Cancelled;
  /** The format; by default an iCalendar file. */
  readonly form?: 'csv' | NewsForm;
  /** The path it is fetched from; by default `/feeds/{id}.ics`. Identifies the feed among all possible ones. */
  readonly path?: string;
  /** A feed that is not configured. Outsiders may request as many as they like. */
  readonly onDemand?: true;
  /** Who may fetch it; by default everybody. */
  readonly access?: FeedAccess;
}

/** `reveal` returns a text that is never logged. */
interface Hidden {
  readonly reveal: () => string;
}
/** A secret part of the address, or a user and a password, or both. */
export interface FeedAccess {
  readonly secret?: Hidden;
  readonly basic?: { readonly username: string; readonly password: Hidden };
}

export interface FeedWindow {
  readonly past: number;
  readonly future: number;
}

/** Formats of news for feed readers, which contain only coming events. */
export const NEWS = ['rss', 'atom', 'json'] as const;
export type NewsForm = (typeof NEWS)[number];

/** full: text, HTML and images. lite: text only. google: HTML in place of text. */
export const VARIANTS = ['full', 'lite', 'google'] as const;
export type Variant = (typeof VARIANTS)[number];
/** keep: only STATUS says so. hide: left out. title: the title says so, too. */
export const CANCELLED = ['keep', 'hide', 'title'] as const;
export type Cancelled = (typeof CANCELLED)[number];

export const FEED_WINDOW: FeedWindow = { past: 90 * DAY_MS, future: 540 * DAY_MS };

export const pathOf = ({ id, path }: FeedDefinition): string => path ?? `/feeds/${encodeURIComponent(id)}.ics`;

/**
 * The UTC day of an instant, `2027-01-10`. A feed's window moves once a day, so that its bytes stay the same in
 * between.
 */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** A moment, and the zone of the site whose days are counted. */
export interface Moment {
  readonly now: number;
  readonly timezone: string;
}

/**
 * The list endpoint's query for a feed at a given time: published events that overlap its window, or its `days`.
 * `ends_after` excludes the day it names.
 */
export function listQueryOf(definition: FeedDefinition, moment: Moment, days?: Days): Readonly<Record<string, string>> {
  const several = (name: Narrowing): Record<string, string> =>
    definition[name]?.length ? { [name]: definition[name].join(',') } : {};
  return {
    status: 'publish',
    ...windowOf(definition, moment),
    ...(days && {
      ends_after: dayAfter(days.first, -1),
      // Excludes events of the next day; the endpoint also leaves out what begins in the last second of a day.
      ...(days.last !== undefined && { starts_before: dayAfter(days.last) }),
    }),
    ...several('categories'),
    ...several('tags'),
    ...several('venue'),
    ...several('organizer'),
    ...(definition.search ? { search: definition.search } : {}),
    ...(definition.featured === undefined ? {} : { featured: String(definition.featured) }),
    ...definition.more,
  };
}

/**
 * The two ends of the window, as days of the site: west of Greenwich, tonight's events end on what is already yesterday
 * in UTC. Explicit dates replace them, and requests for particular events have no window.
 */
function windowOf(
  { window = FEED_WINDOW, more = {} }: FeedDefinition,
  { now, timezone }: Moment,
): Record<string, string> {
  const dayAt = (instant: number): string => wallFromInstant(instant, timezone).slice(0, 10);
  const isAsked = (names: readonly string[]): boolean => ['include', ...names].some((name) => more[name] !== undefined);
  return {
    ...(isAsked(['start_date', 'starts_after', 'ends_after'])
      ? {}
      : { ends_after: dayAfter(dayAt(now - window.past), -1) }),
    ...(isAsked(['end_date', 'starts_before', 'ends_before']) ? {} : { starts_before: dayAt(now + window.future) }),
  };
}
