import { COUNTED, type CountedMetric } from '../../measures.ts';

export type MetricType = 'counter' | 'gauge' | 'histogram';

interface Metric {
  readonly type: MetricType;
  readonly help: string;
}

const gauge = (help: string): Metric => ({ type: 'gauge', help });
const counter = (help: string): Metric => ({ type: 'counter', help });
const counted = (metric: CountedMetric): Metric => ({
  type: metric.endsWith('_total') ? 'counter' : 'histogram',
  help: COUNTED[metric],
});

/** All metrics, in the order in which they are shown. */
export const METRICS = {
  calsyncd_build_info: gauge('The version of the program and of Node.js; always 1'),
  calsyncd_database_up: gauge('Whether the database answers; without it there is only what the process itself knows'),
  calsyncd_sources: gauge('How many sources are in each state'),
  calsyncd_source_state: gauge('Whether a source is in a state: 1 for the state that it is in, 0 for all others'),
  calsyncd_source_last_good_timestamp_seconds: gauge('When a source was last read without a failure'),
  calsyncd_source_last_change_timestamp_seconds: gauge('When a sync of a source last changed something on its site'),
  calsyncd_source_events: gauge('Events that a source has on its site'),
  calsyncd_source_conflicts: gauge('Conflicts of a source that wait for a person'),
  calsyncd_source_failures: gauge('Failures of a source in a row'),
  calsyncd_worker_last_beat_timestamp_seconds: gauge('When a worker last said that it was alive'),
  calsyncd_backup_last_good_timestamp_seconds: gauge(
    'When the last good backup was begun, by the schedule, the console or the command: what it holds is as old',
  ),
  calsyncd_backup_failing: gauge('Whether the last backup of the schedule or the console has failed: 1, else 0'),
  calsyncd_runs_open: gauge('Runs that have not ended: reading, writing, or held for a person'),
  calsyncd_processes: gauge('Processes that are alive, commands among them'),
  calsyncd_queue_jobs: gauge('Jobs in a queue, by their state'),
  calsyncd_runs_total: counted('calsyncd_runs_total'),
  calsyncd_event_changes_total: counted('calsyncd_event_changes_total'),
  calsyncd_site_writes_total: counted('calsyncd_site_writes_total'),
  calsyncd_site_requests_total: counted('calsyncd_site_requests_total'),
  calsyncd_step_seconds: counted('calsyncd_step_seconds'),
  process_cpu_seconds_total: counter('Processor time of this process'),
  process_resident_memory_bytes: gauge('Memory of this process'),
  process_start_time_seconds: gauge('When this process was started'),
  nodejs_heap_used_bytes: gauge('Memory of the JavaScript heap that is in use'),
  nodejs_eventloop_utilization_ratio: gauge('The share of time since the last scrape in which this process was busy'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;

export const isMetric = (name: string): name is MetricName => Object.hasOwn(METRICS, name);
