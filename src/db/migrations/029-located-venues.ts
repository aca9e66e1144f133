import { sql, type Queryable } from '../database.ts';

/**
 * Finding out whether a new event's venue has coordinates no longer reads the venues, which took a third of an insert.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index venues_located_idx on site.venues (id) where geo_lat is not null`.execute(db);
};
