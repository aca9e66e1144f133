import type { EventData } from '../../contract/event.ts';
import type { Event } from '../../contract/representation.ts';
import { renderWebsite } from './render.ts';

/** A field of an event that is stored as sent, in the column of the same name. */
interface PlainField<Stored, Shown, Initial = Stored> {
  /** The stored value if none was sent. */
  readonly initial: Initial;
  /** Converts the stored value to what answers show; `url` is the event's own page. */
  readonly shown: (stored: Stored, url: string) => Shown;
  /** What answers show instead while a password protects the event. */
  readonly blank: '' | null;
}

// The contract says true or false, but real sites answer null here, and clients recognize protected events by it.
const flag: PlainField<boolean, boolean> = { initial: false, shown: (stored) => stored, blank: null };
/** null means never given. */
const address: PlainField<string | null, string> = {
  initial: null,
  shown: (stored, url) => (stored === null ? url : renderWebsite(stored)),
  blank: '',
};

/** Fields written in other ways, in `event-write.ts`. */
type OtherField =
  | 'author'
  | 'date'
  | 'date_utc'
  | 'title'
  | 'description'
  | 'slug'
  | 'excerpt'
  | 'status'
  | 'timezone'
  | 'all_day'
  | 'start_date'
  | 'end_date'
  | 'image'
  | 'cost'
  | 'categories'
  | 'tags'
  | 'venue'
  | 'organizer';
/** The remaining fields, which are stored as sent. */
export type PlainName = Exclude<keyof EventData, OtherField>;

/** Every such field; its column, how it is written and answered, and what a password hides follow from this table. */
const PLAIN_FIELDS = {
  website: address,
  show_map: flag,
  show_map_link: flag,
  hide_from_listings: flag,
  sticky: flag,
  featured: flag,
} as const satisfies { readonly [Name in PlainName]: PlainField<never, NonNullable<Event[Name]>, unknown> };

type StoredIn<Field> = Field extends PlainField<infer Stored, unknown> ? Stored : never;
/** The columns of these fields. */
export type PlainColumns = { readonly [Name in PlainName]: StoredIn<(typeof PLAIN_FIELDS)[Name]> };

// Object.keys and Object.fromEntries lose the names of the table, and so the types of the values.
export const PLAIN_NAMES = Object.keys(PLAIN_FIELDS) as readonly PlainName[];
const fieldOf = (name: PlainName): PlainField<never, unknown, unknown> => PLAIN_FIELDS[name];

/** The column values of a new event that sets none of these fields. */
export const PLAIN_INITIALS = Object.fromEntries(
  PLAIN_NAMES.map((name) => [name, fieldOf(name).initial]),
) as unknown as PlainColumns;

/** The columns that a request changes. */
export const plainColumns = (asked: EventData): Partial<PlainColumns> =>
  Object.fromEntries(PLAIN_NAMES.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])));

/** The fields of an answer; `url` is the event's own page. */
export const plainAnswer = (row: PlainColumns, url: string): Pick<Event, PlainName> =>
  Object.fromEntries(
    PLAIN_NAMES.map((name) => [name, fieldOf(name).shown(row[name] as never, url)]),
  ) as unknown as Pick<Event, PlainName>;

/** The values that answers show while a password protects the event. */
export const PLAIN_BLANKS = Object.fromEntries(PLAIN_NAMES.map((name) => [name, fieldOf(name).blank])) as Readonly<
  Record<PlainName, '' | null>
>;
