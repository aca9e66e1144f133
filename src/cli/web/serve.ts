import type { ConfigStore } from '../../config/change/config-store.ts';
import { sameValue } from '../../config/change/same-value.ts';
import type { Config } from '../../config/config.ts';
import { networkGuard } from '../../client/address-guard.ts';
import { watchDatabase } from '../../db/pulse.ts';
import { isPassing } from '../../db/wait.ts';
import { AppError } from '../../error.ts';
import type { Engine } from '../../operator/frame/operator.ts';
import type { MetricsHandle } from '../../operator/metrics/handle-metrics.ts';
import type { OwnQueue } from '../../queue/own-queue.ts';
import { handleFeedsUnasked } from '../../feeds/handle-feeds.ts';
import type { FeedCatalog } from '../../feeds/pages/feed-catalog.ts';
import { makeQrCodes } from '../../look/qr.ts';
import { startWeb, type Handle, type HandleMeanwhile, type Outage, type Route, type Web } from '../../web/start-web.ts';
import { throttledFeeds } from './throttled-feeds.ts';
import { builtinWeb, type BuiltinWeb } from './builtin-web.ts';
import { eventSources } from './event-sources.ts';
import { eventOrigins } from './event-origins.ts';
import type { Builtin } from '../open/open-builtin.ts';
import type { App } from '../open/open-context.ts';
import type { OpenSite } from '../open/open-sites.ts';
import { VERSION } from '../terminal/version.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import { noticeOf } from './notice-feeds.ts';
import { operatorConsole } from './operator-console.ts';
import { eventCalendars, openFeeds } from './open-feeds.ts';
import { probes } from './probes.ts';
import { publisherRoutes } from './publisher-pages.ts';
import { reviewRoutes } from './review-pages.ts';

/**
 * Serves the feeds, the console, probes and, if it is used, the built-in site on one port, always according to the
 * configuration in force. While the database is unavailable, everything answers 503 immediately, except the probes and,
 * for a few minutes, public feeds that were up to date before.
 */
