import { sql, type Queryable } from '../database.ts';

/** The salted hash of an event's password; '' if it has none. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.events add column password text not null default ''`.execute(db);
};
