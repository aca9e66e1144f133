import { expect, test } from 'vitest';
import { sql, type Queryable } from '../../../src/db/database.ts';
import { originOfEvent } from '../../../src/run/watch/event-origin.ts';
import { eventById, eventBySlug, eventsById, eventsBySlug } from '../../../src/site/store/event-columns.ts';
import { rowsAt } from '../../../src/site/store/event-rows.ts';
import { nextEvents } from '../../../src/site/store/next-events.ts';
import { eventTables } from '../../../src/site/store/series.ts';
import { relatedTo } from '../../../src/site/store/related.ts';
import { siteRevision } from '../../../src/site/store/turn.ts';
import { freshDatabase } from '../../support/database.ts';

// A connection keeps the plan of a prepared statement, and may have made it while the site was empty.
const ROWS = 5_000;
const POST = 'id, slug, title, status, author, language, published_at, dated, modified_at';
const ROW = `n, 'row-' || n, 'Row', 'publish', 1, 'en', now(), true, now()`;
const GROWTH = [
  `site.images (id, url, extension) select n, 'https://pictures.example/' || n, 'png'`,
  `site.venues (${POST}, image_id) select ${ROW}, n`,
  `site.organizers (${POST}, image_id) select ${ROW}, n`,
  `site.terms (id, taxonomy, name, slug, language) overriding system value select n, 'tags', 'Tag ' || n, 'row-' || n, 'en'`,
  `site.events (${POST}, start_wall, end_wall, start_at, end_at, timezone, all_day, venue_ids) select ` +
    `${ROW}, now(), now(), now(), now(), 'UTC', false, array[n]`,
  `calsync.runs (run, site, source, cause, state, started_at) select ` +
    `'r' || n, 'builtin', case when n % 100 = 0 then 'town' else 'other' end, '{}', 'done', now() - n * interval '1 hour'`,
  `calsync.ledger (site, slug, source, key, rung, identity, uid, title, starts_at, ends_at, state, fields) select ` +
    `'builtin', 'row-' || n, 'town', 'row-' || n, 'uid', 's' || n / 2 || E'\\t' || n, 's' || n / 2, 'Row', 0, 0, 'kept', '{}'`,
];

/** How many rows each prepared statement finds. */
async function found(db: Queryable, ids: readonly number[]): Promise<readonly number[]> {
  const related = await relatedTo(db, { venues: ids, organizers: ids, terms: ids, images: ids });
  const tables = eventTables(db);
  // Requests at the same time share one statement, except for the first.
  const together = async (ask: (id: number) => Promise<unknown>): Promise<number> =>
    (await Promise.all(ids.slice(0, 5).map(ask))).filter((one) => one !== undefined).length;
  return [
    (await eventsById(db, ids)).size,
    (
      await eventsBySlug(
        db,
        ids.map((id) => `row-${id}`),
      )
    ).size,
    (await rowsAt(db, ids, await siteRevision(db))).length,
    await together((id) => eventBySlug(db, `row-${id}`)),
    await together((id) => eventById(db, id)),
    (await nextEvents(db, 1, '2020-01-01')).ids.length,
    await together((id) => tables.around(`row-${id}`, '1970-01-01')),
    (await originOfEvent(db, 'builtin', 'row-1')) ? 1 : 0,
    (await tables.seriesOf(ids, '1970-01-01')).size,
    ...[related.venues, related.organizers, related.terms, related.images].map(({ size }) => size),
  ];
}

test('statements prepared while the site was empty read no whole tables or indexes of a full one', async () => {
  const { database, close } = await freshDatabase({ connections: 1 });
  const db = database.query();
  const many = Array.from({ length: 25 }, (_, index) => index + 1);
  for (let round = 0; round < 10; round += 1) for (const ids of [many, [1]]) await found(db, ids);
  for (const rows of GROWTH) await sql.raw(`insert into ${rows} from generate_series(1, ${ROWS}) n`).execute(db);
  // What was counted so far must not count below.
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows: kept } = await sql<{
    isKept: boolean;
  }>`select generic_plans > 0 as "isKept" from pg_prepared_statements`.execute(db);
  expect(kept.filter(({ isKept }) => isKept).length).toBe(kept.length);
  const read = await db.transaction(async (transaction) => {
    expect(await found(transaction, many)).toEqual([25, 25, 25, 5, 5, 1, 5, 1, 24, 25, 25, 25, 25]);
    expect(await found(transaction, [1])).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1]);
    const { rows } = await sql`select relname from pg_stat_xact_user_tables
      where schemaname in ('site', 'calsync') and relname <> 'revision' and (seq_scan > 0 or idx_tup_fetch > ${ROWS / 10})`.execute(
      transaction,
    );
    return rows;
  });
  expect(read).toEqual([]);
  await close();
});
