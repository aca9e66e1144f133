import { NEARBY_KM } from '../../contract/event.ts';
import { sql, type RawBuilder } from '../../db/database.ts';
import { invalidParams } from '../http-problem.ts';
import { param, type LinkParams } from './page.ts';
import type { StoreDatabase } from './tables.ts';

/** Where the list is asked to look. */
interface Place { readonly geoloc?: boolean; readonly geoloc_lat?: number; readonly geoloc_lng?: number }

interface Nearby { readonly condition: RawBuilder<unknown>; readonly distance?: RawBuilder<unknown>; readonly params: LinkParams }

/** The filters by place: the condition, the distance to order by, and what links carry. Events within 25 km, the nearest first. */
export async function nearby(db: StoreDatabase, { geoloc, geoloc_lat: lat, geoloc_lng: lng }: Place): Promise<Nearby | undefined> {
  if ((lat === undefined) !== (lng === undefined)) throw invalidParams(lat === undefined ? 'geoloc_lat' : 'geoloc_lng');
  if (geoloc === undefined && lat === undefined) return undefined;
  const distance = lat === undefined || lng === undefined ? undefined : distanceFrom(lat, lng);
  const conditions = [
    ...(geoloc === undefined ? [] : [sql`located = ${geoloc}`]),
    ...(distance === undefined ? [] : [sql`venue_ids && ${await venuesWithin(db, distance)}::integer[]`]),
  ];
  return {
    condition: sql.join(conditions, sql` and `),
    ...(distance && { distance: sql`(select min(${distance}) from site.venues where venues.id = any (events.venue_ids) and geo_lat is not null)` }),
    params: [...param('geoloc', geoloc), ...param('geoloc_lat', lat), ...param('geoloc_lng', lng)],
  };
}

/** Few venues are near: they are chosen first, and the condition on an event is then about its own columns. */
async function venuesWithin(db: StoreDatabase, distance: RawBuilder<unknown>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from site.venues where geo_lat is not null and ${distance} <= ${NEARBY_KM} order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The kilometres of the great circle from a place to a venue; rounding may take its cosine a little beyond 1. */
const distanceFrom = (lat: number, lng: number): RawBuilder<unknown> => sql`(6371 * acos(least(1, greatest(-1, sin(radians(geo_lat)) * sin(radians(${lat}::float8))
  + cos(radians(geo_lat)) * cos(radians(${lat}::float8)) * cos(radians(geo_lng - ${lng}::float8))))))`;
