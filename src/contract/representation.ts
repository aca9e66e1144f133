/** What the interface returns, in the shapes of real sites. Names on the wire are never re-cased. */

import type { eventAnswer } from './event-fields.ts';
import type { Organizer, Post, Venue } from './event-parts.ts';
import type { AnswerOf } from './shape.ts';

export interface TermRecord {
  readonly id: number;
  readonly count: number;
  readonly description: string;
  readonly name: string;
  readonly slug: string;
  readonly taxonomy: string;
  readonly parent?: number;
  readonly meta: unknown;
  readonly url: string;
  readonly urls: Readonly<Record<string, string>>;
  readonly _links?: unknown;
  readonly translation_language?: string;
}

/** An event, derived from the table of its fields. */
export interface Event extends Post, AnswerOf<typeof eventAnswer> {}

interface Page {
  readonly rest_url: string;
  readonly next_rest_url?: string;
  readonly previous_rest_url?: string;
  readonly total: number;
  readonly total_pages: number;
}
export interface EventPage extends Page {
  readonly events: readonly Event[];
}
export interface VenuePage extends Page {
  readonly venues: readonly Venue[];
}
export interface OrganizerPage extends Page {
  readonly organizers: readonly Organizer[];
}
export interface CategoryPage extends Page {
  readonly categories: readonly TermRecord[];
}
export interface TagPage extends Page {
  readonly tags: readonly TermRecord[];
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly data: { readonly status: number; readonly [key: string]: unknown } | null | string;
  readonly additional_data?: readonly unknown[];
}
export interface BatchItem {
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | readonly [];
}
export interface BatchAnswer {
  readonly failed?: 'validation';
  readonly responses: readonly (BatchItem | null)[];
}

/** oEmbed data. Calendar pages are `rich`; other providers have more types and keys. */
export interface Embed {
  readonly version: string;
  readonly type: string;
  readonly title?: string;
  readonly html?: string;
  readonly url?: string;
  readonly provider_name?: string;
  readonly provider_url?: string;
  readonly author_name?: string;
  readonly author_url?: string;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly thumbnail_url?: string;
  readonly thumbnail_width?: number;
  readonly thumbnail_height?: number;
  readonly [key: string]: unknown;
}

export interface NamespaceIndex {
  readonly namespace: string;
  readonly routes: Readonly<Record<string, object>>;
  readonly _links: object;
}
export interface SiteIndex {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  /** A number of hours, or text if the site has a fixed offset. */
  readonly gmt_offset: number | string;
  readonly timezone_string: string;
  readonly page_for_posts: number;
  readonly page_on_front: number;
  readonly show_on_front: string;
  readonly namespaces: readonly string[];
  readonly authentication: object;
  readonly routes: Readonly<Record<string, object>>;
  readonly [key: string]: unknown;
}

/** What endpoints return, by name; the OpenAPI document has a schema for each. */
export interface Representations {
  readonly Event: Event;
  readonly EventPage: EventPage;
  readonly Venue: Venue;
  readonly VenuePage: VenuePage;
  readonly Organizer: Organizer;
  readonly OrganizerPage: OrganizerPage;
  readonly Term: TermRecord;
  readonly CategoryPage: CategoryPage;
  readonly TagPage: TagPage;
  readonly BatchAnswer: BatchAnswer;
  readonly Embed: Embed;
  readonly NamespaceIndex: NamespaceIndex;
  readonly SiteIndex: SiteIndex;
  readonly Document: object;
}
