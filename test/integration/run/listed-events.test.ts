import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { listEvents } from '../../../src/run/events/list-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

const EVENTS = 2_000;

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  const { pool } = fresh.database;
  await pool.query(
    `insert into calsync.ledger (site, slug, source, key, rung, identity, title, starts_at, ends_at, state, fields)
    select 'builtin', 'event-' || number, case when number > $1 then 'club' else 'school' end, 'key-' || number, 'uid',
      'uid-' || number, 'Event', number, number, 'kept',
      jsonb_build_object('categories', '{"feed": ["Courses"]}'::jsonb, 'title', repeat(md5(number::text), 30))
    from generate_series(1, $1::int + 100) as number`,
    [EVENTS],
  );
  await pool.query(
    `insert into calsync.runs (run, site, source, cause, state, doing)
    select 'school-20270115T120000-abcdef', 'builtin', 'school', '{"kind":"schedule"}', 'held',
      jsonb_object_agg('event-' || number, 'update')
    from generate_series(1, $1::int) as number`,
    [EVENTS],
  );
  await pool.query('analyze');
});
afterAll(() => fresh.close());

test('events of a large held plan are listed without comparing each event with each change', async () => {
  const query = fresh.database.query();
  const compared: number[] = [];
  const watched: Queryable = {
    ...query,
    run: async (text, values) => {
      const { rows } = await query.run<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, values);
      const left = rows.map((row) => /Rows Removed by Join Filter: (\d+)/.exec(row['QUERY PLAN'])?.[1] ?? 0);
      compared.push(...left.map(Number));
      return query.run(text, values);
    },
  };
  const { events, byState, byCategory } = await listEvents(watched, { source: 'school' }, { offset: 0, limit: 10 });
  expect(events.map(({ held }) => held?.action)).toEqual(Array.from({ length: 10 }, () => 'update'));
  expect(byState).toMatchObject({ kept: EVENTS, held: EVENTS });
  expect(byCategory).toEqual({ Courses: EVENTS });
  expect(compared.length).toBeGreaterThan(20);
  expect(Math.max(...compared)).toBeLessThan(EVENTS);
});
