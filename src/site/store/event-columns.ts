import { sql } from '../../db/database.ts';
import type { EventRow, StoreDatabase } from './tables.ts';

/** Every column of an event, and how it is read. */
const COLUMNS = {
  id: 'plain',
  slug: 'plain',
  title: 'plain',
  description: 'plain',
  excerpt: 'plain',
  status: 'plain',
  author: 'plain',
  language: 'plain',
  published_at: 'plain',
  dated: 'plain',
  modified_at: 'plain',
  image_id: 'plain',
  start_wall: 'wall',
  end_wall: 'wall',
  start_at: 'plain',
  end_at: 'plain',
  timezone: 'plain',
  all_day: 'plain',
  cost_values: 'plain',
  cost_symbol: 'plain',
  cost_position: 'plain',
  website: 'plain',
  show_map: 'plain',
  show_map_link: 'plain',
  hide_from_listings: 'plain',
  sticky: 'plain',
  featured: 'plain',
  venue_ids: 'plain',
  organizer_ids: 'plain',
  category_ids: 'plain',
  tag_ids: 'plain',
  password: 'plain',
  previous_start: 'plain',
} as const satisfies Readonly<Record<keyof EventRow, 'plain' | 'wall'>>;

/** The columns of an event, with wall-clock times in the interface's form. */
export const eventColumns = sql.join(
  Object.entries(COLUMNS).map(([name, form]) =>
    form === 'plain' ? sql.ref(name) : sql`to_char(${sql.ref(name)}, 'YYYY-MM-DD HH24:MI:SS') as ${sql.id(name)}`,
  ),
);

/** The row of an event by id or slug; undefined if there is none (in that language, if one is requested). */
export async function findEvent(
  db: StoreDatabase,
  key: { readonly id: number } | { readonly slug: string },
  language?: string,
): Promise<EventRow | undefined> {
  if ('id' in key && key.id > 2_147_483_647) return undefined;
  const where = 'id' in key ? sql`id = ${key.id}` : sql`slug = ${key.slug} and slug <> ''`;
  const inLanguage = language === undefined ? sql`` : sql`and language = ${language}`;
  const { rows } = await sql<EventRow>`select ${eventColumns} from site.events where ${where} ${inLanguage}`.execute(
    db,
  );
  return rows[0];
}
