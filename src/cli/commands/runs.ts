import { causeInWords } from '../../run/state/causes.ts';
import { listRuns, type RunRecord } from '../../run/state/records.ts';
import { actAsJson, actsOfRuns } from '../../run/watch/acts.ts';
import { commandOf } from '../terminal/command.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { withDatabase } from '../open/open-database.ts';
import { timesAtSites, type TimeAtSite } from '../../run/state/site-zones.ts';
import { countsInWords } from '../terminal/words.ts';

/** `runs [SOURCE]`: the history, newest first. */
export const command = commandOf({
  group: 'Runs',
  usage: 'runs [source]',
  description: 'the history of runs, newest first',
  options: [['--limit <count>', 'how many to list', '20']],
  act: async ({ io, config, options, args: [source] }) =>
    withDatabase(config, io, async (database) => {
      const runs = await listRuns(database.query(), source, limitOf(options['limit']));
      // A source that is no longer configured still has its runs.
      if (source !== undefined && runs.length === 0 && !config.sources.some(({ name }) => name === source))
        throw new WrongUse(
          `The configuration has no source "${source}", and no run of it is known. It has: ${config.sources.map(({ name }) => name).join(', ') || 'none'}.`,
        );
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
      else io.out(runs.map(lineIn(await timesAtSites(database.query(), config.builtin.timezone))).join(''));
      return EXIT.done;
    }),
});

function limitOf(text: unknown): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new WrongUse(`--limit takes a whole number from 1, not "${String(text)}".`);
  return limit;
}

const lineIn =
  (timeAt: TimeAtSite) =>
  ({ run, site, state, startedAt, report, times, since }: RunRecord): string => {
    const often = since === null ? '' : `, ${times} times since ${timeAt(site, since)}`;
    return `${run.padEnd(44)} ${timeAt(site, startedAt).padEnd(21)} ${state.padEnd(9)} ${report ? countsInWords(report, state) : ''}${often}\n`;
  };
