import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // The venues that were first announced for a published event; null if the event takes place there.
  'alter table site.events add column former_venue_ids integer[]',
  'update site.events set former_venue_ids = former.venue_ids from site.former_venues as former where events.id = former.event_id',
  'drop trigger note_former_venue on site.events',
  'drop function site.note_former_venue',
  'drop table site.former_venues',
  // Venues of a draft, or hidden by a password, were never announced.
  `create function site.note_former_venue() returns trigger language plpgsql as $$
    declare
      was_told boolean := old.status = 'publish' and new.status = 'publish' and old.password = '' and old.venue_ids <> '{}';
    begin
      new.former_venue_ids := nullif(coalesce(old.former_venue_ids, case when was_told then old.venue_ids end), new.venue_ids);
      return new;
    end $$`,
  `create trigger note_former_venue before update of venue_ids on site.events for each row
    when (old.venue_ids <> new.venue_ids) execute function site.note_former_venue()`,
];

/**
 * Stores an event's former venue with the event, because every event page needs it, and forgets it whenever the event
 * is back there, in whatever way.
 */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
