import { hostname } from 'node:os';
import { sql, type Queryable } from '../../db/database.ts';

/** Records that this process works on runs; called every few seconds. */
export async function noteWorkerAlive(query: Queryable): Promise<void> {
  await sql`insert into calsync.beats (part, at, process) values ('worker', now(), ${`${hostname()}:${process.pid}`})
    on conflict (part) do update set at = excluded.at, process = excluded.process`.execute(query);
}

/** How long ago any worker last reported, by the database's clock; undefined if none ever has. */
export async function msSinceBeat(query: Queryable): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from now() - at) * 1000)::bigint as ms from calsync.beats where part = 'worker'`.execute(
    query,
  );
  return rows[0]?.ms;
}
