import { sql, type Queryable } from '../database.ts';

/** Sessions that have ended are deleted, and with them the only trace of when somebody last signed in. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.users add column signed_in_at timestamptz`.execute(db);
  await sql`update site.users set signed_in_at = latest.created
    from (select user_id, max(created) as created from site.sessions group by 1) as latest
    where latest.user_id = users.id`.execute(db);
};
