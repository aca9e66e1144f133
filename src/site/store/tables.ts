import type { Status } from '../../contract/post-args.ts';
import type { PlainColumns } from './plain-fields.ts';

export interface PostRow {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  readonly status: Status;
  readonly author: number;
  readonly language: string;
  readonly published_at: Date;
  /** Whether the publication date is fixed: a draft's is not until it is published. */
  readonly dated: boolean;
  /** The status of a post before it went into the trash; null for one that is not there. */
  readonly trashed_from: Status | null;
  readonly modified_at: Date;
  readonly image_id: number | null;
}

export interface EventRow extends PostRow, PlainColumns {
  /** Wall-clock times in the event's own zone; read them through `eventColumns`. */
  readonly start_wall: string;
  readonly end_wall: string;
  readonly start_at: Date;
  readonly end_at: Date;
  readonly timezone: string;
  readonly all_day: boolean;
  readonly cost_values: string[];
  readonly cost_symbol: string;
  readonly cost_position: string;
  readonly venue_ids: number[];
  readonly organizer_ids: number[];
  readonly category_ids: number[];
  readonly tag_ids: number[];
  /** Made by `passwordHash`. */
  readonly password: string;
  /** The start announced before the event was moved, with its offset; '' for none. */
  readonly previous_start: string;
}

export interface VenueRow extends PostRow {
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly province: string;
  readonly state: string;
  readonly zip: string;
  readonly phone: string;
  readonly website: string;
  readonly stateprovince: string;
  readonly show_map: boolean;
  readonly show_map_link: boolean;
  readonly geo_lat: number | null;
  readonly geo_lng: number | null;
}

export interface OrganizerRow extends PostRow {
  readonly phone: string;
  readonly website: string;
  readonly email: string;
}

export type Taxonomy = 'categories' | 'tags';

export interface TermRow {
  readonly id: number;
  readonly taxonomy: Taxonomy;
  /** With markup characters as entities. */
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number | null;
  readonly language: string;
  /** Number of published events that have it; maintained by the database. */
  readonly count: number;
}

export interface ImageRow {
  readonly id: number;
  /** Where it came from. */
  readonly url: string;
  readonly extension: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly filesize: number | null;
  readonly sizes: unknown;
  /** Its file, and the file's name; null if the site has none. */
  readonly hash: string | null;
  readonly name: string | null;
}
