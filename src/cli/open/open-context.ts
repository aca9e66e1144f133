import { setMaxListeners } from 'node:events';
import path from 'node:path';
import type { OnWait } from '../../client/ask.ts';
import type { Config, SourceConfig } from '../../config/config.ts';
import { createLogger, type Logger } from '../../log.ts';
import { makeMeasures, type Measures } from '../../measures.ts';
import { keepMeasures } from '../../operator/metrics/keep-measures.ts';
import type { RunContext, SiteSetup, SourceSetup } from '../../run/state/context.ts';
import { openFeedHttp, userAgent, type FetchOptions } from '../../run/fetch/fetch-feed.ts';
import { moveSource } from '../../run/state/ledger.ts';
import { makePace } from '../../run/state/pace.ts';
import { watchRuns } from '../../run/state/batches.ts';
import { makePlannedItems } from '../../run/state/planned-items.ts';
import { joinProcesses } from '../../run/state/process.ts';
import type { Io } from '../terminal/io.ts';
import { ownAddresses, refusingOwn } from '../../run/fetch/own-feeds.ts';
import { openState, type OpenDatabase } from './open-database.ts';
import { openParser } from './open-parser.ts';
import { openSites, siteNamed, type OpenSite, type OpenSites } from './open-sites.ts';
import { shareFetches, type SharedFetch } from '../../run/fetch/shared-fetch.ts';
import { feedAddress, sourceSetup } from './source-setup.ts';
import { sourceNamed } from '../terminal/source-named.ts';
import { VERSION } from '../terminal/version.ts';

/** Everything needed for syncing, opened: for the daemon and for commands alike. */
export interface App {
  readonly state: OpenDatabase;
  readonly sites: OpenSites;
  readonly context: RunContext;
  readonly publicUrl: string;
  /** Calls the listener for each wait for a site; returns a function that removes it. */
  readonly onWait: (listener: OnWait) => () => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database, sites and sources of a configuration. If a later part fails, the earlier ones are closed again.
 */
export async function openApp(config: Config, io: Io): Promise<App> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  const log: Logger = createLogger(io.isTerminal && config.logLevel === 'info' ? 'warn' : config.logLevel);
  try {
    const state = await openState(config, io);
    closing.push(state.close);
    const publicUrl = config.builtin.publicUrl || addressOf(config);
    const measures = makeMeasures();
    closing.push(keepMeasures(state.database, measures, log));
    const listeners = new Set<OnWait>();
    const sites = await openSites(config, state.database, publicUrl, io.now, log, measures, (...wait) => {
      for (const listener of listeners) listener(...wait);
    });
    closing.push(sites.close);
    const member = await joinProcesses(state.database);
    closing.push(member.leave);
    const parser = openParser(io);
    closing.push(parser.close);
    const http = openFeedHttp(config.fetch.allowAddresses);
    closing.push(() => http.close());
    const fetching: FetchOptions = {
      http,
      userAgent: userAgent(VERSION, config.fetch.contact),
      files: { base: path.dirname(config.file), directories: config.fetch.allowFiles },
    };
    const fetch = shareFetches(config.sources.map(feedAddress), fetching);
    const isOwn = ownAddresses(publicUrl, config);
    const sources = new Map(
      config.sources.map((source) => [
        source.name,
        setupOf(source, sites, timed(source.ownFeed ? fetch : refusingOwn(fetch, isOwn), measures)),
      ]),
    );
    for (const { name, was } of config.sources)
      if (was) await moveSource(state.database.query(), sourceNamed({ sources }, name).site.key, was, name);
    const onWait: App['onWait'] = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    return {
      state,
      sites,
      publicUrl,
      onWait,
      close,
      context: {
        database: state.database,
        log,
        measures,
        now: io.now,
        member,
        parser: {
          ...parser,
          parse: (input) => measures.time('calsyncd_step_seconds', { step: 'read' }, () => parser.parse(input)),
        },
        sources,
        pace: makePace(),
        planned: makePlannedItems(),
        isBrokenOff: watchRuns(state.database),
        stopping: whenStopped(io),
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const timed =
  (fetch: SharedFetch, measures: Measures): SharedFetch =>
  (...asked) =>
    measures.time('calsyncd_step_seconds', { step: 'fetch' }, () => fetch(...asked));

/** Aborted when the program is asked to stop. */
function whenStopped({ stopped }: Io): AbortSignal {
  const stopping = new AbortController();
  // Every wait adds a listener, and each batch under way may wait.
  setMaxListeners(0, stopping.signal);
  void stopped.then(() => stopping.abort());
  return stopping.signal;
}

/** The program's address on this machine, unless another is configured. */
const addressOf = ({ host, port }: Config): string => `http://${hostInAddress(host)}:${port}`;

function hostInAddress(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function setupOf(source: SourceConfig, sites: OpenSites, fetch: SharedFetch): SourceSetup {
  const site = siteNamed(sites, source.site);
  return sourceSetup(source, siteSetup(site, source.language), site.language, fetch);
}

export const siteSetup = (site: OpenSite, language: string | undefined): SiteSetup => ({
  name: site.name,
  key: site.key,
  host: site.host,
  client: site.client(language),
  requestsInFlight: site.config.requestsInFlight,
  fullEveryMs: site.config.fullEveryMs,
});

/** Opens the program for as long as `work` takes. */
export async function withApp<T>(config: Config, io: Io, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(config, io);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
