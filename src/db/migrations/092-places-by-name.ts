import { sql, type Queryable } from '../database.ts';

/** Finds venues and organizers by their whole name, however long it is. */
export const up = async (db: Queryable): Promise<void> => {
  for (const table of ['venues', 'organizers'])
    await sql.raw(`create index on site.${table} using hash (lower(title))`).execute(db);
};
