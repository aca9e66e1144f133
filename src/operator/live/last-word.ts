import { sql, type Queryable } from '../../db/database.ts';

/** How long ago a worker was last alive, by the clock of the database; undefined if none ever was. */
export async function msSinceLastWord(query: Queryable): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from now() - max(heartbeat)) * 1000)::int as ms from calsync.processes`.execute(query);
  return rows[0]?.ms ?? undefined;
}
