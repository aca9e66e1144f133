import type { SiteClient } from '../../client/site-client.ts';
import type { Config, FeedConfig } from '../../config/config.ts';
import type { FeedDefinition } from '../../feeds/definition/definition.ts';
import { databaseExportState } from '../../feeds/content/export-state.ts';
import { databaseContents } from '../../feeds/content/exported-contents.ts';
import type { ExportedSite } from '../../feeds/content/exported-site.ts';
import { makeFeedCatalog, type FeedCatalog } from '../../feeds/pages/feed-catalog.ts';
import { eventFile, handleEventCalendar } from '../../feeds/serve/handle-event-calendar.ts';
import { keptEventFiles } from '../../feeds/serve/kept-event-files.ts';
import { ourKeysOf } from '../../feeds/content/our-keys.ts';
import { makeFeedCache, type FeedCacheOptions } from '../../feeds/serve/feed-cache.ts';
import type { Handle } from '../../web/start-web.ts';
import { feedFreshness } from './feed-freshness.ts';
import { fetchOwn } from './fetch-own.ts';
import type { App } from '../open/open-context.ts';
import type { OpenSite } from '../open/open-sites.ts';

/** A remote site cannot cheaply be checked for changes, so its feeds are rebuilt after this time. */
const REMOTE_FRESH_MS = 15 * 60_000;

/** How long a request waits for a feed that is being rebuilt, if there is an older one. */
const WAIT_MS = 2_000;
// The built-in site is queried in process; requests from outside must not put load on a remote one.
const ON_DEMAND = { builtin: { burst: 3_000, perHour: 40_000 }, remote: { burst: 200, perHour: 600 } };

/** The exported feeds of all sites behind one handler. */
export function openFeeds(app: App): FeedCatalog {
  const { now, log } = app.context;
  const config = app.inForce.config();
  const sites = [...app.sites.sites.values()].map((site) => ({
    name: site.name,
    languages: site.isBuiltin ? config.builtin.languages : [],
    ...makeFeedCache({
      ...exportedSite(app, site),
      ...refreshing(app, site),
      ...(site.isBuiltin && { visitor: app.sites.builtin.visitor() }),
      report: (feed, problems) => {
        for (const { code, message, where } of problems) log.warn({ feed, code, where }, message);
      },
    }),
  }));
  const [first] = app.sites.sites.values();
  // The pages of the built-in site use its first language, whatever language a site entry sends.
  const language = first && !first.isBuiltin ? first.language : (config.builtin.languages[0] ?? 'en');
  return makeFeedCatalog(
    sites,
    config.feeds.map(definitionOf),
    {
      look: {
        title: config.builtin.title,
        publicUrl: app.publicUrl,
        language,
        home: first?.isBuiltin === false ? first.home : undefined,
        brand: app.sites.builtin.settings.brand,
        logo: app.sites.builtin.settings.logo,
        suggestions: app.sites.builtin.settings.suggestions,
      },
      freshness: feedFreshness(app),
      ...([...app.sites.sites.values()].some(({ isBuiltin }) => isBuiltin) && {
        sitemap: `${app.publicUrl}/sitemap.xml`,
      }),
    },
    now,
    fetchOwn,
  );
}

/** Handles `/event/{slug}.ics` for the named site or, without one, the first site that has the event. */
export function eventCalendars(app: App): Handle {
  const {
    sites,
    context: { now },
  } = app;
  const all = [...sites.sites.values()];
  const remote = all
    .filter(({ isBuiltin }) => !isBuiltin)
    .map((site) => {
      const { contents: _contents, ...parts } = exportedSite(app, site);
      return { names: [site.name], read: keptEventFiles({ ...parts, ...refreshing(app, site) }) };
    });
  const builtin = builtinParts(app);
  // The built-in site is asked first, so that no other site learns about its visitors.
  const readers = [
    {
      names: all.filter(({ isBuiltin }) => isBuiltin).map(({ name }) => name),
      read: (slug: string) => eventFile(builtin, slug, now()),
    },
    ...remote,
  ];
  return (request) =>
    handleEventCalendar(async (slug, named) => {
      for (const { names, read } of readers) {
        const isMeant = named === undefined ? names.length > 0 : names.includes(named);
        const file = isMeant ? await read(slug) : undefined;
        if (file) return file;
      }
      return undefined;
    }, request);
}

/** The built-in site, even if several entries of the configuration write to it. */
function builtinParts({ sites, state, inForce, publicUrl }: App): ExportedSite {
  const names = [...sites.sites.values()].flatMap(({ name, isBuiltin }) => (isBuiltin ? [name] : []));
  return {
    client: sites.builtin.client(undefined),
    ourKeys: ourKeysOf(state.database, 'builtin', () => names.flatMap((name) => sourcesOf(inForce.config(), name))),
    state: databaseExportState(state.database, 'builtin'),
    host: sites.identity,
    publicUrl,
    home: `${publicUrl}/`,
  };
}

/** When the feeds of a site are rebuilt, and how many requests that may cause. */
const refreshing = (
  { context: { now }, sites: { builtin } }: App,
  { isBuiltin }: OpenSite,
): Pick<FeedCacheOptions, 'now' | 'waitMs' | 'onDemand' | 'revision'> => ({
  now,
  waitMs: WAIT_MS,
  onDemand: isBuiltin ? ON_DEMAND.builtin : ON_DEMAND.remote,
  revision: isBuiltin ? builtin.revision : () => String(Math.floor(now() / REMOTE_FRESH_MS)),
});

/** The current and former names of a site's sources. */
const sourcesOf = (config: Config, site: string): readonly string[] =>
  config.sources
    .filter((source) => source.site === site)
    .flatMap(({ name, was }) => (was === undefined ? [name] : [name, was]));

/** What the export of a site is made from. */
export function exportedSite({ state, inForce, publicUrl }: App, site: OpenSite): ExportedSite {
  const inLanguages = new Map<string, SiteClient>();
  const clientIn = (language: string): SiteClient => {
    const client = inLanguages.get(language) ?? site.client(language);
    inLanguages.set(language, client);
    return client;
  };
  return {
    client: site.client(),
    clientIn,
    language: site.language,
    ourKeys: ourKeysOf(state.database, site.key, () => sourcesOf(inForce.config(), site.name)),
    state: databaseExportState(state.database, site.key),
    contents: databaseContents(state.database, site.key),
    host: site.host,
    publicUrl,
    home: site.home,
  };
}

/** The configured feeds of a site, in the form used by exports. */
export const definitionsOf = (config: Config, site: OpenSite): readonly FeedDefinition[] =>
  config.feeds.filter((feed) => feed.site === site.name).map(definitionOf);

const definitionOf = ({ window, access, ...rest }: FeedConfig): FeedDefinition => ({
  ...rest,
  ...(window && { window }),
  ...(access && { access }),
});
