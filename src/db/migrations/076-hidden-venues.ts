import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  'drop trigger note_former_venue on site.events',
  `create trigger note_former_venue after update of venue_ids on site.events for each row
    when (old.status = 'publish' and new.status = 'publish' and old.password = '' and old.venue_ids <> '{}'
      and old.venue_ids <> new.venue_ids)
    execute function site.note_former_venue()`,
];

/** A venue that was hidden by a password was never announced, so no page says that the event was to be there. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
