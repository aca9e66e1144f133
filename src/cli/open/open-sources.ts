import path from 'node:path';
import type { OnRead } from '../../client/site-client.ts';
import { sameValue } from '../../config/change/same-value.ts';
import type { Config, SourceConfig } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import type { Measures } from '../../measures.ts';
import { bodyLimits, openFeedHttp, userAgent, type FeedHttp, type FetchOptions } from '../../run/fetch/fetch-feed.ts';
import { ownAddresses, refusingOwn } from '../../run/fetch/own-feeds.ts';
import { shareFetches, type SharedFetch } from '../../run/fetch/shared-fetch.ts';
import { formerNames, moveToName } from '../../run/site/former-names.ts';
import type { SiteSetup, SourceSetup } from '../../run/state/context.ts';
import { leaseOf } from '../../run/state/lease.ts';
import { VERSION } from '../terminal/version.ts';
import { siteNamed, type OpenSite, type OpenSites } from './open-sites.ts';
import { feedAddress, sourceSetup } from './source-setup.ts';

/** The sources of the configuration in force, ready to be read. */
export interface OpenSources {
  /** By name, in the order of the file. */
  readonly sources: ReadonlyMap<string, SourceSetup>;
  /** The setups of a source for sites that it has left. Runs that began there finish there. */
  readonly former: (source: string) => readonly SourceSetup[];
  /**
   * Brings the sources in line with a configuration. `part` means that a renamed source keeps its former name until its
   * run has ended.
   */
  readonly take: (config: Config, sites: OpenSites, publicUrl: string) => Promise<'all' | 'part'>;
  readonly close: () => Promise<void>;
}

/** Has no sources before the first `take`. With `looksOnly`, nothing is moved to renamed sources. */
export function openSources(database: Database, measures: Measures, onRead: OnRead, looksOnly: boolean): OpenSources {
  const sources = new Map<string, SourceSetup>();
  const former = new Map<string, readonly SourceSetup[]>();
  let moved: ReadonlySet<string> = new Set();
  const fetching = openFetching(measures, onRead);
  /** Moves a renamed source's data to its new name; false while a run is using it. */
  const move = async (name: string, was: string, site: string): Promise<boolean> => {
    if (moved.has(moveOf(name, was, site))) return true;
    if (sources.has(was) && (await leaseOf(database, site, was))) return false;
    await moveToName(database.query(), site, was, name);
    return true;
  };
  return {
    sources,
    former: (source) => former.get(source) ?? [],
    take: async (config, sites, publicUrl) => {
      const next = new Map<string, SourceSetup>();
      const movedNow = new Set<string>();
      let isPart = false;
      const fetchFor = fetching.of(config, publicUrl);
      const namesBefore = looksOnly ? () => [] : await formerNamesOf(database, config, sites);
      for (const source of config.sources) {
        const { name } = source;
        const site = siteNamed(sites, source.site);
        let waiting: SourceSetup | undefined;
        for (const was of namesBefore(name)) {
          if (await move(name, was, site.key)) movedNow.add(moveOf(name, was, site.key));
          else waiting = sources.get(was);
        }
        if (waiting) isPart = true;
        next.set(waiting?.name ?? name, waiting ?? setupOf(source, site, fetchFor(source)));
      }
      moved = movedNow;
      for (const [name, setup] of sources) keepFormer(former, name, setup, next.get(name));
      // The map itself stays, because others hold a reference.
      sources.clear();
      for (const [name, setup] of next) sources.set(name, setup);
      return isPart ? 'part' : 'all';
    },
    close: fetching.close,
  };
}

const formerNamesOf = (
  database: Database,
  config: Config,
  sites: OpenSites,
): Promise<(source: string) => readonly string[]> =>
  formerNames(
    database.query(),
    config.sources.map(({ name, site, was }) => ({
      site: siteNamed(sites, site).key,
      source: name,
      names: [name, ...(was === undefined ? [] : [was])],
    })),
  );

const moveOf = (name: string, was: string, site: string): string => JSON.stringify([site, was, name]);

/** Keeps a setup that has no successor, or whose successor has another site. */
function keepFormer(
  former: Map<string, readonly SourceSetup[]>,
  name: string,
  setup: SourceSetup,
  next: SourceSetup | undefined,
): void {
  if (next?.site.key === setup.site.key) return;
  const others = (former.get(name) ?? []).filter(({ site }) => site.key !== setup.site.key);
  former.set(name, [...others, setup]);
}

/** How sources fetch their feeds; sources with the same address share one fetch. */
function openFetching(
  measures: Measures,
  onRead: OnRead,
): {
  readonly of: (config: Config, publicUrl: string) => (source: SourceConfig) => SharedFetch;
  readonly close: () => Promise<void>;
} {
  // Former clients stay open until the end, because a run may still use them.
  const opened: { readonly settings: Config['fetch']; readonly http: FeedHttp }[] = [];
  const httpFor = (settings: Config['fetch']): FeedHttp => {
    const known = opened.find((each) => sameValue(each.settings, settings));
    if (known) return known.http;
    const http = openFeedHttp(settings.allowAddresses);
    opened.push({ settings, http });
    return http;
  };
  return {
    of: (config, publicUrl) => {
      const options: FetchOptions = {
        http: httpFor(config.fetch),
        userAgent: userAgent(VERSION, config.fetch.contact),
        files: { base: path.dirname(config.file), directories: config.fetch.allowFiles },
        limits: bodyLimits(config.fetch.bytesMax),
        onRead,
      };
      const shared = shareFetches(config.sources.map(feedAddress), options);
      const others = timed(refusingOwn(shared, ownAddresses(publicUrl, config)), measures);
      const all = timed(shared, measures);
      return ({ ownFeed }) => (ownFeed ? all : others);
    },
    close: async () => {
      for (const { http } of opened.splice(0)) await http.close();
    },
  };
}

const timed =
  (fetch: SharedFetch, measures: Measures): SharedFetch =>
  (...asked) =>
    measures.time('calsyncd_step_seconds', { step: 'fetch' }, () => fetch(...asked));

const setupOf = (source: SourceConfig, site: OpenSite, fetch: SharedFetch): SourceSetup =>
  sourceSetup(source, siteSetup(site, source.language), site.language, fetch);

export const siteSetup = (site: OpenSite, language: string | undefined): SiteSetup => ({
  name: site.name,
  key: site.key,
  host: site.host,
  client: site.client(language),
  requestsInFlight: site.config.requestsInFlight,
  fullEveryMs: site.config.fullEveryMs,
});
