import { rowOf, sql, type RawBuilder } from '../../db/database.ts';
import type { StoreDatabase } from './tables.ts';

interface Total {
  readonly revision: number;
  readonly total: number;
}

const FILTERS_MAX = 1_000;
const totals = new WeakMap<StoreDatabase, Map<string, Total>>();

/**
 * How many venues, organizers or terms match a condition, exactly; counted once per filter, and again after any write.
 * Every write raises the revision in its own transaction, so a stale count is noticed at once. The revision is read
 * before counting, so a count may be newer than its revision, but never older.
 */
export async function totalOf(
  db: StoreDatabase,
  table: 'venues' | 'organizers' | 'terms',
  where: RawBuilder<unknown>,
): Promise<number> {
  const query = sql<{
    total: number;
  }>`select count(*)::integer as total from ${sql.table(`site.${table}`)} where ${where}`.compile(db);
  const key = JSON.stringify([query.sql, query.parameters]);
  const { value: revision } = await db.selectFrom('site.revision').select('value').executeTakeFirstOrThrow();
  const known = totals.get(db) ?? new Map<string, Total>();
  totals.set(db, known);
  const former = known.get(key);
  if (former?.revision === revision) return former.total;
  const { total } = rowOf(await db.executeQuery(query));
  // The least recently used entry is first, and is dropped.
  known.delete(key);
  known.set(key, { revision, total });
  const [oldest] = known.keys();
  if (known.size > FILTERS_MAX && oldest !== undefined) known.delete(oldest);
  return total;
}
