import { sql, type Kysely } from '../../db/database.ts';

const KEEP_DAYS = 90;

/**
 * Deletes the runs that ended more than 90 days ago, with their batches, except those that wait for a person. Uses the
 * database's clock, which also wrote the timestamps. Returns how many were deleted.
 */
export async function cleanRuns(query: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{
    deleted: number;
  }>`with gone as (delete from calsync.runs where finished_at < now() - make_interval(days => ${KEEP_DAYS}) and state <> 'held' returning 1)
    select count(*) as deleted from gone`.execute(query);
  return rows[0]?.deleted ?? 0;
}
