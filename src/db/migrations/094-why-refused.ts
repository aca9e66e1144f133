import { sql, type Queryable } from '../database.ts';

/** Who decided about a suggestion, and why it was refused. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table site.suggestions add column decided_by text not null default '',
    add column reason text not null default ''`.execute(db);
};
