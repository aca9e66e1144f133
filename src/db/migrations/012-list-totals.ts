import { sql, type Queryable } from '../database.ts';
import { schemaOf } from './001-site.ts';

const LINKS = `unnest(venue_ids || organizer_ids) as linked (id) where status not in ('draft', 'pending', 'auto-draft', 'trash')`;
const LOCATED = 'exists (select from site.venues where venues.id = any (venue_ids) and venues.geo_lat is not null)';

const TABLES = [
  // Every day on which an event starts, with the revision that last changed its events: totals of lists are kept per
  // day.
  'create table site.event_days (day date primary key, revision bigint not null) with (fillfactor = 50)',
  'insert into site.event_days select distinct start_wall::date, value from site.events, site.revision',
  // Which venues and organizers have events, and until when, without reading the events. Their ids come from one
  // sequence.
  `create table site.event_links (
    linked_id integer not null, is_published boolean not null, start_at timestamptz not null, event_id integer not null,
    primary key (linked_id, is_published, start_at, event_id))`,
  `insert into site.event_links select distinct linked.id, status = 'publish', start_at, events.id from site.events, ${LINKS}`,
  // Whether one of the event's venues has coordinates.
  'alter table site.events add column located boolean not null default false',
  `update site.events set located = true where ${LOCATED}`,
  // The text that searches compare is stored, because computing it costs more than searching it.
  `alter table site.events add column searched text generated always as (site.plain(title || ' ' || excerpt || ' ' || description)) stored`,
  // Tells the planner how few days there are.
  `create statistics site.events_day on ((start_wall::date - date '1970-01-01')) from site.events`,
];

const FUNCTIONS = [
  `create function site.raise_event_days() returns trigger language plpgsql as $$
    declare
      raised bigint;
    begin
      update site.revision set value = value + 1 returning value into raised;
      if tg_op = 'INSERT' then
        insert into site.event_days select distinct start_wall::date, raised from current_events on conflict (day) do update set revision = excluded.revision;
      elsif tg_op = 'DELETE' then
        insert into site.event_days select distinct start_wall::date, raised from former_events on conflict (day) do update set revision = excluded.revision;
      else
        insert into site.event_days select start_wall::date, raised from former_events union select start_wall::date, raised from current_events
          on conflict (day) do update set revision = excluded.revision;
      end if;
      return null;
    end $$`,
  // A write to an event raises the revision once, even if it also changes the counts of terms.
  'drop trigger raise_revision on site.terms',
  `create trigger raise_revision after insert or update or delete on site.terms for each statement
    when (pg_trigger_depth() = 0) execute function site.raise_revision()`,
  'drop trigger raise_revision on site.events',
  'create trigger raise_inserted after insert on site.events referencing new table as current_events for each statement execute function site.raise_event_days()',
  'create trigger raise_deleted after delete on site.events referencing old table as former_events for each statement execute function site.raise_event_days()',
  'create trigger raise_updated after update on site.events referencing old table as former_events new table as current_events for each statement execute function site.raise_event_days()',
  // We never truncate the table; if an operator does, no stale lists must be served.
  `create function site.raise_all_days() returns trigger language plpgsql as $$
    declare
      raised bigint;
    begin
      update site.revision set value = value + 1 returning value into raised;
      update site.event_days set revision = raised;
      delete from site.event_links;
      return null;
    end $$`,
  'create trigger raise_truncated after truncate on site.events for each statement execute function site.raise_all_days()',
  `create function site.link_events() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and (old.status, old.start_at, old.venue_ids, old.organizer_ids) = (new.status, new.start_at, new.venue_ids, new.organizer_ids) then return null; end if;
      if tg_op <> 'INSERT' then
        delete from site.event_links where linked_id = any (old.venue_ids || old.organizer_ids) and is_published = (old.status = 'publish') and start_at = old.start_at and event_id = old.id;
      end if;
      if tg_op <> 'DELETE' then
        insert into site.event_links select distinct linked.id, new.status = 'publish', new.start_at, new.id
          from unnest(new.venue_ids || new.organizer_ids) as linked (id) where new.status not in ('draft', 'pending', 'auto-draft', 'trash');
      end if;
      return null;
    end $$`,
  'create trigger link_events after insert or delete or update of status, start_at, venue_ids, organizer_ids on site.events for each row execute function site.link_events()',
  `create function site.locate_event() returns trigger language plpgsql as $$
    begin
      new.located := new.venue_ids <> '{}' and exists (select from site.venues where venues.id = any (new.venue_ids) and geo_lat is not null);
      return new;
    end $$`,
  'create trigger locate_event before insert or update of venue_ids on site.events for each row execute function site.locate_event()',
  `create function site.locate_events() returns trigger language plpgsql as $$
    begin
      update site.events set located = ${LOCATED} where venue_ids @> array[new.id];
      return null;
    end $$`,
  `create trigger locate_events after update of geo_lat on site.venues for each row
    when ((old.geo_lat is null) <> (new.geo_lat is null)) execute function site.locate_events()`,
];

const PUBLIC = `status = 'publish' and not hide_from_listings`;
// Those of 011 lack `located`; those of 001 search a text that was not stored, and lack the order of the lists.
// PostgreSQL chose their names.
const FORMER = sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'site' and (
  (tablename = 'events' and indexdef ~ '\\(start_wall, published_at, id\\) INCLUDE|site.plain') or (tablename in ('venues', 'organizers') and indexdef ~ '\\(published_at DESC, id DESC\\)'))`;
const INDEXES = [
  `create index events_public_idx on site.events (start_wall, published_at, id) include (end_wall, featured, language, located) where ${PUBLIC}`,
  `create index events_featured_idx on site.events (start_wall, published_at, id) include (end_wall, language, located) where featured and ${PUBLIC}`,
  'create index events_all_idx on site.events (start_wall, published_at, id) include (end_wall, featured, language, located, status, author, hide_from_listings)',
  'create index events_searched_idx on site.events using gin (searched @trigrams@.gin_trgm_ops)',
  ...['venues', 'organizers'].map(
    (table) =>
      `create index ${table}_all_idx on site.${table} (published_at desc, id) include (status, author, language)`,
  ),
];

/** Makes totals and late pages of lists cheap: the database updates them in the transaction of each write. */
export const up = async (db: Queryable): Promise<void> => {
  const trigrams = await schemaOf(db, 'pg_trgm');
  for (const statement of [...TABLES, ...FUNCTIONS]) await sql.raw(statement).execute(db);
  const { rows } = await FORMER.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id('site', name)}`.execute(db);
  for (const statement of INDEXES) await sql.raw(statement.replace('@trigrams@', trigrams)).execute(db);
};
