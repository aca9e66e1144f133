import { sql, type Sql, type Queryable } from '../../db/database.ts';
import type { Caller } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { param, type LinkParams } from './page.ts';
import { allOf, readable } from './visible.ts';

const RADIUS_KM = 25;

/** The filters by place in a request. */
interface Place {
  readonly geoloc?: boolean;
  readonly geoloc_lat?: number;
  readonly geoloc_lng?: number;
}

export interface Nearby {
  readonly condition: Sql;
  readonly params: LinkParams;
  readonly center?: Center;
}
/**
 * The SQL for an event's distance, and the ids of the venues within reach in growing circles, from the nearest to all.
 */
export interface Center {
  readonly distance: Sql;
  readonly circles: readonly (readonly number[])[];
}

/**
 * Returns the filters by place: the condition, the distance to order by, and the values for links. They select events
 * within 25 km, nearest first. Venues that the caller may not read do not reveal where events are.
 */
export async function nearby(
  db: Queryable,
  { geoloc, geoloc_lat: lat, geoloc_lng: lng }: Place,
  caller: Caller | null,
): Promise<Nearby | undefined> {
  if ((lat === undefined) !== (lng === undefined))
    throw invalidParams({
      [lat === undefined ? 'geoloc_lat' : 'geoloc_lng']: 'geoloc_lat and geoloc_lng are sent together.',
    });
  if (geoloc === undefined && lat === undefined) return undefined;
  const known = allOf([sql`geo_lat is not null`, ...readable(caller)]);
  const distance = lat === undefined || lng === undefined ? undefined : distanceFrom(lat, lng);
  const venues = distance && (await venuesWithin(db, distance, known));
  // Few venues are near, so they are selected first, and the condition uses only the events' own columns.
  const conditions = [
    ...(geoloc === undefined ? [] : [await areLocated(db, geoloc, known)]),
    ...(venues === undefined ? [] : [atOneOf(venues.map(({ id }) => id).toSorted((one, other) => one - other))]),
  ];
  return {
    condition: sql.join(conditions, sql` and `),
    ...(distance &&
      venues && {
        center: {
          distance: sql`(select min(${distance}) from site.venues where venues.id = any (events.venue_ids) and ${known})`,
          circles: circlesOf(venues),
        },
      }),
    params: [...param('geoloc', geoloc), ...param('geoloc_lat', lat), ...param('geoloc_lng', lng)],
  };
}

/**
 * The condition that events are at a venue with known coordinates, or are not. The `located` column covers all venues,
 * readable or not, so events for which it reveals too much are selected first; an index still serves the others.
 */
async function areLocated(db: Queryable, wanted: boolean, known: Sql): Promise<Sql> {
  const { rows: hidden } = await sql<{ id: number }>`
    select id from site.venues where geo_lat is not null and not (${known})`.execute(db);
  if (hidden.length === 0) return sql`located = ${wanted}`;
  const { rows } = await sql<{ id: number }>`
    select id from site.events where ${atOneOf(hidden.map(({ id }) => id))}
      and not exists (select from site.venues where venues.id = any (events.venue_ids) and ${known})`.execute(db);
  const telling = rows.map(({ id }) => id);
  return wanted ? sql`(located and id <> all (${telling}))` : sql`(not located or id = any (${telling}))`;
}

/** The condition that an event is at one of these venues. */
export const atOneOf = (venueIds: readonly number[]): Sql => sql`venue_ids && ${venueIds}::integer[]`;

interface NearVenue {
  readonly id: number;
  readonly distance: number;
}
async function venuesWithin(db: Queryable, distance: Sql, known: Sql): Promise<readonly NearVenue[]> {
  const { rows } =
    await sql<NearVenue>`select id, ${distance} as distance from site.venues where ${known} and ${distance} <= ${RADIUS_KM} order by 2, 1`.execute(
      db,
    );
  return rows;
}

const CIRCLES = [4, 32, 256];

/** Venues at the same distance share a circle, so everything inside a circle is nearer than everything outside. */
function circlesOf(venues: readonly NearVenue[]): readonly (readonly number[])[] {
  const all = venues.map(({ id }) => id);
  const smaller = CIRCLES.filter((size) => size < all.length)
    .flatMap((size) => venues[size - 1] ?? [])
    .map((farthest) => venues.filter(({ distance }) => distance <= farthest.distance).map(({ id }) => id));
  return [...smaller, all];
}

/** The great-circle distance from a place to a venue in kilometres; rounding may push the cosine slightly beyond 1. */
const distanceFrom = (
  lat: number,
  lng: number,
): Sql => sql`(6371 * acos(least(1, greatest(-1, sin(radians(geo_lat)) * sin(radians(${lat}::float8))
  + cos(radians(geo_lat)) * cos(radians(${lat}::float8)) * cos(radians(geo_lng - ${lng}::float8))))))`;
