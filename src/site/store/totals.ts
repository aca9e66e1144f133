import { rowOf, sql, type RawBuilder } from '../../db/database.ts';
import type { StoreDatabase } from './tables.ts';

interface Total {
  readonly revision: number;
  readonly total: number;
}

const FILTERS_MAX = 1_000;
const totals = new WeakMap<StoreDatabase, Map<string, Total>>();

/**
 * How many venues, organizers or terms fit a condition, exactly: counted once per filter, and again after any write. A
 * write raises the revision
 * in its own transaction, so a count is known to be stale as soon as it is. The revision is read before the rows are
 * counted: what is
 * written in between makes the count one too new, never one too old.
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
  // The least recently used entry is first, and is the one to drop.
  known.delete(key);
  known.set(key, { revision, total });
  const [oldest] = known.keys();
  if (known.size > FILTERS_MAX && oldest !== undefined) known.delete(oldest);
  return total;
}
