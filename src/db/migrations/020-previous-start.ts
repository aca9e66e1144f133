import { sql, type Kysely } from '../database.ts';

/**
 * When a published event was to start before it was moved, with its offset (`2027-01-10T18:00:00+01:00`); '' where it
 * was not.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table site.events add column previous_start text not null default ''`.execute(db);
};
