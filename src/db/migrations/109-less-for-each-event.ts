import { sql, type Queryable } from '../database.ts';
import { schemaOf } from './001-site.ts';
import { WORDS } from './057-free-events.ts';

const statements = (unaccent: string): readonly string[] => [
  // Whoever adds events sets this for all of them together. For rows that leave it open, as the previous version does,
  // it is determined one by one, before the check.
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
  // Called for each column of a row that is made from texts; a call in PL/pgSQL costs half as much as one in SQL.
  `create or replace function site.plain(text) returns text language plpgsql immutable parallel safe strict as $$
    begin
      return lower(${unaccent}.unaccent('${unaccent}.unaccent'::regdictionary, $1));
    end $$`,
  // Most events have no price.
  `create or replace function site.is_free(cost text[]) returns boolean
    language plpgsql immutable parallel safe strict cost 10000 as $$
    begin
      if cost = '{}' then return false; end if;
      return not exists (select from unnest(cost) as part where not (
        trim(part) ~ '^0+(\\.0+)?$' or trim(regexp_replace(site.plain(part), '[^[:alnum:]]+', ' ', 'g'))
          = any ('{${WORDS.map((word) => `"${word}"`).join(',')}}')));
    end $$`,
];

/** Makes computed columns of new events cheaper. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of statements(await schemaOf(db, 'unaccent'))) await sql.raw(statement).execute(db);
};
