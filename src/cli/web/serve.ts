import type { Config } from '../../config/config.ts';
import { feelPulse } from '../../db/pulse.ts';
import { isPassing } from '../../db/wait.ts';
import { AppError } from '../../error.ts';
import type { Engine } from '../../operator/frame/operator.ts';
import type { MetricsHandle } from '../../operator/metrics/handle-metrics.ts';
import type { OwnQueue } from '../../queue/own-queue.ts';
import { handleFeedsUnasked } from '../../feeds/handle-feeds.ts';
import { startWeb, type Handle, type HandleMeanwhile, type Route, type Web } from '../../web.ts';
import { throttledFeeds } from './throttled-feeds.ts';
import { builtinWeb, type BuiltinWeb } from './builtin-web.ts';
import type { App } from '../open/open-context.ts';
import { VERSION } from '../terminal/version.ts';
import { noticeOf } from './notice-feeds.ts';
import { operatorRoutes } from './operator-console.ts';
import { eventCalendars, openFeeds } from './open-feeds.ts';
import { probes } from './probes.ts';

/**
 * Serves the feeds, the console and probes on one port, and the built-in site if it is used. While the database is unavailable,
 * everything answers 503 at once, except the probes and, for a few minutes, public feeds that were right before.
 */
export async function serve(config: Config, app: App, engine: Engine, { queue, syncs }: ServedQueue): Promise<Web> {
  const { log } = app.context;
  const feeds = openFeeds(config, app);
  const feed = throttledFeeds(feeds);
  const unasked: HandleMeanwhile = (request) => handleFeedsUnasked(feeds, request);
  const probe = probes(app.state.database, syncs ? queue : undefined);
  const site = builtinWeb(app.sites.builtin, app.state.database, app.context.now);
  const routes: readonly Route[] = [
    ['/feeds', feed],
    ['/feeds/*', feed, unasked],
    ['/robots.txt', feed],
    ['/healthz', probe, 'always'],
    ['/readyz', probe, 'always'],
    ['/metrics', metricsOf(config, app, queue), 'always'],
    [String.raw`/event/:file{[^/]+\.ics}`, eventCalendars(config, app)],
    ...operatorRoutes(config, app, engine),
    ...(hasBuiltin(app) ? builtinRoutes(site) : [['*', elsewhere(app)] as const]),
  ];
  const pulse = feelPulse(app.state.address, (away) => {
    if (away) log.error({ error: away.message }, 'the database does not answer; requests are told to try again later');
    else log.info('the database answers again');
  });
  const notice = noticeOf(feeds, isCause, log);
  const noticing = setInterval(() => void notice(), NOTICE_EVERY_MS);
  const stop = (): Promise<void> => {
    clearInterval(noticing);
    return pulse.stop();
  };
  try {
    const web = await startWeb({ host: config.host, port: config.port }, routes, log, {
      isAway: pulse.isAway,
      onAway: pulse.onAway,
      isCause,
      answer: site.unavailable,
    });
    return { url: web.url, close: () => web.close().finally(stop) };
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

/** `/metrics`, of which nothing is loaded before the first scrape. */
function metricsOf(config: Config, app: App, queue: OwnQueue): Handle {
  let made: Promise<MetricsHandle> | undefined;
  const make = async (): Promise<MetricsHandle> => {
    const { makeMetrics } = await import('../../operator/metrics/make-metrics.ts');
    const { token, perSource } = config.metrics;
    return makeMetrics({
      context: app.context,
      jobs: queue.jobs,
      settings: () => ({ token: token?.reveal(), perSource }),
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

const builtinRoutes = ({ api, authorize, media, pages }: BuiltinWeb): readonly Route[] => [
  ['/api', api],
  ['/api/*', api],
  ['/authorize', authorize],
  ['/authorize/*', authorize],
  ['/media/*', media],
  ['*', pages],
];

/** If all sites are remote, there are only feeds to see here. */
function elsewhere({ sites: { sites }, publicUrl }: App): Handle {
  const homes = [...sites.values()].map(({ home }) => home).join(' and ');
  const nothing = `There is no page here. The calendar is at ${homes}, and its feeds are at ${publicUrl}/feeds/.\n`;
  return async (request) =>
    new URL(request.url).pathname === '/'
      ? new Response(null, { status: 302, headers: { location: `${publicUrl}/feeds/` } })
      : new Response(nothing, { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
