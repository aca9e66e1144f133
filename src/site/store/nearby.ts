import { sql, type RawBuilder } from '../../db/database.ts';
import { invalidParams } from '../http-problem.ts';
import { param, type LinkParams } from './page.ts';

const RADIUS_KM = 25;

/** Where the list is asked to look. */
interface Place { readonly geoloc?: boolean; readonly geoloc_lat?: number; readonly geoloc_lng?: number }

/** The filters by place: the condition, the distance to order by, and what links carry. Events within 25 km, the nearest first. */
export function nearby({ geoloc, geoloc_lat: lat, geoloc_lng: lng }: Place): { readonly condition: RawBuilder<unknown>; readonly distance?: RawBuilder<unknown>; readonly params: LinkParams } | undefined {
  if ((lat === undefined) !== (lng === undefined)) throw invalidParams(lat === undefined ? 'geoloc_lat' : 'geoloc_lng');
  if (geoloc === undefined && lat === undefined) return undefined;
  const located = sql`exists (select from site.venues where venues.id = any (events.venue_ids) and geo_lat is not null)`;
  // The great circle; rounding may take its cosine a little beyond 1.
  const distance = lat === undefined ? undefined : sql`(
    select min(6371 * acos(least(1, greatest(-1, sin(radians(geo_lat)) * sin(radians(${lat}::float8))
      + cos(radians(geo_lat)) * cos(radians(${lat}::float8)) * cos(radians(geo_lng - ${lng}::float8))))))
    from site.venues where venues.id = any (events.venue_ids) and geo_lat is not null)`;
  const conditions = [
    ...(geoloc === undefined ? [] : [geoloc ? located : sql`not ${located}`]),
    ...(distance === undefined ? [] : [sql`${distance} <= ${RADIUS_KM}`]),
  ];
  return { condition: sql.join(conditions, sql` and `), ...(distance && { distance }), params: [...param('geoloc', geoloc), ...param('geoloc_lat', lat), ...param('geoloc_lng', lng)] };
}
