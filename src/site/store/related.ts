import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { rowsById } from './rows-by-id.ts';
import type { EventRow, ImageRow, OrganizerRow, TermRow, VenueRow } from './tables.ts';

/** What events, venues and organizers refer to, by id. */
export interface Related {
  readonly venues: ReadonlyMap<number, VenueRow>;
  readonly organizers: ReadonlyMap<number, OrganizerRow>;
  readonly terms: ReadonlyMap<number, TermRow>;
  readonly images: ReadonlyMap<number, ImageRow>;
}

/** Loads everything to which events refer, in one query for a whole page. */
export const relatedToEvents = (db: Queryable, events: readonly EventRow[]): Promise<Related> =>
  relatedTo(db, idsIn(events));

/** The ids of everything to which events refer. */
export const idsIn = (events: readonly EventRow[]): Ids => ({
  venues: events.flatMap(({ venue_ids: ids }) => ids),
  organizers: events.flatMap(({ organizer_ids: ids }) => ids),
  terms: events.flatMap(({ category_ids: categories, tag_ids: tags }) => [...categories, ...tags]),
  images: events.flatMap(({ image_id: id }) => id ?? []),
});

export type Ids = { readonly [K in keyof Related]: readonly number[] };
type PostJson<R> = Omit<R, 'published_at' | 'modified_at'> & {
  readonly published_at: string;
  readonly modified_at: string;
};
interface Linked<R> {
  readonly row: PostJson<R>;
  readonly image: ImageRow | null;
}
interface Row {
  readonly venues?: readonly Linked<VenueRow>[];
  readonly organizers?: readonly Linked<OrganizerRow>[];
  readonly terms?: readonly TermRow[];
  readonly images?: readonly ImageRow[];
}

/** Loads rows by id, with the images of venues and organizers; ids that do not exist are absent from the maps. */
export async function relatedTo(db: Queryable, ids: Ids): Promise<Related> {
  const linked = (table: 'venues' | 'organizers') => sql`(
    select coalesce(json_agg(json_build_object('row', found, 'image', image)), '[]') from ${rowsById(table, ids[table])}
    left join lateral (select * from site.images where id = found.image_id limit 1) as image on true) as ${sql.ref(table)}`;
  const plain = (table: 'terms' | 'images') => sql`(
    select coalesce(json_agg(found), '[]') from ${rowsById(table, ids[table])}) as ${sql.ref(table)}`;
  // Tables without references are not queried.
  const parts = [
    ...(['venues', 'organizers'] as const).filter((table) => ids[table].length > 0).map(linked),
    ...(['terms', 'images'] as const).filter((table) => ids[table].length > 0).map(plain),
  ];
  const { rows } =
    parts.length === 0 ? { rows: [] } : await sql<Row>`${PREPARED} select ${sql.join(parts)}`.execute(db);
  const { venues = [], organizers = [], terms = [], images = [] } = rows[0] ?? {};
  const all = [...images, ...[...venues, ...organizers].flatMap(({ image }) => image ?? [])];
  return {
    venues: byId(venues.map(({ row }) => dated(row))),
    organizers: byId(organizers.map(({ row }) => dated(row))),
    terms: byId(terms),
    images: byId(all),
  };
}

/** JSON has no dates, so times arrive as text. */
const dated = <R>(row: PostJson<R>): R =>
  ({ ...row, published_at: new Date(row.published_at), modified_at: new Date(row.modified_at) }) as R;

const byId = <R extends { readonly id: number }>(rows: readonly R[]): ReadonlyMap<number, R> =>
  new Map(rows.map((row) => [row.id, row]));
