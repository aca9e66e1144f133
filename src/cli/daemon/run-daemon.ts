import type { Config } from '../../config/config.ts';
import { makeOwnQueue, type OwnQueue } from '../../queue/own-queue.ts';
import { keepSchedules, schedule } from '../../queue/schedulers.ts';
import { startWorkers } from '../../queue/workers.ts';
import { STARTS_TOGETHER_MS, SYNC_QUEUE } from '../../queue/jobs.ts';
import { forgetFetchTimes } from '../../run/state/fetch-times.ts';
import { formerSources } from '../../run/decisions/forget-source.ts';
import { leftRunInWords, runsToLeave } from '../../run/steps/take-over.ts';
import { countRun } from '../../operator/metrics/count-run.ts';
import type { Report } from '../../sync/model/plan.ts';
import { beginVersion } from '../terminal/whats-new.ts';
import { canAnybodySignIn, makeFirstAdministrator, type NewAccount } from '../../site/authorize/accounts.ts';
import { openAlerts, type Alerts } from '../open/alerts.ts';
import { EXIT, type ExitCode } from '../terminal/io.ts';
import { runHousekeeping } from '../open/housekeeping.ts';
import { scheduleBackups } from '../backups/scheduled-backups.ts';
import { openApp, type App } from '../open/open-context.ts';
import { openEngine, type OpenEngine } from '../web/open-engine.ts';
import { serve } from '../web/serve.ts';
import { firstScreen, tellFirstRuns, type Part } from '../open/tell-start.ts';
import { watchRepeatedly, openReload, type Reload } from '../reload/open-reload.ts';
import { limitsOf, rescheduling, schedulesOf } from '../open/rescheduling.ts';
import { watchFirstRuns } from '../open/watch-first-runs.ts';
import { countInWords } from '../../count-in-words.ts';
import type { Call } from '../terminal/command.ts';
import type { OpenDatabase } from '../open/open-database.ts';
import { closeUnlessSilent, type Closing } from './closing.ts';

/**
 * Runs the daemon until it is told to stop: schedules and syncs, serves the site and the feeds, or only one of the two.
 * `opening` is its database, which may still be starting. Throws AppError.
 */
export async function runDaemon(
  call: Call,
  config: Config,
  part: Part,
  opening: Promise<OpenDatabase>,
): Promise<ExitCode> {
  const { io, options } = call;
  const closing: Closing[] = [];
  let app: App | undefined;
  try {
    app = await openApp(config, io, opening);
    closing.push({ what: 'the database', close: app.close });
    closing.push({ what: 'housekeeping', close: runHousekeeping(app) });
    if (part.syncs) closing.push({ what: 'backups', close: scheduleBackups(app) });
    await beginVersion(app.state.database.query(), io);
    await nameFormerSources(call, app);
    for (const left of await runsToLeave(app.context)) io.err(`Note: ${leftRunInWords(left)}\n`);
    const queue = queueOf(app);
    closing.push({ what: 'the queue', close: queue.close });
    // Connects while the site is opened; a failure is reported where the queue is needed.
    if (part.syncs) queue.backend().catch(() => undefined);
    const alerts = openAlerts(app);
    closing.push({ what: 'alerts', close: alerts.close });
    const engine = openEngine(app.context, queue, part.syncs);
    const reload = openReload(app, { ...call.file, config: call.config });
    closing.push({ what: 'the watch over the configuration file', close: await watchConfig(call, app, reload) });
    const web = part.serves ? await serve(app, engine, reload, { queue, ...part }) : undefined;
    if (web) closing.push({ what: 'answers to requests', close: web.close });
    const administrator = await firstAdministrator(app, part);
    if (!options.json)
      io.out(
        firstScreen(config, { sites: [...app.sites.sites.values()], publicUrl: app.publicUrl }, part, administrator),
      );
    const tell = tellFirstRuns(call, app.publicUrl, part, administrator === 'missing' ? undefined : administrator);
    if (part.syncs)
      closing.push({ what: 'runs', close: await work(app, { engine, queue }, tell, onReport(app, alerts, tell)) });
    await io.stopped;
    io.err('Stopping: finishing what is under way …\n');
    return EXIT.done;
  } finally {
    await closeUnlessSilent(closing.toReversed(), app);
  }
}

/** Watches the configuration file and applies its changes; returns a function that stops this. */
async function watchConfig({ io }: Call, app: App, reload: Reload): Promise<() => Promise<void>> {
  const end = await watchRepeatedly(reload);
  const unlisten = io.onReload?.(() => {
    reload
      .load()
      .catch((error: unknown) => app.context.log.error({ error }, 'the configuration could not be read again'));
  });
  return async () => {
    unlisten?.();
    end();
  };
}

/**
 * If nobody can sign in to the console and the built-in site, creates an administrator and shows the password. With
 * separate processes, the output goes to a supervisor's log, where no password belongs, so only the command to create
 * one is shown.
 */
async function firstAdministrator(app: App, { serves, syncs }: Part): Promise<NewAccount | 'missing' | undefined> {
  if (!serves) return undefined;
  const db = app.state.database.query();
  if (syncs) return makeFirstAdministrator(db);
  return (await canAnybodySignIn(db)) ? undefined : 'missing';
}

/** Reports sources that were removed from the configuration but still have events. */
async function nameFormerSources({ io }: Call, { context }: App): Promise<void> {
  for (const { source, site, kept } of await formerSources(context)) {
    if (kept > 0)
      io.err(
        `Note: the source "${source}" is no longer in the configuration; ` +
          `its ${countInWords(kept, 'event stays', 'events stay')} on ${site}. ` +
          `"npm run -s calsyncd -- forget ${source}" drops it, with --trash its events as well.\n`,
      );
  }
}

/** Starts schedules and workers. Returns a function that stops them. */
async function work(
  app: App,
  { engine, queue: own }: { readonly engine: OpenEngine; readonly queue: OwnQueue },
  tell: (report: Report) => void,
  report: (report: Report) => void,
): Promise<() => Promise<void>> {
  const { log, parser } = app.context;
  const config = app.inForce.config();
  // Syncs will follow soon.
  if (config.sources.length > 0) parser.prepare();
  const begunAt = app.context.now();
  const backend = await own.backend();
  const workers = await startWorkers(app.context, backend, limitsOf(config), report);
  engine.use(workers);
  const queue = await backend.queue(SYNC_QUEUE);
  app.inForce.onTake(rescheduling(app, workers, queue));
  await schedule(queue, schedulesOf(app));
  await workers.request(
    schedulesOf(app).map(({ source }) => source),
    'start',
  );
  const endings = [
    keepSchedules(
      queue,
      () => schedulesOf(app),
      log,
      () => forgetFetchTimes(app.state.database.query()),
    ),
    // Another process that has just started may have ended this one's first runs, as each is requested only once.
    watchFirstRuns(app.context, tell, begunAt - STARTS_TOGETHER_MS),
  ];
  return async () => {
    for (const end of endings) end();
    await workers.close();
  };
}

function queueOf({ state, context, inForce }: App): OwnQueue {
  const { redisUrl } = inForce.config();
  return makeOwnQueue(
    redisUrl ? { redisUrl: redisUrl.reveal() } : { database: state.address },
    () => Object.keys(inForce.config().sites),
    context.log,
  );
}

function onReport({ context }: App, alerts: Alerts, tell: (report: Report) => void): (report: Report) => void {
  return (report) => {
    const { problems, ...facts } = report;
    countRun(context.measures, report);
    context.log.info({ ...facts, problems: problems.length }, 'a run has ended');
    tell(report);
    alerts.ended();
  };
}
