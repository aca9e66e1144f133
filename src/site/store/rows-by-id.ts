import { sql, type Sql } from '../../db/database.ts';

/**
 * What stands behind `from` to find rows by their ids, as `found`. Each is looked up on its own, so that the plan of a
 * prepared statement reads no table as a whole, however small the table was when it was made.
 */
export const rowsById = (table: string, ids: readonly number[], columns: Sql = sql`*`): Sql => sql`${wantedIds(ids)},
  lateral (select ${columns} from ${sql.ref(`site.${table}`)} where id = wanted.key limit 1) as found`;

/**
 * Some ids behind `from`, as `wanted.key`. How many there are is hidden from the planner: else it would plan a prepared
 * statement anew for each few of them, which takes ten times as long as running it.
 */
export const wantedIds = (ids: readonly number[]): Sql => wantedKeys(ids, sql`integer`, {});

/** The same for slugs; what else is asked about them is in `wanted` by its name. */
export const wantedSlugs = (slugs: readonly string[], more: Readonly<Record<string, Sql>> = {}): Sql =>
  wantedKeys(slugs, sql`text`, more);

function wantedKeys(keys: readonly unknown[], type: Sql, more: Readonly<Record<string, Sql>>): Sql {
  const others = Object.entries(more).map(([name, value]) => sql`${value} as ${sql.id(name)}`);
  const [only] = keys;
  // A list of one would be a fifth of the work.
  if (keys.length === 1) return sql`(select ${sql.join([sql`${only}::${type} as key`, ...others])}) as wanted`;
  const given = sql.join([sql`${[...new Set(keys)]}::${type}[] as keys`, ...others]);
  const names = Object.keys(more).map((name) => sql.id(name));
  return sql`(select ${sql.join([sql`unnest(keys) as key`, ...names])} from (select ${given} offset 0) as given) as wanted`;
}
