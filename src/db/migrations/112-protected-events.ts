import { sql, type Queryable } from '../database.ts';

/** The events with a password, which are few, are found without looking at all. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index events_protected_idx on site.events (id) where password <> ''`.execute(db);
};
