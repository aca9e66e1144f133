import type { EventData } from '../../contract/event.ts';
import type { Event } from '../../contract/representation.ts';
import { renderWebsite } from './render.ts';

/** A field of an event that is stored as it was sent, in the column of its name. */
interface PlainField<Stored, Shown, Initial = Stored> {
  /** What is stored where nothing was sent. */
  readonly initial: Initial;
  /** The value of the column → what answers show; `url` is the event's own page. */
  readonly shown: (stored: Stored, url: string) => Shown;
  /** What answers show instead while a password protects the event. */
  readonly blank: '' | null;
}

// The contract says true or false, but real sites write null here, and clients recognise protected events by that.
const flag: PlainField<boolean, boolean> = { initial: false, shown: (stored) => stored, blank: null };
/** null: never given. */
const address: PlainField<string | null, string> = {
  initial: null,
  shown: (stored, url) => (stored === null ? url : renderWebsite(stored)),
  blank: '',
};

/** What is written otherwise: see `event-write.ts`. */
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
/** What is left: fields that are stored as they were sent. */
export type PlainName = Exclude<keyof EventData, OtherField>;

/** Every such field: its column, how it is written and answered, and what a password hides follow. */
const PLAIN_FIELDS = {
  website: address,
  show_map: flag,
  show_map_link: flag,
  hide_from_listings: flag,
  sticky: flag,
  featured: flag,
} as const satisfies { readonly [Name in PlainName]: PlainField<never, NonNullable<Event[Name]>, unknown> };

type StoredIn<Field> = Field extends PlainField<infer Stored, unknown> ? Stored : never;
/** Their columns. */
export type PlainColumns = { readonly [Name in PlainName]: StoredIn<(typeof PLAIN_FIELDS)[Name]> };

// Object.keys and Object.fromEntries lose the names, which are those of the table, and so the types of the values.
export const PLAIN_NAMES = Object.keys(PLAIN_FIELDS) as readonly PlainName[];
const fieldOf = (name: PlainName): PlainField<never, unknown, unknown> => PLAIN_FIELDS[name];

/** The columns of a new event of which nothing is said. */
export const PLAIN_INITIALS = Object.fromEntries(
  PLAIN_NAMES.map((name) => [name, fieldOf(name).initial]),
) as unknown as PlainColumns;

/** The columns that a request changes. */
export const plainColumns = (asked: EventData): Partial<PlainColumns> =>
  Object.fromEntries(PLAIN_NAMES.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])));

/** What an answer shows of a row; `url` is the event's own page. */
export const plainAnswer = (row: PlainColumns, url: string): Pick<Event, PlainName> =>
  Object.fromEntries(
    PLAIN_NAMES.map((name) => [name, fieldOf(name).shown(row[name] as never, url)]),
  ) as unknown as Pick<Event, PlainName>;

/** What an answer shows instead while a password protects the event. */
export const PLAIN_BLANKS = Object.fromEntries(PLAIN_NAMES.map((name) => [name, fieldOf(name).blank])) as Readonly<
  Record<PlainName, '' | null>
>;
