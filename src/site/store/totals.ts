import { rowOf, sql, type Sql, type Queryable } from '../../db/database.ts';

interface Total {
  readonly revision: number;
  readonly total: number;
}

const FILTERS_MAX = 1_000;
const totals = new WeakMap<Queryable, Map<string, Total>>();

/**
 * Counts exactly the venues, organizers or terms that match a condition; once per filter, and again after any write.
 * Every write raises the revision in its own transaction, so an outdated count is recognized. The revision is read
 * before counting, so a count may be newer than its revision, but never older. `asked` is the revision, if the request
 * has read it.
 */
export async function totalOf(
  db: Queryable,
  table: 'venues' | 'organizers' | 'terms',
  where: Sql,
  asked?: string,
): Promise<number> {
  const query = sql<{ total: number }>`
    select count(*)::integer as total from ${sql.ref(`site.${table}`)} where ${where}`;
  const { text, values } = query.compile();
  const key = JSON.stringify([text, values]);
  const revision = asked === undefined ? await revisionOf(db) : Number(asked);
  const known = totals.get(db) ?? new Map<string, Total>();
  totals.set(db, known);
  const former = known.get(key);
  if (former?.revision === revision) return former.total;
  const { total } = rowOf(await query.execute(db));
  // The least recently used entry is first, and is dropped.
  known.delete(key);
  known.set(key, { revision, total });
  const [oldest] = known.keys();
  if (known.size > FILTERS_MAX && oldest !== undefined) known.delete(oldest);
  return total;
}

async function revisionOf(db: Queryable): Promise<number> {
  return rowOf(await sql<{ value: number }>`select value from site.revision`.execute(db)).value;
}
