import { sql, type Queryable } from '../database.ts';

/** What has become of a suggestion that was accepted. Null until it is an event, and for those of before. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.suggestions add column event_id integer`.execute(db);
};
