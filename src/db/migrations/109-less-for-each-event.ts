import { sql, type Queryable } from '../database.ts';
import { schemaOf } from './001-site.ts';
import { WORDS } from './057-free-events.ts';

const statements = (unaccent: string): readonly string[] => [
  // Whoever adds events says it for all of them at once. A row that leaves it open, as the version before does, is
  // looked at alone, before it is checked.
  `alter table site.events alter column located set default null, alter column located drop not null,
    add constraint events_located_check check (located is not null)`,
  `create function site.located_among(ids integer[]) returns integer[] language plpgsql as $$
    begin
      return array(select id from site.venues where id = any (ids) and geo_lat is not null);
    end $$`,
  'drop trigger locate_event on site.events',
  `create trigger locate_inserted before insert on site.events for each row
    when (new.located is null) execute function site.locate_event()`,
  `create trigger locate_updated before update of venue_ids on site.events for each row
    execute function site.locate_event()`,
  // Called once for each column of a row that is made from texts: in PL/pgSQL, a call costs half of what it does in SQL.
  `create or replace function site.plain(text) returns text language plpgsql immutable parallel safe strict as $$
    begin
      return lower(${unaccent}.unaccent('${unaccent}.unaccent'::regdictionary, $1));
    end $$`,
  // An event without a price is the usual one.
  `create or replace function site.is_free(cost text[]) returns boolean
    language plpgsql immutable parallel safe strict cost 10000 as $$
    begin
      if cost = '{}' then return false; end if;
      return not exists (select from unnest(cost) as part where not (
        trim(part) ~ '^0+(\\.0+)?$' or trim(regexp_replace(site.plain(part), '[^[:alnum:]]+', ' ', 'g'))
          = any ('{${WORDS.map((word) => `"${word}"`).join(',')}}')));
    end $$`,
];

/** What is worked out for each new event costs the server less. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of statements(await schemaOf(db, 'unaccent'))) await sql.raw(statement).execute(db);
};
