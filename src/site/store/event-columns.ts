import { sql } from '../../db/database.ts';
import type { EventRow, StoreDatabase } from './tables.ts';

/** The columns of an event, its wall-clock times as the interface writes them. */
export const eventColumns = sql`id, slug, title, description, excerpt, status, author, language, published_at, dated, modified_at, image_id,
  to_char(start_wall, 'YYYY-MM-DD HH24:MI:SS') as start_wall, to_char(end_wall, 'YYYY-MM-DD HH24:MI:SS') as end_wall, start_at, end_at, timezone, all_day,
  cost_values, cost_symbol, cost_position, website, show_map, show_map_link, hide_from_listings, sticky, featured,
  venue_ids, organizer_ids, category_ids, tag_ids, password, previous_start`;

/** The row of an event by id or slug; undefined for none (of that language, where one is asked for). */
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
