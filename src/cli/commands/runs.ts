import { timesInWords } from '../../count-in-words.ts';
import { causeInWords } from '../../run/state/causes.ts';
import { listRuns, type RunRecord } from '../../run/state/records.ts';
import { actAsJson, actsOfRuns } from '../../run/watch/acts.ts';
import type { Database } from '../../db/database.ts';
import { commandOf, endedByStop, type Call } from '../terminal/command.ts';
import { refuseUnknownSource } from '../terminal/source-named.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { EXIT, printJson, type ExitCode, type Io } from '../terminal/io.ts';
import { withDatabase } from '../open/open-database.ts';
import { zonesOfSites, type ZoneOfSite } from '../../run/state/site-zones.ts';
import { printTable, screenOf } from '../terminal/screen.ts';
import type { Cell, Screen, Table } from '../text/table.ts';
import { timeColumn } from '../text/time-column.ts';
import { countsInWords, STATE_STYLES, stateWord } from '../terminal/words.ts';

/** `runs [SOURCE]`: lists the history of runs, newest first. */
export const command = commandOf({
  group: 'Runs',
  usage: 'runs [source]',
  description: 'the history of runs, newest first',
  example: 'runs city-library --follow',
  options: [
    ['--limit <count>', 'how many to list', '20'],
    ['--follow', 'keep running, and print each run that begins, ends or waits, until Ctrl-C'],
  ],
  worksWithout: 'noted',
  stopsItself: true,
  act: async (call) =>
    withDatabase(call.config, call.io, async (database) =>
      call.options['follow'] === true ? follow(call, database) : endedByStop(call.io, list(call, database)),
    ),
});

type RunsCall = Call<readonly [source?: string]>;

async function list({ io, config, options, args: [source] }: RunsCall, database: Database): Promise<ExitCode> {
  await refuseUnknownSource(database.query(), config, source);
  const runs = await listRuns(database.query(), source, limitOf(options['limit']));
  const acts = await actsOfRuns(
    database.query(),
    runs.map(({ run }) => run),
  );
  if (options.json)
    printJson(io, {
      runs: runs.map((one) => ({
        ...one,
        cause: causeInWords(one.cause),
        acts: (acts.get(one.run) ?? []).map(actAsJson),
      })),
    });
  else if (runs.length === 0) io.out('No run yet. "npm run -s calsyncd -- sync" makes one.\n');
  else printTable(io, runsTable(runs, await zonesOfSites(database.query(), config.builtin.timezone), screenOf(io)));
  return EXIT.done;
}

const LOOK_EVERY_MS = 1_000;
/** No more runs than this begin within a second. */
const FOLLOWED_MAX = 1_000;

/** Prints the latest runs, the earliest first, and then each run as it begins, progresses and ends. */
async function follow({ io, config, options, args: [source] }: RunsCall, database: Database): Promise<ExitCode> {
  if (options.json) throw new WrongUse('--follow never ends, but JSON is one value: repeat "runs --json" instead.');
  const query = database.query();
  const limit = limitOf(options['limit']);
  await refuseUnknownSource(query, config, source);
  let told: ReadonlyMap<string, string> | undefined;
  for (let isStopped = false; !isStopped; isStopped = await stoppedWithin(LOOK_EVERY_MS, io)) {
    const runs = await listRuns(query, source, Math.max(limit, FOLLOWED_MAX));
    const news = told ? runs.filter(({ run, state }) => told?.get(run) !== state) : runs.slice(0, limit);
    const table = runsTable(news.toReversed(), await zonesOfSites(query, config.builtin.timezone), screenOf(io));
    const isFirst = told === undefined;
    printTable(io, isFirst ? table : { rows: table.rows });
    if (isFirst && news.length === 0) io.err('No run yet; waiting for the first one.\n');
    told = new Map(runs.map(({ run, state }) => [run, state]));
  }
  return EXIT.done;
}

/** Waits, and returns whether the program was asked to stop in the meantime. */
async function stoppedWithin(ms: number, { stopped }: Io): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([stopped.then(() => true), over]).finally(() => clearTimeout(timer));
}

function limitOf(text: unknown): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new WrongUse(`--limit takes a whole number from 1, not "${String(text)}".`);
  return limit;
}

function runsTable(runs: readonly RunRecord[], zoneOf: ZoneOfSite, screen: Screen): Table {
  const sites = runs.map(({ site }) => site);
  const when = timeColumn('began', sites, zoneOf, screen);
  return {
    headings: ['run', when.heading, 'state', 'what it did'],
    rows: runs.map(({ run, site, state, startedAt, report, times, since }) => {
      const often = since === null ? '' : `, ${timesInWords(times)} since ${when.cell(site, since)}`;
      return {
        cells: [
          run,
          when.cell(site, startedAt),
          stateCell({ state, report }),
          `${report ? countsInWords(report, state) : ''}${often}`,
        ],
      };
    }),
  };
}

function stateCell(run: Parameters<typeof stateWord>[0]): Cell {
  const text = stateWord(run);
  return { text, style: text === 'stopped' ? 'bad' : STATE_STYLES[text] };
}
