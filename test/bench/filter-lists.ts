import type pg from 'pg';
import type { Caller } from '../../src/site/context.ts';

const ALL = 'starts_after=1971-01-01';
const EDITOR: Caller = { id: 2, login: 'editor', email: '', role: 'editor' };
const CONTRIBUTOR: Caller = { id: 3, login: 'contributor', email: '', role: 'contributor' };

/** Lists that together use each parameter of the interface, and who requests them. */
export const LISTS: readonly (readonly [path: string, as?: Caller])[] = [
  ['/events?'],
  [`/events?${ALL}`],
  ['/events?start_date=2027-03-01&end_date=2027-03-02'],
  ['/events?starts_before=2027-03-02&ends_after=2027-02-28'],
  ['/events?ends_after=2027-11-01'],
  ['/events?ends_before=2026-12-01'],
  ['/events?search=trumpet'],
  ['/events?search=doors'],
  ['/events?search=nothing-of-the-kind'],
  ['/events?search=-trumpet'],
  ['/events?categories=category-3'],
  ['/events?tags=tag-50'],
  ['/events?tags=rare'],
  ['/events?categories=category-3&tags=tag-50'],
  ['/events?venue=7'],
  ['/events?organizer=2100'],
  ['/events?featured=true'],
  ['/events?featured=false'],
  ['/events?translation_language=pl'],
  ['/events?include=10004,10005,10006'],
  ['/events?geoloc=true'],
  ['/events?geoloc_lat=52.2&geoloc_lng=21'],
  ['/events?post_parent=10004'],
  ['/events?status=draft', EDITOR],
  ['/events?status=publish', EDITOR],
  ['/events?', EDITOR],
  ['/events?', CONTRIBUTOR],
  [`/events?${ALL}&status=future,private`, EDITOR],
  [`/events?${ALL}&status=trash`, EDITOR],
  ['/venues?'],
  ['/venues?search=hall'],
  ['/venues?search=hall%201999'],
  ['/venues?event=10004'],
  ['/venues?has_events=true'],
  ['/venues?has_events=false'],
  ['/venues?only_with_upcoming=true'],
  ['/venues?translation_language=pl'],
  ['/venues?status=draft', EDITOR],
  ['/organizers?search=host%2019'],
  ['/organizers?has_events=false'],
  ['/categories?'],
  ['/tags?search=tag-5'],
  ['/tags?event=10004'],
  ['/tags?orderby=count&order=desc'],
  ['/categories?parent=1&hide_empty=false'],
];

const post = (kind: string): string => `'${kind}-' || n, '${kind} ' || n`;

/**
 * Fills an empty site with `count` events over 400 days: 2,000 venues, half of them with coordinates, 1,000 organizers,
 * terms that many, few or very few events have, and all statuses.
 */
export async function seedFilters(pool: pg.Pool, count: number): Promise<void> {
  const shared = `case when n % 10 = 0 then 'pl' else 'en' end, timestamptz '2026-01-01' + n * interval '1 second', true, timestamptz '2026-01-01'`;
  await pool.query(`insert into site.venues (slug, title, description, city, status, author, language, published_at, dated, modified_at, geo_lat, geo_lng)
    select ${post('hall')}, 'A hall', 'Town ' || n % 50, case when n % 100 = 0 then 'draft' else 'publish' end, 1, ${shared},
      case when n % 2 = 0 then 49 + n % 60 / 10.0 end, case when n % 2 = 0 then 14 + n % 100 / 10.0 end
    from generate_series(1, 2000) n`);
  await pool.query(
    'insert into site.organizers (slug, title, description, email, status, author, language, published_at, ' +
      `dated, modified_at) select ${post('host')}, 'Hosts', 'h' || n || '@x.example', 'publish', 1, ${shared} ` +
      'from generate_series(1, 1000) n',
  );
  await pool.query(
    "insert into site.terms (taxonomy, name, slug, language, parent) select 'categories', 'Category ' || n, " +
      "'category-' || n, 'en', case when n > 20 then 1 + n % 20 end from generate_series(1, 60) n",
  );
  await pool.query(
    "insert into site.terms (taxonomy, name, slug, language) select 'tags', 'Tag ' || n, 'tag-' || n, 'en' " +
      "from generate_series(1, 500) n union all select 'tags', 'Rare', 'rare', 'en'",
  );
  await pool.query(
    `insert into site.events (slug, title, description, status, author, language, published_at, dated, modified_at,
      start_wall, end_wall, start_at, end_at, timezone, all_day, featured, hide_from_listings, venue_ids, organizer_ids, category_ids, tag_ids)
    select ${post('event')}, case when n % 5000 = 0 then 'With trumpet. ' else '' end || repeat('Doors at seven, music until late. ', 12),
      case n % 50 when 0 then 'draft' when 1 then 'pending'
        when 2 then case when n % 500 = 2 then 'private' else 'trash' end else 'publish' end, 1 + n % 3, ${shared},
      wall, wall + interval '2 hours', wall at time zone 'Europe/Warsaw',
      (wall + interval '2 hours') at time zone 'Europe/Warsaw', 'Europe/Warsaw', false, n % 100 = 7, n % 200 = 9,
      array[1 + n % 1500], array[2001 + n % 900], array[1 + n % 60], array[61 + n % 500] || case when n % 10000 = 3 then array[561] else '{}' end
    from (select n, timestamp '2026-11-21 08:00' + (n::bigint * 7919 % (400 * 24 * 60)) * interval '1 minute' as wall
    from generate_series(1, ${count}) n) as days`,
  );
  await pool.query('vacuum analyze site.events, site.venues, site.organizers, site.terms');
}
