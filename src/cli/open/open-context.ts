import { setMaxListeners } from 'node:events';
import type { OnWait } from '../../client/ask.ts';
import type { OnRead } from '../../client/site-client.ts';
import { inForce, type ConfigInForce } from '../../config/change/in-force.ts';
import type { Config } from '../../config/config.ts';
import { revealAll } from '../../config/secret.ts';
import { createLogger, type Logger } from '../../log.ts';
import { makeMeasures } from '../../measures.ts';
import { keepMeasures } from '../../operator/metrics/keep-measures.ts';
import type { RunContext } from '../../run/state/context.ts';
import { makePace } from '../../run/state/pace.ts';
import { watchRuns } from '../../run/state/batches.ts';
import { makeListedByRuns } from '../../run/state/listed-names.ts';
import { makePlannedItems } from '../../run/state/planned-items.ts';
import { joinProcesses } from '../../run/state/process.ts';
import type { Io } from '../terminal/io.ts';
import { VERSION } from '../terminal/version.ts';
import { ownAddress } from '../terminal/own-address.ts';
import { openState, type OpenDatabase } from './open-database.ts';
import { openParser } from './open-parser.ts';
import { openSites, type OpenSites } from './open-sites.ts';
import { openSources, siteSetup } from './open-sources.ts';

/** Everything needed for syncing, opened, for the daemon and for commands. */
export interface App {
  readonly state: OpenDatabase;
  readonly sites: OpenSites;
  readonly context: RunContext;
  /** The configuration, which changes while the program runs. */
  readonly inForce: ConfigInForce;
  /** The public address of the program, without a trailing slash. */
  readonly publicUrl: string;
  /** Calls the listener for each wait for a site; returns a function that removes it. */
  readonly onWait: (listener: OnWait) => () => void;
  /** The same for everything read from feeds and sites. */
  readonly onRead: (listener: OnRead) => () => void;
  readonly close: () => Promise<void>;
}

/** The exporter of traces, loaded only if the environment names a collector. */
async function openTraces({ traces }: Config, log: Logger): Promise<ReturnType<ExportTraces> | undefined> {
  if (!traces) return undefined;
  const { exportTraces } = await import('../../operator/traces/export-traces.ts');
  return exportTraces({ ...traces, headers: revealAll(traces.headers), version: VERSION }, log);
}

type ExportTraces = typeof import('../../operator/traces/export-traces.ts').exportTraces;

/**
 * Opens the database, sites and sources of a configuration; `opening` is its database if that has been started already.
 * If a later part fails, closes the earlier ones.
 */
export async function openApp(
  config: Config,
  io: Io,
  opening = openState(config, io),
  looksOnly = false,
): Promise<App> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  const log: Logger = createLogger(io.isTerminal && config.logLevel === 'info' ? 'warn' : config.logLevel);
  try {
    const state = await opening;
    closing.push(state.close);
    const traces = await openTraces(config, log);
    closing.push(async () => traces?.close());
    const measures = makeMeasures(undefined, traces);
    closing.push(keepMeasures(state.database, measures, log));
    const [waits, reads] = [makeListeners<OnWait>(), makeListeners<OnRead>()];
    const sites = await openSites(config, state.database, ownAddress(config), io.now, log, measures, {
      onWait: waits.tell,
      onRead: reads.tell,
    });
    closing.push(sites.close);
    const member = await joinProcesses(state.database);
    closing.push(member.leave);
    const parser = openParser(io);
    closing.push(parser.close);
    const sources = openSources(state.database, measures, reads.tell, looksOnly);
    closing.push(sources.close);
    await sources.take(config, sites, ownAddress(config));
    const running = inForce(config);
    running.onTake(async (after) => {
      await sites.take(after, ownAddress(after));
      return sources.take(after, sites, ownAddress(after));
    });
    return {
      state,
      sites,
      inForce: running,
      get publicUrl() {
        return ownAddress(running.config());
      },
      onWait: waits.add,
      onRead: reads.add,
      close,
      context: {
        database: state.database,
        log,
        measures,
        now: io.now,
        member,
        parser: {
          ...parser,
          parse: (input) =>
            measures.time('calsyncd_step_seconds', { step: 'read' }, () =>
              parser.parse(input, ({ done, of }) => reads.tell({ unit: 'events of the feed', done, of })),
            ),
        },
        sources: sources.sources,
        former: sources.former,
        siteOf: (key) => {
          const site = [...sites.sites.values()].find((each) => each.key === key);
          return site && siteSetup(site, undefined);
        },
        pace: makePace(),
        planned: makePlannedItems(),
        listed: makeListedByRuns(),
        isBrokenOff: watchRuns(state.database),
        stopping: whenStopped(io),
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A set of listeners; `add` returns a function that removes one again. */
function makeListeners<Listener extends (...told: never[]) => void>(): {
  readonly add: (listener: Listener) => () => void;
  readonly tell: (...told: Parameters<Listener>) => void;
} {
  const listeners = new Set<Listener>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (...told) => {
      for (const listener of listeners) listener(...told);
    },
  };
}

/** A signal that is aborted when the program is asked to stop. */
function whenStopped({ stopped }: Io): AbortSignal {
  const stopping = new AbortController();
  // Every wait adds a listener, and each batch in progress may wait.
  setMaxListeners(0, stopping.signal);
  void stopped.then(() => stopping.abort());
  return stopping.signal;
}

/** Opens the program while `work` runs. */
export const withApp = <T>(config: Config, io: Io, work: (app: App) => Promise<T>): Promise<T> =>
  whileOpen(openApp(config, io), work);

/** The same for reading only, so that a renamed source keeps its data under its former name. */
export const withAppToLook = <T>(config: Config, io: Io, work: (app: App) => Promise<T>): Promise<T> =>
  whileOpen(openApp(config, io, undefined, true), work);

async function whileOpen<T>(opening: Promise<App>, work: (app: App) => Promise<T>): Promise<T> {
  const app = await opening;
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
