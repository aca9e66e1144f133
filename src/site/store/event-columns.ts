import { batchedByKey } from '../../coalesced.ts';
import { INTEGER_MAX } from '../../contract/limits.ts';
import { PREPARED, sql, type Queryable, type Sql } from '../../db/database.ts';
import { PLAIN_NAMES, type PlainName } from './plain-fields.ts';
import { rowsById, wantedIds, wantedSlugs } from './rows-by-id.ts';
import type { EventRow } from './tables.ts';

/** How a column is read: as stored, as a wall-clock time in the interface's form, or as an instant. */
type Form = 'asStored' | 'wall' | 'instant';

/** Every column of an event apart from `PLAIN_FIELDS`, and how it is read. */
const COLUMNS = {
  id: 'asStored',
  slug: 'asStored',
  title: 'asStored',
  description: 'asStored',
  excerpt: 'asStored',
  status: 'asStored',
  author: 'asStored',
  language: 'asStored',
  published_at: 'instant',
  dated: 'asStored',
  trashed_from: 'asStored',
  modified_at: 'instant',
  image_id: 'asStored',
  start_wall: 'wall',
  end_wall: 'wall',
  start_at: 'instant',
  end_at: 'instant',
  timezone: 'asStored',
  all_day: 'asStored',
  cost_values: 'asStored',
  cost_symbol: 'asStored',
  cost_position: 'asStored',
  venue_ids: 'asStored',
  organizer_ids: 'asStored',
  category_ids: 'asStored',
  tag_ids: 'asStored',
  password: 'asStored',
  previous_start: 'asStored',
} as const satisfies Readonly<Record<Exclude<keyof EventRow, PlainName>, Form>>;

/** The names of these columns and of `PLAIN_FIELDS`. */
// Object.keys widens the names to strings.
export const EVENT_NAMES = [...Object.keys(COLUMNS), ...PLAIN_NAMES] as readonly (keyof EventRow)[];

const columnsWith = (formed: (name: string, form: Form) => Sql): Sql =>
  sql.join([
    ...Object.entries(COLUMNS).map(([name, form]) => formed(name, form)),
    ...PLAIN_NAMES.map((name) => sql.ref(name)),
  ]);

const wall = (name: string): Sql => sql`to_char(${sql.ref(name)}, 'YYYY-MM-DD HH24:MI:SS') as ${sql.id(name)}`;

/** The columns of an event, with wall-clock times in the interface's form. */
export const eventColumns = columnsWith((name, form) => (form === 'wall' ? wall(name) : sql.ref(name)));

type InstantName = {
  readonly [Name in keyof typeof COLUMNS]: (typeof COLUMNS)[Name] extends 'instant' ? Name : never;
}[keyof typeof COLUMNS];
/** An event as JSON, with instants in epoch milliseconds. */
export type EventJson = Omit<EventRow, InstantName> & Readonly<Record<InstantName, number>>;

/**
 * The columns of an event that `to_json` turns into a single value. The driver reads a single row this way in half the
 * time, as it needs no description of each column. For many rows, it costs the database more than it saves.
 */
export const eventJsonColumns = columnsWith((name, form) => {
  if (form === 'wall') return wall(name);
  return form === 'instant' ? sql`date_part('epoch', ${sql.ref(name)}) * 1000 as ${sql.id(name)}` : sql.ref(name);
});

/** Converts an event read as JSON to a row. */
export const eventFromJson = (json: EventJson): EventRow => ({
  ...json,
  published_at: new Date(json.published_at),
  modified_at: new Date(json.modified_at),
  start_at: new Date(json.start_at),
  end_at: new Date(json.end_at),
});

/** Reads the rows of those events that exist, by id. */
export async function eventsById(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, EventRow>> {
  const possible = ids.filter((id) => id <= INTEGER_MAX);
  const { rows } =
    await sql<EventRow>`${PREPARED} select found.* from ${rowsById('events', possible, eventColumns)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same by slug. */
export async function eventsBySlug(db: Queryable, slugs: readonly string[]): Promise<ReadonlyMap<string, EventRow>> {
  const { rows } = await sql<EventRow>`${PREPARED} select found.* from ${wantedSlugs(slugs)},
    lateral (select ${eventColumns} from site.events where ${WITH_SLUG} limit 1) as found`.execute(db);
  return new Map(rows.map((row) => [row.slug, row]));
}

const WITH_SLUG = sql`slug = wanted.key and slug <> ''`;

/** An event's row, and the site's revision at which it was read. */
export interface EventAt {
  readonly row: EventRow;
  readonly revision: string;
}

/** Reads an event by id; undefined if there is none. */
export const eventById = async (db: Queryable, id: number): Promise<EventAt | undefined> =>
  id > INTEGER_MAX ? undefined : askingFor(db).byId(id);

/** Reads an event by slug; undefined if there is none. */
export const eventBySlug = (db: Queryable, slug: string): Promise<EventAt | undefined> => askingFor(db).bySlug(slug);

interface Asking {
  readonly byId: (id: number) => Promise<EventAt | undefined>;
  readonly bySlug: (slug: string) => Promise<EventAt | undefined>;
}
const asking = new WeakMap<Queryable, Asking>();

/** Reads single events, and combines concurrent requests into one statement. */
function askingFor(db: Queryable): Asking {
  const known = asking.get(db) ?? {
    byId: batchedByKey(async (ids: readonly number[]) => {
      const found = await eventsAt(db, wantedIds(ids), sql`id = wanted.key`);
      return new Map(found.map((one) => [one.row.id, one]));
    }),
    bySlug: batchedByKey(async (slugs: readonly string[]) => {
      const found = await eventsAt(db, wantedSlugs(slugs), WITH_SLUG);
      return new Map(found.map((one) => [one.row.slug, one]));
    }),
  };
  asking.set(db, known);
  return known;
}

async function eventsAt(db: Queryable, wanted: Sql, where: Sql): Promise<readonly EventAt[]> {
  const { rows } = await sql<{ event: EventJson; value: number }>`${PREPARED}
    select to_json(found) as event, value from site.revision, ${wanted}, lateral (
      select ${eventJsonColumns} from site.events where ${where} limit 1) as found`.execute(db);
  return rows.map(({ event, value }) => ({ row: eventFromJson(event), revision: String(value) }));
}
