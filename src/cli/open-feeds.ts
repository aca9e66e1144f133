import type { Config, FeedConfig } from '../config/config.ts';
import type { FeedSite } from '../feeds/build-feed.ts';
import type { FeedDefinition } from '../feeds/definition.ts';
import { databaseExportState } from '../feeds/export-state.ts';
import { makeFeeds, type Feeds } from '../feeds/feeds.ts';
import { handleEventCalendar } from '../feeds/handle-event-calendar.ts';
import { ourKeysOf } from '../feeds/our-keys.ts';
import type { Handle } from '../web.ts';
import type { App } from './open-context.ts';
import type { OpenSite } from './open-sites.ts';

/** A remote site cannot say cheaply that it has changed: its feeds are made anew after this time. */
const REMOTE_FRESH_MS = 15 * 60_000;

/** The exported feeds of all sites behind one door. */
export function openFeeds(config: Config, app: App): Feeds {
  const bySite = [...app.sites.sites.values()].map((site) => makeFeeds({
    ...feedSite(config, app, site), definitions: definitionsOf(config, site), now: app.context.now, staleMax: 0,
    revision: site.isBuiltin ? app.sites.builtin.revision : () => String(Math.floor(app.context.now() / REMOTE_FRESH_MS)),
    report: (feed, problems) => { for (const { code, message, where } of problems) app.context.log.warn({ feed, code, where }, message); },
  }));
  const of = (id: string): Feeds | undefined => bySite.find(({ definitions }) => definitions.some((definition) => definition.id === id));
  return {
    definitions: bySite.flatMap(({ definitions }) => definitions), publicUrl: app.publicUrl,
    feed: async (id) => of(id)?.feed(id), latest: (id) => of(id)?.latest(id),
  };
}

/** `/event/{slug}.ics` of the built-in site. */
export function eventCalendars(config: Config, { sites, state, publicUrl, context }: App): Handle {
  const { client, settings } = sites.builtin;
  const sources = config.sources.filter(({ site }) => sites.sites.get(site)?.isBuiltin).map(({ name }) => name);
  const site: FeedSite = { client: client(undefined), ourKeys: ourKeysOf(state.database, 'builtin', sources), state: databaseExportState(state.database, 'builtin'), host: new URL(settings.publicUrl).host, publicUrl };
  return (request) => handleEventCalendar(site, request, context.now());
}

/** What an export of a site is made of. */
export function feedSite(config: Config, { state, publicUrl }: App, site: OpenSite): FeedSite {
  const sources = config.sources.filter((source) => source.site === site.name).flatMap(({ name, was }) => (was === undefined ? [name] : [name, was]));
  return { client: site.client(), ourKeys: ourKeysOf(state.database, site.key, sources), state: databaseExportState(state.database, site.key), host: site.host, publicUrl };
}

/** The configured feeds of a site as the exports know them. */
export const definitionsOf = (config: Config, site: OpenSite): readonly FeedDefinition[] =>
  config.feeds.filter((feed) => feed.site === site.name).map(definitionOf);

function definitionOf({ site: _site, ...feed }: FeedConfig): FeedDefinition {
  const { window, ...rest } = feed;
  return { ...rest, ...(window === undefined ? {} : { window }) };
}
