import { sql, type Queryable } from '../../db/database.ts';
import type { Labels } from '../../measures.ts';
import type { Sample } from './exposition.ts';
import { isMetric, METRICS } from './metric-table.ts';

/** What the database knows about runs and processes, and the measurements of all processes, in one statement. */
export async function storedSamples(query: Queryable): Promise<readonly Sample[]> {
  const { rows } = await sql<Stored>`
    select 'calsyncd_runs_open' as metric, jsonb_build_object('state', state) as labels, count(run)::double precision as value
      from unnest(array['reading', 'writing', 'held']) as known (state) left join (
        select run, state from calsync.runs where state = 'held'
        union all select run, state from calsync.leases join calsync.runs using (run) where state <> 'held') as open using (state)
      group by state
    union all
    select 'calsyncd_processes', '{}', count(*) from calsync.processes where heartbeat > now() - interval '1 minute'
    union all
    select 'calsyncd_worker_last_beat_timestamp_seconds', '{}', extract(epoch from at) from calsync.beats where part = 'worker'
    union all
    select 'calsyncd_backup_last_good_timestamp_seconds', jsonb_build_object('via', via), extract(epoch from max(started_at))
      from calsync.backups where ended_at is not null and problem is null group by via
    union all
    (select 'calsyncd_backup_failing', '{}', (problem is not null)::int from calsync.backups
      where ended_at is not null and via <> 'command' order by id desc limit 1)
    union all
    select metric, labels, value from calsync.measured`.execute(query);
  // Another version of the program may have measured other metrics.
  return rows.flatMap((row) => sampleOf(row) ?? []);
}

interface Stored {
  readonly metric: string;
  readonly labels: Labels;
  readonly value: number;
}

function sampleOf({ metric: stored, labels, value }: Stored): Sample | undefined {
  if (isMetric(stored)) return { metric: stored, labels, value };
  const [, metric = '', part] = /^(.*)_(bucket|sum|count)$/.exec(stored) ?? [];
  if (!isMetric(metric) || METRICS[metric].type !== 'histogram') return undefined;
  return { metric, part: part as 'bucket' | 'sum' | 'count', labels, value };
}
