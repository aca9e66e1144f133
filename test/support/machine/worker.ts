import { sourceSetup } from '../../../src/cli/open/source-setup.ts';
import type { SourceConfig } from '../../../src/config/config.ts';
import type { Transport } from '../../../src/client/site-client.ts';
import type { Database } from '../../../src/db/database.ts';
import { createLogger } from '../../../src/log.ts';
import type { RunContext, SiteSetup, SourceSetup } from '../../../src/run/state/context.ts';
import { makeMeasures } from '../../../src/measures.ts';
import { makePace } from '../../../src/run/state/pace.ts';
import { watchRuns } from '../../../src/run/state/batches.ts';
import { makeListedByRuns } from '../../../src/run/state/listed-names.ts';
import { makePlannedItems } from '../../../src/run/state/planned-items.ts';
import { parseAndTry, parseFeed } from '../../../src/run/parse/parse-feed.ts';
import { joinProcesses } from '../../../src/run/state/process.ts';
import type { SharedFetch } from '../../../src/run/fetch/shared-fetch.ts';
import { gated } from './gated.ts';
import type { Grounds } from './grounds.ts';

/** Thrown at the first effect that a killed process would have had. */
export class Killed extends Error {}

/**
 * A process that syncs. It can be killed after a number of effects: statements to the database and requests to the
 * site, counted before and after they are carried out.
 */
export interface Worker {
  readonly context: RunContext;
  readonly setups: ReadonlyMap<string, SourceSetup>;
  readonly dieAfter: (effects: number) => void;
  /** Stops the process and releases its connection and its locks. */
  readonly end: () => Promise<void>;
}

export interface Surroundings {
  readonly database: Database;
  readonly grounds: Grounds;
  readonly now: () => number;
  readonly fetch: SharedFetch;
  readonly sources: () => readonly SourceConfig[];
}

const log = createLogger('silent');

export async function startWorker({ database, grounds, now, fetch, sources }: Surroundings): Promise<Worker> {
  let left = Number.POSITIVE_INFINITY;
  const gate = (): void => {
    if ((left -= 1) < 0) throw new Killed('killed');
  };
  const member = await joinProcesses(database);
  const own = gated(database, gate);
  const client = await grounds.client(
    (transport): Transport =>
      async (request) => {
        gate();
        const answer = await transport(request);
        gate();
        return answer;
      },
    own,
  );
  const site: SiteSetup = { name: 'site', key: grounds.key, client, requestsInFlight: 4, fullEveryMs: 86_400_000 };
  const setups = (): ReadonlyMap<string, SourceSetup> =>
    new Map(sources().map((source) => [source.name, sourceSetup(source, site, 'en', fetch)]));
  const context = {
    database: own,
    log,
    now,
    member,
    measures: makeMeasures(),
    parser: {
      parse: async (input) => parseFeed(input),
      tryRules: async (input) => parseAndTry(input),
      prepare: () => undefined,
      close: async () => undefined,
    },
    former: () => [],
    siteOf: (key) => (key === site.key ? site : undefined),
    pace: makePace(),
    planned: makePlannedItems(),
    listed: makeListedByRuns(),
    isBrokenOff: watchRuns(own),
    stopping: new AbortController().signal,
  } satisfies Partial<RunContext>;
  return {
    get setups() {
      return setups();
    },
    get context() {
      return { ...context, sources: setups() };
    },
    dieAfter: (effects) => {
      left = effects;
    },
    end: async () => {
      left = -1;
      await member.leave();
    },
  };
}
