import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // All venues of an event of which some are in the trash, those with a minus sign; null if none are.
  'alter table site.events add column whole_venue_ids integer[], add column whole_organizer_ids integer[]',
  'create index on site.events (id) where whole_venue_ids is not null',
  'create index on site.events (id) where whole_organizer_ids is not null',
  // Their positions in the list were not recorded. For a list of venues that is not empty, it is unknown whether it is
  // what remained.
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
  // Taking venues to the trash and back does not move an event; a later change of the list by people takes precedence.
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

/** An event remembers the venues and organizers that it lost to the trash, in their order. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