export async function serve(
  app: App,
  engine: Engine,
  configFile: ConfigStore,
  { queue, syncs }: ServedQueue,
): Promise<Web> {
  const { log } = app.context;
  const { host, port } = app.inForce.config();
  let served = servedOf(app, engine);
  app.inForce.onTake(async () => {
    served = servedOf(app, engine, served);
    return 'all';
  });
  const feed: Handle = (request, peer) => served.feed(request, peer);
  const unasked: HandleMeanwhile = (request) => handleFeedsUnasked(served.feeds, request);
  const probe = probes(app.state.database, syncs ? queue : undefined);
  const built =
    (part: keyof BuiltinParts): Handle =>
    (request, peer, isAwaited) =>
      served.site[part](request, peer, isAwaited);
  const operator = operatorConsole(app, engine, configFile);
  const routes: readonly Route[] = [
    ['/feeds', feed],
    ['/feeds/*', feed, unasked],
    ['/robots.txt', feed],
    ['/qr/*', (request, peer) => served.qr(request, peer)],
    ['/healthz', probe, 'always'],
    ['/readyz', probe, 'always'],
    ['/metrics', metricsOf(app, queue), 'always'],
    [/^\/event\/[^/]+\.ics$/, (request, peer) => served.event(request, peer)],
    ...publisherRoutes(app),
    ...reviewRoutes(app, engine),
    ...operator.routes,
    ['/api', built('api')],
    ['/api/*', built('api')],
    ['/authorize', built('authorize')],
    ['/authorize/*', built('authorize')],
    ['/edit', built('edit')],
    ['/edit/*', built('edit')],
    ['/suggest', built('suggest')],
    ['/suggest/*', built('suggest')],
    ['/media/*', built('media')],
    ['/assets/*', (request, peer) => served.web.assets(request, peer), 'always'],
    ['/favicon.ico', (request, peer) => served.web.assets(request, peer), 'always'],
    ['*', built('pages')],
  ];
  const pulse = watchDatabase(app.state.address, (away) => {
    if (away) log.error({ error: away.message }, 'the database does not answer; requests are asked to try again later');
    else log.info('the database answers again');
  });
  const notice = noticeOf({ notice: () => served.feeds.notice() }, isCause, log);
  const noticing = setInterval(() => void notice(), NOTICE_EVERY_MS);
  const stop = (): Promise<void> => {
    clearInterval(noticing);
    return pulse.stop();
  };
  try {
    const outage: Outage = {
      isAway: pulse.isAway,
      onAway: pulse.onAway,
      isCause,
      answer: (request) => served.web.unavailable(request),
    };
    const isTrusted = (address: string): boolean => {
      const { trustedProxies } = app.inForce.config().operator;
      return trustedProxies.length > 0 && networkGuard(trustedProxies)(address);
    };
    const web = await startWeb({ host, port }, routes, log, { outage, isTrusted });
    const close = async (): Promise<void> => {
      // The server would not close while a stream is open.
      await operator.close().finally(() => web.close());
    };
    return { url: web.url, close: () => close().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The queue of this process, and whether it takes jobs. */
interface ServedQueue {
  readonly queue: OwnQueue;
  readonly syncs: boolean;
}

/** `/metrics`. Its modules are loaded with the first scrape. */
function metricsOf(app: App, queue: OwnQueue): Handle {
  let made: Promise<MetricsHandle> | undefined;
  const make = async (): Promise<MetricsHandle> => {
    const { makeMetrics } = await import('../../operator/metrics/make-metrics.ts');
    return makeMetrics({
      context: app.context,
      watched: () => watchedSources(app.inForce.config()),
      jobs: queue.jobs,
      settings: () => {
        const { token, perSource } = app.inForce.config().metrics;
        return { token: token?.reveal(), ownHost: new URL(app.publicUrl).hostname, perSource };
      },
      version: VERSION,
    });
  };
  return async (request, peer) => (await (made ??= make()))(request, peer);
}

const NOTICE_EVERY_MS = 1_000;

/** Whether an error is one that parts of the program throw while the database is unavailable. */
const isCause = (error: unknown): boolean =>
  isPassing(error) || (error instanceof AppError && error.code === 'site-unavailable');

const hasBuiltin = ({ sites: { sites } }: App): boolean => [...sites.values()].some(({ isBuiltin }) => isBuiltin);

type BuiltinParts = Record<'api' | 'authorize' | 'edit' | 'media' | 'pages' | 'suggest', Handle>;

/** What is served under one configuration. */
interface Served {
  readonly config: Config;
  readonly sites: readonly OpenSite[];
  readonly builtin: Builtin;
  readonly feeds: FeedCatalog;
  readonly feed: Handle;
  readonly event: Handle;
  readonly qr: Handle;
  readonly web: BuiltinWeb;
  /** The built-in site; if it is not used, each part says where the others are. */
  readonly site: BuiltinParts;
}

/**
 * What is served under the configuration in force. Parts whose settings have not changed are kept, because replacing
 * them would lose what they have cached for visitors.
 */
function servedOf(app: App, engine: Engine, before?: Served): Served {
  const config = app.inForce.config();
  const { builtin } = app.sites;
  const sites = [...app.sites.sites.values()];
  const isSameWeb = before?.builtin === builtin;
  const isSameSites = isSameWeb && sameValue(before.sites, sites);
  if (isSameSites && sameValue(before.config.feeds, config.feeds)) return { ...before, config };
  const web = isSameWeb
    ? before.web
    : builtinWeb(
        builtin,
        app.state.database,
        app.context.now,
        (db) => eventOrigins(db, app.inForce.config),
        eventSources(app, engine),
      );
  const feeds = openFeeds(app);
  const nothing = elsewhere(app);
  return {
    config,
    sites,
    builtin,
    feeds,
    feed: throttledFeeds(feeds),
    event: eventCalendars(app),
    qr: makeQrCodes(app.publicUrl),
    web,
    site: hasBuiltin(app)
      ? web
      : { api: nothing, authorize: nothing, edit: nothing, media: nothing, pages: nothing, suggest: nothing },
  };
}

/** If all sites are remote, there are only feeds to see here. */
function elsewhere({ sites: { sites }, publicUrl }: App): Handle {
  const homes = [...sites.values()].map(({ home }) => home).join(' and ');
  const nothing = `There is no page here. The calendar is at ${homes}, and its feeds are at ${publicUrl}/feeds/.\n`;
  return async (request) =>
    new URL(request.url).pathname === '/'
      ? new Response(null, { status: 302, headers: { location: `${publicUrl}/feeds/` } })
      : new Response(nothing, { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
