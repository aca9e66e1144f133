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
  /** Whether the publication date is fixed; that of a draft is not until it is published. */
  readonly dated: boolean;
  /** The status of a trashed post before it was trashed; null for any other post. */
  readonly trashed_from: Status | null;
  readonly modified_at: Date;
  readonly image_id: number | null;
}

export interface EventRow extends PostRow, PlainColumns {
  /** Wall-clock times in the event's own zone; read through `eventColumns`. */
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
  /** The start announced before the event was moved, with its offset; '' if it was not moved. */
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
  /** Markup characters are stored as entities. */
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number | null;
  readonly language: string;
  /** The number of published events that have it; maintained by the database. */
  readonly count: number;
}

export interface ImageRow {
  readonly id: number;
  /** The address it came from. */
  readonly url: string;
  readonly extension: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly filesize: number | null;
  readonly sizes: unknown;
  /** The hash of its file, and the file's name; null if the site has no copy. */
  readonly hash: string | null;
  readonly name: string | null;
}
