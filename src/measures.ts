import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The metrics that are counted where something happens, all of them counters or histograms, with their descriptions.
 */
export const COUNTED = {
  calsyncd_runs_total: 'Runs that have ended, by how they ended',
  calsyncd_event_changes_total: 'Events that runs have created, updated and removed on a site',
  calsyncd_site_writes_total: 'Writes requested from a site',
  calsyncd_site_requests_total: 'Requests to a site by the status of its answer, none where there was no answer',
  calsyncd_step_seconds: 'How long the steps of runs take: a fetch, a reading, a plan with both, a batch of writes',
} as const;
export type CountedMetric = keyof typeof COUNTED;

/** The run that some work belongs to. */
export interface ForRun {
  readonly run: string;
  readonly source: string;
}

/** A timed step of a run. Times are in epoch milliseconds; `failed` is an error's code, never its message. */
export interface TimedStep extends ForRun {
  readonly step: string;
  readonly beganAt: number;
  readonly endedAt: number;
  readonly failed?: string;
}

/** A run that has ended, with facts about it. */
export interface EndedRun extends ForRun {
  readonly endedAt: number;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Is called for each single step and run, as needed for traces. */
export interface Observer {
  readonly step: (timed: TimedStep) => void;
  readonly run: (ended: EndedRun) => void;
}

/** What a process has added to one metric, with its labels, since the last call of `take`. */
export interface Added {
  readonly metric: string;
  readonly labels: Labels;
  readonly value: number;
}

export type Labels = Readonly<Record<string, string>>;

/** Counts and times what happens in a process. Values only ever grow. */
export interface Measures {
  readonly count: (metric: CountedMetric, labels?: Labels, by?: number) => void;
  /** Measures how long some work takes, however it ends, for the histogram of a metric. */
  readonly time: <T>(metric: CountedMetric, labels: Labels, work: () => Promise<T>) => Promise<T>;
  /** Does work for a run: steps timed within it belong to that run. */
  readonly within: <T>(of: ForRun, work: () => Promise<T>) => Promise<T>;
  /** Reports that a run has ended. */
  readonly ended: (of: ForRun, facts: EndedRun['facts']) => void;
  /** What was added since the last call. */
  readonly take: () => readonly Added[];
  /** Adds values again that could not be stored. */
  readonly putBack: (added: readonly Added[]) => void;
}

/** Upper limits of durations, in seconds, from a write to a site in this process up to a feed that hardly answers. */
export const LIMITS_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The label of a histogram's bucket, which counts everything up to this limit. */
export const LIMIT = 'le';

export function makeMeasures(clock: () => number = () => performance.now(), observer?: Observer): Measures {
  const current = new AsyncLocalStorage<ForRun>();
  let sums = new Map<string, Added>();
  const add = (metric: string, labels: Labels, by: number): void => {
    const key = JSON.stringify([metric, labels]);
    sums.set(key, { metric, labels, value: (sums.get(key)?.value ?? 0) + by });
  };
  const note = (metric: string, labels: Labels, seconds: number): void => {
    for (const limit of LIMITS_S)
      if (seconds <= limit) add(`${metric}_bucket`, { ...labels, [LIMIT]: String(limit) }, 1);
    add(`${metric}_bucket`, { ...labels, [LIMIT]: '+Inf' }, 1);
    add(`${metric}_sum`, labels, seconds);
    add(`${metric}_count`, labels, 1);
  };
  return {
    count: (metric, labels = {}, by = 1) => add(metric, labels, by),
    time: async (metric, labels, work) => {
      const begun = clock();
      const over = (error?: unknown): void => {
        const ms = clock() - begun;
        note(metric, labels, ms / 1000);
        const of = current.getStore();
        if (!observer || !of) return;
        const endedAt = Date.now();
        const failed = error === undefined ? {} : { failed: codeOf(error) };
        observer.step({ ...of, step: labels['step'] ?? metric, beganAt: endedAt - ms, endedAt, ...failed });
      };
      try {
        const result = await work();
        over();
        return result;
      } catch (error) {
        over(error);
        throw error;
      }
    },
    within: (of, work) => (observer ? current.run(of, work) : work()),
    ended: ({ run, source }, facts) => observer?.run({ run, source, facts, endedAt: Date.now() }),
    take: () => {
      const added = [...sums.values()];
      sums = new Map();
      return added;
    },
    putBack: (added) => {
      for (const { metric, labels, value } of added) add(metric, labels, value);
    },
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected';
