import { rowOf, sql, type Queryable } from '../database.ts';

// The common columns of events, venues and organizers. `dated`: the publication date is fixed; a draft gets its date
// when it is published.
const POST = `
  id integer primary key default nextval('site.post_id'),
  slug text not null, title text not null, description text not null default '', excerpt text not null default '',
  status text not null, author integer not null, language text not null,
  published_at timestamptz not null, dated boolean not null, modified_at timestamptz not null,
  image_id integer references site.images`;

const TABLES = [
  'create schema if not exists site',
  'create sequence site.post_id as integer',
  // Every writer locks this single row first, so writes happen one after another, and exports can tell that they are
  // stale.
  'create table site.revision (value bigint not null)',
  'insert into site.revision values (1)',
  `create table site.images (
    id integer primary key default nextval('site.post_id'), url text not null unique, extension text not null,
    width integer, height integer, filesize integer, sizes jsonb)`,
  `create table site.terms (
    id integer generated always as identity primary key, taxonomy text not null check (taxonomy in ('categories', 'tags')),
    name text not null, slug text not null, description text not null default '',
    parent integer references site.terms, language text not null, count integer not null default 0,
    unique (taxonomy, slug))`,
  `create table site.venues (${POST},
    address text not null default '', city text not null default '', country text not null default '', province text not null default '',
    state text not null default '', zip text not null default '', phone text not null default '', website text not null default '',
    stateprovince text not null default '', show_map boolean not null default true, show_map_link boolean not null default true,
    geo_lat double precision, geo_lng double precision, check ((geo_lat is null) = (geo_lng is null)))`,
  `create table site.organizers (${POST},
    phone text not null default '', website text not null default '', email text not null default '')`,
  // The links are arrays, so that one row contains the whole event and keeps their order. A null website was never
  // given.
  `create table site.events (${POST},
    start_wall timestamp not null, end_wall timestamp not null, start_at timestamptz not null, end_at timestamptz not null,
    timezone text not null, all_day boolean not null,
    cost_values text[] not null default '{}', cost_symbol text not null default '', cost_position text not null default '',
    website text, show_map boolean not null default false, show_map_link boolean not null default false,
    hide_from_listings boolean not null default false, sticky boolean not null default false, featured boolean not null default false,
    venue_ids integer[] not null default '{}', organizer_ids integer[] not null default '{}',
    category_ids integer[] not null default '{}', tag_ids integer[] not null default '{}',
    check (end_at >= start_at))`,
];

const FUNCTIONS = [
  `create function site.raise_revision() returns trigger language plpgsql as $$
    begin update site.revision set value = value + 1; return null; end $$`,
  // A term's count is the number of published events that have it.
  `create function site.count_terms() returns trigger language plpgsql as $$
    declare
      former integer[] := '{}'; current integer[] := '{}';
    begin
      if tg_op <> 'INSERT' and old.status = 'publish' then former := old.category_ids || old.tag_ids; end if;
      if tg_op <> 'DELETE' and new.status = 'publish' then current := new.category_ids || new.tag_ids; end if;
      if former = current then return null; end if;
      if former <> '{}' then update site.terms set count = count - 1 where id = any (former) and id <> all (current); end if;
      if current <> '{}' then update site.terms set count = count + 1 where id = any (current) and id <> all (former); end if;
      return null;
    end $$`,
  'create trigger count_terms after insert or delete or update of status, category_ids, tag_ids on site.events for each row execute function site.count_terms()',
  ...['events', 'venues', 'organizers', 'terms', 'images'].map(
    (table) =>
      `create trigger raise_revision after insert or update or delete on site.${table} for each statement execute function site.raise_revision()`,
  ),
];

const INDEXES = [
  ...['events', 'venues', 'organizers'].map((table) => `create unique index on site.${table} (slug) where slug <> ''`),
  // The index contains the columns of the default filters, so that a page of a list is found without reading the rows
  // before it.
  `create index on site.events (start_wall, published_at, id) include (end_wall) where status = 'publish' and not hide_from_listings`,
  'create index on site.events (start_wall, published_at, id) include (end_wall, status, author, hide_from_listings)',
  'create index on site.events (end_wall)',
  `create index on site.events (published_at) where status = 'future'`,
  'create index on site.events using gin (venue_ids, organizer_ids, category_ids, tag_ids)',
  'create index on site.venues (published_at desc, id desc)',
  'create index on site.organizers (published_at desc, id desc)',
  'create index on site.terms (taxonomy, (site.plain(name)))',
  'create index on site.terms (parent)',
  ...['events', 'venues', 'organizers'].map(
    (table) =>
      `create index on site.${table} using gin (site.plain(title || ' ' || excerpt || ' ' || description) @trigrams@.gin_trgm_ops)`,
  ),
];

/**
 * The schema in which an extension is installed, which is created if missing: a database may already have the extension
 * in another schema.
 */
export async function schemaOf(db: Queryable, extension: string): Promise<string> {
  await sql`create extension if not exists ${sql.id(extension)}`.execute(db);
  const result = await sql<{ schema: string }>`
    select quote_ident(nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = ${extension}`.execute(
    db,
  );
  return rowOf(result).schema;
}

/** The built-in site: events, venues and organizers, their images, and the terms. */
export const up = async (db: Queryable): Promise<void> => {
  const trigrams = await schemaOf(db, 'pg_trgm');
  const unaccent = await schemaOf(db, 'unaccent');
  for (const statement of TABLES) await sql.raw(statement).execute(db);
  // What searches compare: lower case without accents. Naming the dictionary makes the function immutable.
  await sql
    .raw(`create function site.plain(text) returns text language sql immutable parallel safe strict as
    $$ select lower(${unaccent}.unaccent('${unaccent}.unaccent'::regdictionary, $1)) $$`)
    .execute(db);
  for (const statement of [...FUNCTIONS, ...INDEXES])
    await sql.raw(statement.replace('@trigrams@', trigrams)).execute(db);
};
