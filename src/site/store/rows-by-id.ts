import { sql, type Sql } from '../../db/database.ts';

/**
 * The `from` clause that finds rows by id, as `found`. Each is looked up separately, so that a prepared statement never
 * scans the whole table, however small that was when the statement was planned.
 */
export const rowsById = (table: string, ids: readonly number[], columns: Sql = sql`*`): Sql => sql`${wantedIds(ids)},
  lateral (select ${columns} from ${sql.ref(`site.${table}`)} where id = wanted.key limit 1) as found`;

/**
 * Ids for a `from` clause, as `wanted.key`. Their number is hidden from the planner, which would otherwise replan a
 * prepared statement for each short list; that takes ten times as long as running it.
 */
export const wantedIds = (ids: readonly number[]): Sql => wantedKeys(ids, sql`integer`, {});

/** The same for slugs; `more` adds further columns to `wanted`. */
export const wantedSlugs = (slugs: readonly string[], more: Readonly<Record<string, Sql>> = {}): Sql =>
  wantedKeys(slugs, sql`text`, more);

function wantedKeys(keys: readonly unknown[], type: Sql, more: Readonly<Record<string, Sql>>): Sql {
  const others = Object.entries(more).map(([name, value]) => sql`${value} as ${sql.id(name)}`);
  const [only] = keys;
  // For a single id, the list would make up a fifth of the work.
  if (keys.length === 1) return sql`(select ${sql.join([sql`${only}::${type} as key`, ...others])}) as wanted`;
  const given = sql.join([sql`${[...new Set(keys)]}::${type}[] as keys`, ...others]);
  const names = Object.keys(more).map((name) => sql.id(name));
  return sql`(select ${sql.join([sql`unnest(keys) as key`, ...names])} from (select ${given} offset 0) as given) as wanted`;
}
