import { sql, type Queryable } from '../database.ts';

/**
 * Finds events that last several days by their ends. An event that ends by six in the morning belongs only to the
 * evening before.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql
    .raw(
      `create index events_spanning_idx on site.events (end_wall, start_wall) include (id)
      where (end_wall - interval '06:00:01')::date > start_wall::date
        and status = 'publish' and not hide_from_listings`,
    )
    .execute(db);
};
