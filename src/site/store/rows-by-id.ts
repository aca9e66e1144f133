import { sql, type Sql } from '../../db/database.ts';

/**
 * What stands behind `from` to find rows by their ids, as `found`. Each is looked up on its own, so that the plan of a
 * prepared statement reads no table as a whole, however small the table was when it was made.
 */
export const rowsById = (
  table: string,
  ids: readonly number[],
  columns: Sql = sql`*`,
): Sql => sql`unnest(${[...new Set(ids)]}::integer[]) as wanted (key),
  lateral (select ${columns} from ${sql.ref(`site.${table}`)} where id = wanted.key limit 1) as found`;
