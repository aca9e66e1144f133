import type { Config } from '../../config/config.ts';
import type { Engine } from '../../operator/frame/operator.ts';
import { openBackend, type Backend } from '../../queue/backend.ts';
import { openRequests, type Requests } from '../../queue/requests.ts';
import type { App } from '../open/open-context.ts';

/** What the console sets going, by the workers of this process or, without any, by others'. */
export interface OpenEngine extends Engine {
  /** The workers of this process have started. */
  readonly use: (workers: Requests) => void;
  readonly close: () => Promise<void>;
}

/** `hasWorkers`: this process is about to start workers, so the first request waits for them. */
export function openEngine(config: Config, app: App, hasWorkers: boolean): OpenEngine {
  const workers = Promise.withResolvers<Requests>();
  let backend: Promise<Backend> | undefined;
  let opened: Promise<Requests> | undefined;
  const open = async (): Promise<Requests> => {
    backend = openQueue(config, app, 0);
    return openRequests(app.context, await backend, (report) =>
      app.context.log.info({ run: report.run, source: report.source, state: report.state }, 'a run has ended'),
    );
  };
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
    close: async () => (await backend?.catch(() => undefined))?.close(),
  };
}

/** The queue's back end: Redis if one is configured, else the database. */
export const openQueue = (config: Config, { state, context }: App, workersMax: number): Promise<Backend> =>
  openBackend(
    config.redisUrl ? { redisUrl: config.redisUrl.reveal() } : { database: state.address },
    workersMax,
    context.log,
  );
