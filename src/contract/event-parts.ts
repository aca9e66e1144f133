/** The parts of an answer about an event, in the shapes of real sites. Names on the wire are never re-cased. */

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

/** What the answers about events, venues and organizers have in common. */
export interface Post {
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
  /** Present on sites that separate languages. */
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
