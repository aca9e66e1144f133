import type pg from 'pg';

/**
 * Fills an empty site with `count` published events over 400 days, at 200 venues and in 20 categories. Each title has
 * one of a hundred words.
 */
export async function seedSite(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(`insert into site.venues (slug, title, status, author, language, published_at, dated, modified_at, city)
    select 'venue-' || n, 'Venue ' || n, 'publish', 1, 'en', '2026-01-01', true, '2026-01-01', 'Town' from generate_series(1, 200) n`);
  await pool.query(
    `insert into site.terms (taxonomy, name, slug, language) select 'categories', 'Category ' || n, 'category-' || n, 'en' from generate_series(1, 20) n`,
  );
  await pool.query(
    `insert into site.events (slug, title, description, status, author, language, published_at, dated, modified_at,
      start_wall, end_wall, start_at, end_at, timezone, all_day, venue_ids, category_ids)
    select 'event-' || n, 'Event ' || n || ' word' || 100 + n % 100,
      repeat('Doors at seven, music until late. ', 12), 'publish', 1, 'en', '2026-01-01', true, '2026-01-01',
      wall, wall + interval '2 hours', wall at time zone 'Europe/Warsaw',
      (wall + interval '2 hours') at time zone 'Europe/Warsaw', 'Europe/Warsaw', false,
      array[1 + n % 200], array[1 + n % 20]
    from (select n, timestamp '2026-11-21 08:00' + (n * 7919 % (400 * 24 * 60)) * interval '1 minute' as wall from generate_series(1, ${count}) n) as days`,
  );
  await pool.query('vacuum analyze site.events, site.venues, site.terms');
}
