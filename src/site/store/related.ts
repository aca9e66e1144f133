import { sql } from '../../db/database.ts';
import type { EventRow, ImageRow, OrganizerRow, StoreDatabase, TermRow, VenueRow } from './tables.ts';

/** What events, venues and organizers refer to, by id. */
export interface Related {
  readonly venues: ReadonlyMap<number, VenueRow>;
  readonly organizers: ReadonlyMap<number, OrganizerRow>;
  readonly terms: ReadonlyMap<number, TermRow>;
  readonly images: ReadonlyMap<number, ImageRow>;
}

/** Loads all that some events show, in one query for a whole page of them. */
export function relatedToEvents(db: StoreDatabase, events: readonly EventRow[]): Promise<Related> {
  return relatedTo(db, {
    venues: events.flatMap(({ venue_ids: ids }) => ids),
    organizers: events.flatMap(({ organizer_ids: ids }) => ids),
    terms: events.flatMap(({ category_ids: categories, tag_ids: tags }) => [...categories, ...tags]),
    images: events.flatMap(({ image_id: id }) => id ?? []),
  });
}

type Ids = { readonly [K in keyof Related]: readonly number[] };
interface Row { readonly venues: PostJson<VenueRow>[]; readonly organizers: PostJson<OrganizerRow>[]; readonly terms: TermRow[]; readonly images: ImageRow[] }
type PostJson<R> = Omit<R, 'published_at' | 'modified_at'> & { readonly published_at: string; readonly modified_at: string };

/** Loads rows by id, with the images of venues and organizers; ids that do not exist are not in the maps. */
export async function relatedTo(db: StoreDatabase, ids: Ids): Promise<Related> {
  if (Object.values(ids).every((some) => some.length === 0)) return { venues: new Map(), organizers: new Map(), terms: new Map(), images: new Map() };
  const { rows } = await sql<Row>`
    with venue as (select * from site.venues where id = any (${unique(ids.venues)})),
      organizer as (select * from site.organizers where id = any (${unique(ids.organizers)}))
    select coalesce((select json_agg(venue) from venue), '[]') as venues,
      coalesce((select json_agg(organizer) from organizer), '[]') as organizers,
      coalesce((select json_agg(term) from site.terms as term where id = any (${unique(ids.terms)})), '[]') as terms,
      coalesce((select json_agg(image) from site.images as image where id = any (${unique(ids.images)})
        or id in (select image_id from venue union all select image_id from organizer)), '[]') as images`.execute(db);
  const { venues = [], organizers = [], terms = [], images = [] } = rows[0] ?? {};
  return { venues: byId(venues.map(dated)), organizers: byId(organizers.map(dated)), terms: byId(terms), images: byId(images) };
}

/** JSON carries times as text. */
const dated = <R>(row: PostJson<R>): R => ({ ...row, published_at: new Date(row.published_at), modified_at: new Date(row.modified_at) }) as R;

const byId = <R extends { readonly id: number }>(rows: readonly R[]): ReadonlyMap<number, R> => new Map(rows.map((row) => [row.id, row]));

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
