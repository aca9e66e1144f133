import { sql, type Queryable } from '../../db/database.ts';

/** A mark that changes with each act of a person, and whenever a run begins or ends. */
export async function lastChange(query: Queryable): Promise<string> {
  const { rows } = await sql<{ mark: string | null }>`
    select concat_ws(' ', (select max(id) from calsync.acts), (select max(started_at) from calsync.runs),
      (select max(finished_at) from calsync.runs)) as mark`.execute(query);
  return rows[0]?.mark ?? '';
}
