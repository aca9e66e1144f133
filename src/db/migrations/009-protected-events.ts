import { sql, type Queryable } from '../database.ts';

/** The salted hash of the password that an event is shown for, '' for none. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.events add column password text not null default ''`.execute(db);
};
