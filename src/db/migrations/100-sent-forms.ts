import { sql, type Queryable } from '../database.ts';

/** The forms that were carried out at `/edit`, and where each led: a form that is sent twice is carried out once. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table site.sent_forms (key text primary key, sent_at timestamptz not null, led_to text)`.execute(db);
};
