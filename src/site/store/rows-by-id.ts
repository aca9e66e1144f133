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
export const wantedIds = (ids: readonly number[]): Sql =>
  sql`(select ${[...new Set(ids)]}::integer[] as keys offset 0) as given, unnest(given.keys) as wanted (key)`;
