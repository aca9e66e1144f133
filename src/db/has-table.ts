import { sql, type Queryable } from './sql.ts';

/** Whether the database has a table or sequence of this name, which may begin with its schema. */
export async function hasTable(query: Queryable, name: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(query);
  return rows[0]?.there === true;
}
