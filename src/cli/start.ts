import type { Command } from 'commander';
import { openHttp } from '../client/http.ts';
import type { Config } from '../config/config.ts';
import { openBackend, type Backend } from '../queue/backend.ts';
import { keepSchedules, schedule } from '../queue/schedulers.ts';
import { startWorkers, type Workers } from '../queue/workers.ts';
import { STARTS_TOGETHER_MS, SYNC_QUEUE } from '../queue/jobs.ts';
import { alertFor, failuresBefore } from '../run/alert.ts';
import { formerSources } from '../run/forget-source.ts';
import { sendAlert } from '../run/send-alert.ts';
import type { Report } from '../sync/plan.ts';
import { claimPort, startWeb, type Web } from '../web.ts';
import { makeFirstAdministrator } from '../site/authorize/accounts.ts';
import type { SiteTables } from '../site/tables.ts';
import { brakedFeeds } from './braked-feeds.ts';
import { addCommand, type Call, type Run } from './command.ts';
import { EXIT, type ExitCode } from './io.ts';
import { keepHouse } from './housekeeping.ts';
import { openApp, type App } from './open-context.ts';
import { eventCalendars, openFeeds } from './open-feeds.ts';
import { namingOwner } from './port-owner.ts';
import { probes } from './probes.ts';
import { tellStart } from './tell-start.ts';
import { watchFirstRuns } from './watch-first-runs.ts';
import { WrongUse } from './wrong-use.ts';

const ROLES = ['all', 'web', 'worker'];

/** `start [--role all|web|worker]`: the daemon. */
export const addStart = (program: Command, run: Run): void => addCommand(program, run, {
  usage: 'start',
  stopsItself: true,
  description: 'the daemon: schedules, syncs, serves the site and the feeds until it is told to stop',
  options: [['--role <role>', 'all, web (serves only) or worker (syncs only)', 'all']],
  act: start,
});

async function start(call: Call): Promise<ExitCode> {
  const { io, options } = call;
  const role = String(options['role']);
  if (!ROLES.includes(role)) throw new WrongUse(`There is no role "${role}": it is all, web or worker.`);
  const config = role === 'worker' ? call.config : { ...call.config, port: await freePort(call.config) };
  const closing: (() => Promise<void>)[] = [];
  try {
    const app = await openApp(config, io);
    closing.push(app.close);
    closing.push(keepHouse(app));
    await nameFormerSources(call, app);
    const web = role === 'worker' ? undefined : await serve(config, app);
    if (web) closing.push(web.close);
    const administrator = web && [...app.sites.sites.values()].some(({ isBuiltin }) => isBuiltin) ? await makeFirstAdministrator(app.state.database.query<SiteTables>()) : undefined;
    const told = tellStart(call, app.publicUrl, role === 'web' ? [] : config.sources.map(({ name }) => name), web !== undefined, administrator);
    if (role !== 'web') closing.push(await work(config, app, told.report));
    await io.stopped;
    io.err('Stopping: finishing what is under way …\n');
    return EXIT.done;
  } finally {
    await closeAll(closing.toReversed());
  }
}

const freePort = (config: Config): Promise<number> => claimPort(config).catch((error: unknown) => { throw namingOwner(error, config.port); });

/** Sources that were taken out of the configuration keep their events: whoever starts the program is told. */
async function nameFormerSources({ io }: Call, { context }: App): Promise<void> {
  for (const { source, site, kept } of await formerSources(context)) {
    if (kept > 0) io.err(`Note: the source "${source}" is not in the configuration any more; its ${kept} ${kept === 1 ? 'event stays' : 'events stay'} on ${site}. "npm run -s calsyncd -- forget ${source}" drops it, with --trash its events, too.\n`);
  }
}

/** One that fails does not keep the next from closing: the database comes last. */
async function closeAll([first, ...rest]: readonly (() => Promise<void>)[]): Promise<void> {
  if (first) await first().finally(() => closeAll(rest));
}

/** The site, the feeds and the probes on one port. */
function serve(config: Config, app: App): Promise<Web> {
  const feeds = openFeeds(config, app);
  const { builtin } = app.sites;
  const feed = brakedFeeds(feeds);
  const probe = probes(app.state.database);
  return startWeb({ host: config.host, port: config.port }, [
    ['/api', builtin.api], ['/api/*', builtin.api], ['/authorize', builtin.authorize], ['/authorize/*', builtin.authorize], ['/feeds', feed], ['/feeds/*', feed], ['/robots.txt', feed],
    ['/media/*', builtin.media], ['/healthz', probe], ['/readyz', probe],
    [String.raw`/event/:file{[^/]+\.ics}`, eventCalendars(config, app)], ['*', builtin.pages],
  ], app.context.log);
}

/** Schedules and workers. Gives what stops them. */
async function work(config: Config, app: App, tell: (report: Report) => void): Promise<() => Promise<void>> {
  const { log } = app.context;
  const begun = app.context.now();
  const sites = Object.values(config.sites);
  const backend = await openBackend(config.redisUrl ? { redisUrl: config.redisUrl.reveal() } : { database: app.state.address }, sites.length + 2, log);
  try {
    const workers = await startWorkers(app.context, backend, sites.map(({ name, requestsInFlight }) => ({ site: name, inFlight: requestsInFlight })), onReport(config, app, tell));
    const queue = await backend.queue(SYNC_QUEUE);
    const schedules = config.sources.map(({ name, schedule: when }) => ({ source: name, ...when }));
    await schedule(queue, schedules);
    for (const { name } of config.sources) await workers.request(name, 'start');
    const endings = [keepSchedules(queue, schedules, log), watchFirstRuns(app.context, tell, begun - STARTS_TOGETHER_MS)];
    return async () => {
      for (const end of endings) end();
      await stop(workers, backend);
    };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

async function stop(workers: Workers, backend: Backend): Promise<void> {
  await workers.close();
  await backend.close();
}

function onReport(config: Config, { context }: App, tell: (report: Report) => void): (report: Report) => void {
  const webhook = config.alerts.webhook?.reveal();
  return (report) => {
    const { problems, ...facts } = report;
    context.log.info({ ...facts, problems: problems.length }, 'a run has ended');
    tell(report);
    if (webhook !== undefined) alert(context, report, webhook).catch((error: unknown) => context.log.error({ run: report.run, error }, 'the alert could not be sent'));
  };
}

async function alert({ database, log }: App['context'], report: Report, webhook: string): Promise<void> {
  const told = alertFor(report, await failuresBefore(database.query(), report));
  if (!told) return;
  const http = openHttp({ connectionsPerHost: 1, connectTimeoutMs: 5_000, headersTimeoutMs: 10_000, idleTimeoutMs: 10_000 });
  const refused = await sendAlert(http, new URL(webhook), told);
  if (refused !== undefined) log.error({ run: report.run, reason: refused }, 'the alert webhook did not take the alert');
  await http.close();
}
