import { sql, type Queryable } from '../database.ts';

/** The event made from an accepted suggestion. Null until there is one, and for earlier suggestions. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.suggestions add column event_id integer`.execute(db);
};
