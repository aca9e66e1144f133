import { sql, type Queryable } from '../database.ts';

/** Finds the few events with a password without reading all events. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index events_protected_idx on site.events (id) where password <> ''`.execute(db);
};
