/** What the interface returns, in the shapes of real sites. Names on the wire are never re-cased. */

export interface DateDetails {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minutes: string;
  readonly seconds: string;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly 'mime-type': string;
  readonly filesize: number;
  readonly url: string;
}

export interface Image {
  readonly url: string;
  readonly id: number;
  readonly extension: string;
  readonly width?: number;
  readonly height?: number;
  readonly filesize?: number;
  readonly sizes?: Readonly<Record<string, ImageSize>>;
}

export interface CostDetails {
  readonly currency_symbol: string;
  readonly currency_code: string;
  readonly currency_position: string;
  readonly values: readonly string[];
}

/** A term inside an event; the term routes return `TermRecord`. */
export interface EventTerm {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly taxonomy: string;
  readonly description: string;
  readonly parent: number;
  readonly count: number;
  readonly term_group: number;
  readonly term_taxonomy_id: number;
  readonly filter: string;
  readonly urls: Readonly<Record<string, string>>;
}

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

interface Post {
  readonly id: number;
  readonly global_id: string;
  readonly global_id_lineage: readonly string[];
  readonly author: string;
  readonly status: string;
  readonly date: string;
  readonly date_utc: string;
  readonly modified: string;
  readonly modified_utc: string;
  readonly url: string;
  readonly slug: string;
  readonly json_ld?: unknown;
  /** On sites that separate languages. */
  readonly translation_language?: string;
}

/** A venue; empty values have no key. */
export interface Venue extends Post {
  readonly venue: string;
  readonly description?: string;
  readonly excerpt?: string;
  readonly image?: Image;
  readonly address?: string;
  readonly city?: string;
  readonly country?: string;
  readonly province?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly phone?: string;
  readonly website?: string;
  readonly stateprovince?: string;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly show_map: boolean;
  readonly show_map_link: boolean;
}

/** An organizer; empty values have no key. */
export interface Organizer extends Post {
  readonly organizer: string;
  readonly description?: string;
  readonly excerpt?: string;
  readonly image?: Image;
  readonly phone?: string;
  readonly website?: string;
  readonly email?: string;
}

export interface Event extends Post {
  readonly rest_url: string;
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  readonly image: Image | false;
  readonly all_day: boolean;
  readonly start_date: string;
  readonly start_date_details: DateDetails;
  readonly end_date: string;
  readonly end_date_details: DateDetails;
  readonly utc_start_date: string;
  readonly utc_start_date_details: DateDetails;
  readonly utc_end_date: string;
  readonly utc_end_date_details: DateDetails;
  readonly timezone: string;
  readonly timezone_abbr: string;
  readonly cost: string;
  readonly cost_details: CostDetails;
  readonly website: string;
  readonly show_map: boolean;
  readonly show_map_link: boolean;
  readonly hide_from_listings: boolean;
  readonly sticky: boolean;
  readonly featured: boolean;
  readonly categories: readonly EventTerm[];
  readonly tags: readonly EventTerm[];
  /** `[]` for none, an object for one, a list for several. */
  readonly venue: readonly Venue[] | Venue;
  readonly organizer: readonly Organizer[];
  readonly custom_fields: unknown;
  /** On the built-in site, for an event that was moved after it was published: its previous start, with the offset. */
  readonly previous_start_date?: string;
}

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
  /** A number of hours; text if the site has a fixed offset. */
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
