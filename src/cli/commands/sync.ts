import { allEnded } from '../../all-ended.ts';
import { cleanRuns } from '../../run/state/clean-runs.ts';
import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import { turns } from '../../client/turns.ts';
import type { Report } from '../../sync/model/plan.ts';
import { dryRun, type DryRun } from '../../run/steps/dry-run.ts';
import { FETCHES_AT_ONCE } from '../../run/state/pace.ts';
import { startRun } from '../../run/steps/start-run.ts';
import { recordAct } from '../../run/watch/acts.ts';
import { notPaused } from '../../run/watch/pauses.ts';
import { whileReading } from '../progress/while-reading.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf, endedByStop, type Call } from '../terminal/command.ts';
import { printJson, type ExitCode, type Io } from '../terminal/io.ts';
import { exitFor, withRunner, type Runner } from '../open/one-run.ts';
import { withApp, withAppToLook, type App } from '../open/open-context.ts';
import { printLines } from '../terminal/screen.ts';
import { reportInWords } from '../terminal/words.ts';
import { tellPreviews } from '../terminal/plan-preview.ts';
import { noSource } from '../terminal/source-named.ts';

/** `sync [SOURCE…] [--dry-run] [--full]`: one run of each source now, in this process. */
export const command = commandOf({
  group: 'Runs',
  usage: 'sync [sources...]',
  stopsItself: true,
  description: 'sync the named sources now, or all that are not paused',
  example: 'sync city-library --dry-run',
  options: [
    ['--dry-run', 'print the plan and write nothing; exits with 2 when there are changes'],
    ['--full', 'compare everything, even if a feed is unchanged'],
    REASON,
  ],
  act: async (call) => {
    const { config, io, options, args } = call;
    const isDry = options['dryRun'] === true;
    return (isDry ? withAppToLook : withApp)(config, io, async (app) => {
      const { context } = app;
      const setups = await chosen(context, args);
      if (setups.length === 0 && context.sources.size > 0) io.err(ALL_PAUSED);
      const full = options['full'] === true;
      return isDry
        ? endedByStop(io, dryRuns(app, setups, full, io, options.json === true))
        : syncAll(app, call, setups, full);
    });
  },
});

const ALL_PAUSED = 'All sources are paused. "npm run -s calsyncd -- sync NAME" reads one anyway.\n';

async function chosen({ sources, database }: RunContext, names: readonly string[]): Promise<readonly SourceSetup[]> {
  const unknown = names.filter((name) => !sources.has(name));
  if (unknown.length > 0) throw noSource(unknown, [...sources.keys()]);
  // A source that is named is synced even while it is paused.
  if (names.length > 0) return [...new Set(names)].flatMap((name) => sources.get(name) ?? []);
  return notPaused(
    database.query(),
    [...sources.values()].filter(({ isPaused }) => !isPaused),
  );
}

async function syncAll(
  app: App,
  call: Call<readonly string[]>,
  setups: readonly SourceSetup[],
  full: boolean,
): Promise<ExitCode> {
  const { context } = app;
  const { io, args } = call;
  const json = call.options.json === true;
  const asked = askedBy(call);
  // Cron may request all of them every minute, so this is recorded as one act.
  if (args.length === 0)
    await recordAct(context.database.query(), asked.by, {
      kind: 'sync',
      reason: asked.reason,
      details: { sources: setups.length },
    });
  const work = async (runner: Runner): Promise<readonly Report[]> => {
    await runner.carryOnRuns(full);
    return eachAtMost(sourcesAtOnce(setups), setups, async (setup) => {
      const report = await runner.run(setup, full, () =>
        startRun(context, setup, 'command', full, args.length === 0 ? undefined : asked),
      );
      if (!json) printLines(io, reportInWords(report));
      return report;
    });
  };
  const reports = await withRunner(app, io, work, setups.length);
  // If cron runs the syncs, there is no daemon to delete old runs.
  await cleanRuns(context.database.query(), context.now());
  if (json) printJson(io, { runs: reports });
  return exitFor(reports);
}

/** A small run writes one batch at a time, so this many runs use what a site allows while others are being read. */
const sourcesAtOnce = (setups: readonly SourceSetup[]): number =>
  Math.max(...setups.map(({ site }) => site.requestsInFlight), 1) + FETCHES_AT_ONCE;

/**
 * Calls `work` for each item, at most `limit` at a time, and returns the results in the order of the items. If some
 * fail, finishes all of them, then throws the first error.
 */
async function eachAtMost<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const inTurn = turns(limit);
  return allEnded(items.map((item) => inTurn('', () => work(item))));
}

async function dryRuns(
  app: App,
  setups: readonly SourceSetup[],
  full: boolean,
  io: Io,
  json: boolean,
): Promise<ExitCode> {
  const previews = await whileReading(app, io, 'planning', async ({ tell }) => {
    const planned: DryRun[] = [];
    for (const setup of setups) {
      if (setups.length > 1) tell({ done: planned.length, of: setups.length, unit: 'sources', doing: setup.name });
      planned.push(await preview(app.context, setup, full));
    }
    return planned;
  });
  return tellPreviews(io, json, previews);
}

async function preview(context: RunContext, setup: SourceSetup, full: boolean): Promise<DryRun> {
  const { report, plan } = await dryRun(context, setup, full);
  return { report: { ...report, requests: setup.takeTraffic().requests }, plan };
}
