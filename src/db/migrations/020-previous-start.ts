import { sql, type Queryable } from '../database.ts';

/**
 * The start that was announced for a published event before it was moved, with its offset
 * (`2027-01-10T18:00:00+01:00`); '' if it has not been moved.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.events add column previous_start text not null default ''`.execute(db);
};
