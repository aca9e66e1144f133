import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // All the places of an event of which the trash has some, those with a minus before them; null where it has none.
  'alter table site.events add column whole_venue_ids integer[], add column whole_organizer_ids integer[]',
  'create index on site.events (id) where whole_venue_ids is not null',
  'create index on site.events (id) where whole_organizer_ids is not null',
  // Where one was in the list was not known. Of a list of places that is not empty, nobody knows whether it is the rest.
  `update site.events set whole_venue_ids = taken.ids
    from (select event, array_agg(-id order by id) as ids from site.venues, unnest(unlinked_events) as event
      where status = 'trash' group by event) as taken
    where events.id = taken.event and venue_ids = '{}'`,
  `update site.events set whole_organizer_ids = organizer_ids || taken.ids
    from (select event, array_agg(-organizers.id order by organizers.id) as ids
      from site.organizers, unnest(unlinked_events) as event, site.events
      where organizers.status = 'trash' and events.id = event and not organizer_ids @> array[organizers.id]
      group by event) as taken
    where events.id = taken.event`,
  'alter table site.venues drop column unlinked_events',
  'alter table site.organizers drop column unlinked_events',
  // What the trash takes and gives back moves nothing; what people say of the list later counts instead of it.
  `create or replace function site.note_former_venue() returns trigger language plpgsql as $$
    declare
      was_told boolean := old.status = 'publish' and new.status = 'publish' and old.password = '' and old.venue_ids <> '{}';
    begin
      if new.whole_venue_ids is distinct from old.whole_venue_ids then return new; end if;
      new.whole_venue_ids := null;
      new.former_venue_ids := nullif(coalesce(old.former_venue_ids, case when was_told then old.venue_ids end), new.venue_ids);
      return new;
    end $$`,
  `create function site.forget_whole_organizers() returns trigger language plpgsql as $$
    begin
      new.whole_organizer_ids := null;
      return new;
    end $$`,
  `create trigger forget_whole_organizers before update of organizer_ids on site.events for each row
    when (old.whole_organizer_ids is not null and old.organizer_ids <> new.organizer_ids
      and old.whole_organizer_ids is not distinct from new.whole_organizer_ids)
    execute function site.forget_whole_organizers()`,
];

/** An event remembers the places and organizers that the trash has taken from it, in their order. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
