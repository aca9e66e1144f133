import { sql, type Kysely } from '../db/database.ts';

const KEEP_DAYS = 90;

/** Deletes the runs that ended more than 90 days ago, with their batches; what still waits for a person stays. Gives their number. */
export async function cleanRuns(query: Kysely<unknown>, now: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`with gone as (delete from calsync.runs where finished_at < ${new Date(now - KEEP_DAYS * 86_400_000)} and state <> 'held' returning 1)
    select count(*) as deleted from gone`.execute(query);
  return rows[0]?.deleted ?? 0;
}
