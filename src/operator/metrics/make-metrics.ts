import type { RunContext } from '../../run/state/context.ts';
import type { WatchedSource } from '../../run/watch/facts.ts';
import { handleMetrics, type MetricsAccess, type MetricsHandle } from './handle-metrics.ts';
import { sourceSamples } from './source-samples.ts';
import { watchProcess } from './process-samples.ts';
import { storedSamples } from './stored-samples.ts';

/** What the metrics of a process are built from. */
export interface MetricsMaking {
  readonly context: RunContext;
  /** The configured sources; called for each request. */
  readonly watched: () => Promise<readonly WatchedSource[]>;
  /** The number of jobs in each queue, by state. */
  readonly jobs: () => Promise<readonly { readonly queue: string; readonly state: string; readonly jobs: number }[]>;
  /** Called for each request, because the configuration may change. */
  readonly settings: () => MetricsAccess & { readonly perSource: boolean };
  readonly version: string;
}

/** The `/metrics` handler of a process. */
export const makeMetrics = ({ context, watched, jobs, settings, version }: MetricsMaking): MetricsHandle =>
  handleMetrics({
    access: settings,
    process: watchProcess(version),
    stored: [
      () => storedSamples(context.database.query()),
      sourceSamples(context, watched, () => settings().perSource),
      async () =>
        (await jobs()).map(({ queue, state, jobs: value }) => ({
          metric: 'calsyncd_queue_jobs',
          labels: { queue, state },
          value,
        })),
    ],
    log: context.log,
  });
