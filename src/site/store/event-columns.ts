import { INTEGER_MAX } from '../../contract/limits.ts';
import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { PLAIN_NAMES, type PlainName } from './plain-fields.ts';
import { rowsById } from './rows-by-id.ts';
import type { EventRow } from './tables.ts';

/** Every column of an event besides those of `PLAIN_FIELDS`, and how it is read. */
const COLUMNS = {
  id: 'asStored',
  slug: 'asStored',
  title: 'asStored',
  description: 'asStored',
  excerpt: 'asStored',
  status: 'asStored',
  author: 'asStored',
  language: 'asStored',
  published_at: 'asStored',
  dated: 'asStored',
  modified_at: 'asStored',
  image_id: 'asStored',
  start_wall: 'wall',
  end_wall: 'wall',
  start_at: 'asStored',
  end_at: 'asStored',
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
} as const satisfies Readonly<Record<Exclude<keyof EventRow, PlainName>, 'asStored' | 'wall'>>;

/** Their names, and those of `PLAIN_FIELDS`. */
// Object.keys loses the names.
export const EVENT_NAMES = [...Object.keys(COLUMNS), ...PLAIN_NAMES] as readonly (keyof EventRow)[];

/** The columns of an event, with wall-clock times in the interface's form. */
export const eventColumns = sql.join([
  ...Object.entries(COLUMNS).map(([name, form]) =>
    form === 'asStored' ? sql.ref(name) : sql`to_char(${sql.ref(name)}, 'YYYY-MM-DD HH24:MI:SS') as ${sql.id(name)}`,
  ),
  ...PLAIN_NAMES.map((name) => sql.ref(name)),
]);

/** The rows of the events that exist, by id. */
export async function eventsById(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, EventRow>> {
  const possible = ids.filter((id) => id <= INTEGER_MAX);
  const { rows } =
    await sql<EventRow>`${PREPARED} select found.* from ${rowsById('events', possible, eventColumns)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The row of an event by its slug; undefined if there is none (in that language, if one is requested). */
export async function eventBySlug(db: Queryable, slug: string, language?: string): Promise<EventRow | undefined> {
  const inLanguage = language === undefined ? sql`` : sql`and language = ${language}`;
  const { rows } =
    await sql<EventRow>`${PREPARED} select ${eventColumns} from site.events where slug = ${slug} and slug <> '' ${inLanguage}`.execute(
      db,
    );
  return rows[0];
}
