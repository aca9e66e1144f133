import { expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { eventById, eventBySlug, eventsById } from '../../../src/site/store/event-columns.ts';
import { eventTables } from '../../../src/site/store/series.ts';
import { freshDatabase } from '../../support/database.ts';

test('an event read alone, as JSON, equals the row that lists read, even at extreme times', async () => {
  const { database, close } = await freshDatabase();
  const db = database.query();
  const instants = [
    `timestamptz '9999-12-31 23:30:00-10'`,
    `timestamptz '0001-01-01 00:30:00+10'`,
    `timestamptz '2026-11-21 08:00:00.123987+01'`,
    `timestamptz '1969-12-31 23:59:59.999Z'`,
  ];
  const { rows } = await sql
    .raw<{ id: number; slug: string }>(`insert into site.events
      (slug, title, description, status, author, language, published_at, dated, modified_at, start_wall, end_wall, start_at,
        end_at, timezone, all_day, cost_values, venue_ids, tag_ids, website)
    select 'event-' || n, E'"Ünï" \\\\ \\u2028 \\U0001F389\\n', repeat('é', 3000), 'publish', 1, 'en', at, true, at, wall, wall,
      at, at, 'Pacific/Honolulu', n = 1, array['10', '"2,5" zł'], array[1, 2147483647], '{}', null
    from (values ${instants.map((at, index) => `(${index}, ${at}, timestamp '0001-01-01' + ${index} * interval '1 second')`).join(', ')}) as given (n, at, wall)
    returning id, slug`)
    .execute(db);
  expect(rows).toHaveLength(instants.length);
  const listed = await eventsById(
    db,
    rows.map(({ id }) => id),
  );
  for (const { id, slug } of rows) {
    expect(await eventBySlug(db, slug)).toMatchObject({ row: listed.get(id) });
    expect(await eventById(db, id)).toMatchObject({ row: listed.get(id) });
    expect(await eventTables(db).around(slug, '2026-11-20')).toMatchObject({ row: listed.get(id) });
  }
  await close();
});
