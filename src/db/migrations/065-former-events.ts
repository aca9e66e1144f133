import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // What the page of a removed event says, for longer than the event itself is in the trash.
  `create table site.gone_events (
    slug text primary key, title text not null, start_wall timestamp not null, all_day boolean not null, language text not null,
    venue_ids integer[] not null, organizer_ids integer[] not null, gone_at timestamptz not null)`,
  'create index on site.gone_events (gone_at)',
  `create function site.note_gone_event() returns trigger language plpgsql as $$
    begin
      insert into site.gone_events (slug, title, start_wall, all_day, language, venue_ids, organizer_ids, gone_at)
      values (old.slug, old.title, old.start_wall, old.all_day, old.language, old.venue_ids, old.organizer_ids, new.modified_at)
      on conflict (slug) do update set title = excluded.title, start_wall = excluded.start_wall, all_day = excluded.all_day,
        language = excluded.language, venue_ids = excluded.venue_ids, organizer_ids = excluded.organizer_ids, gone_at = excluded.gone_at;
      return null;
    end $$`,
  // Only events that anybody could read are mentioned afterwards.
  `create trigger note_gone_event after update of status on site.events for each row
    when (old.status = 'publish' and new.status = 'trash' and old.password = '' and old.slug <> '')
    execute function site.note_gone_event()`,
  // The venue that was first announced for a published event; no row if the event is back there.
  `create table site.former_venues (
    event_id integer primary key references site.events on delete cascade, venue_ids integer[] not null, moved_at timestamptz not null)`,
  `create function site.note_former_venue() returns trigger language plpgsql as $$
    begin
      insert into site.former_venues (event_id, venue_ids, moved_at) values (new.id, old.venue_ids, new.modified_at)
      on conflict (event_id) do update set moved_at = excluded.moved_at;
      delete from site.former_venues where event_id = new.id and venue_ids = new.venue_ids;
      return null;
    end $$`,
  `create trigger note_former_venue after update of venue_ids on site.events for each row
    when (old.status = 'publish' and new.status = 'publish' and old.venue_ids <> '{}' and old.venue_ids <> new.venue_ids)
    execute function site.note_former_venue()`,
];

/** What pages say about events that were removed, or now take place elsewhere. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
