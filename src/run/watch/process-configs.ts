import { sql, type Queryable } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Problem } from '../../problem.ts';

/** The version of the configuration file that a process uses. */
export interface ProcessConfig {
  readonly file: string;
  readonly hash: string;
  /** Since when it has used that version. */
  readonly since: Date;
  /** Why it does not use the current file; empty if it does. */
  readonly problems: readonly Problem[];
  readonly problemsSince: Date | null;
  /** Changes in the file that only take effect at the next start, in words. */
  readonly restart: readonly string[];
  /** Where its queue is; null if unknown. */
  readonly queue: 'redis' | 'postgresql' | null;
}

/** Records the configuration that a process uses. */
export async function recordProcessConfig(query: Queryable, process: number, told: ProcessConfig): Promise<void> {
  await sql`insert into calsync.process_configs (process, file, hash, since, problems, problems_since, restart, queue)
    values (${process}, ${told.file}, ${told.hash}, ${told.since}, ${jsonb(told.problems)}, ${told.problemsSince}, ${jsonb(told.restart)},
      ${told.queue})
    on conflict (process) do update set file = excluded.file, hash = excluded.hash, since = excluded.since,
      problems = excluded.problems, problems_since = excluded.problems_since, restart = excluded.restart,
      queue = excluded.queue`.execute(query);
}

/** A running process, named by its machine and number, and the configuration that it uses. */
export interface NamedProcessConfig extends ProcessConfig {
  readonly process: string;
}

/** The configurations of running processes, in the order in which these were started. */
export async function listConfigs(query: Queryable): Promise<readonly NamedProcessConfig[]> {
  const { rows } = await sql<NamedProcessConfig>`
    select name as process, file, hash, since, problems, problems_since as "problemsSince", restart, queue
    from calsync.process_configs join calsync.processes on id = process
    where heartbeat > now() - interval '60 seconds' order by id`.execute(query);
  return rows;
}
