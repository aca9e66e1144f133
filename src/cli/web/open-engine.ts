import type { Engine } from '../../operator/frame/operator.ts';
import { countRun } from '../../operator/metrics/count-run.ts';
import type { OwnQueue } from '../../queue/own-queue.ts';
import { openRequests, type Requests } from '../../queue/requests.ts';
import type { RunContext } from '../../run/state/context.ts';

/** Starts what the console requests, with the workers of this process or, without any, those of others. */
export interface OpenEngine extends Engine {
  /** Called when the workers of this process have started. */
  readonly use: (workers: Requests) => void;
}

/** `hasWorkers`: this process is about to start workers, so the first request waits for them. */
export function openEngine(context: RunContext, queue: OwnQueue, hasWorkers: boolean): OpenEngine {
  const workers = Promise.withResolvers<Requests>();
  let opened: Promise<Requests> | undefined;
  const open = async (): Promise<Requests> =>
    openRequests(context, await queue.backend(), (report) => {
      countRun(context.measures, report);
      context.log.info({ run: report.run, source: report.source, state: report.state }, 'a run has ended');
    });
  const requests = (): Promise<Requests> => {
    if (hasWorkers) return workers.promise;
    opened ??= open().catch((error: unknown) => {
      // The next request tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    use: workers.resolve,
    request: async (sources, cause) => (await requests()).request(sources, cause),
    carryOut: async (setup, begin) => (await requests()).carryOut(setup, begin),
  };
}
