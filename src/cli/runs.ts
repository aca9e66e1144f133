import type { Command } from 'commander';
import { listRuns, type RunRecord } from '../run/records.ts';
import { addCommand, type Run } from './command.ts';
import { EXIT, printJson } from './io.ts';
import { withDatabase } from './open-database.ts';
import { countsInWords } from './words.ts';

/** `runs [SOURCE]`: the history, newest first. */
export const addRuns = (program: Command, run: Run): void => addCommand(program, run, {
  usage: 'runs [source]',
  description: 'the history of runs, the newest first',
  options: [['--limit <count>', 'how many to list', '20']],
  act: async ({ io, config, options, args: [source] }) => withDatabase(config, io, async (database) => {
    const runs = await listRuns(database.query(), source, Number(options['limit']));
    if (options.json) printJson(io, { runs });
    else if (runs.length === 0) io.out('No run yet. "npm run -s calsyncd -- sync" makes one.\n');
    else io.out(runs.map(lineOf).join(''));
    return EXIT.done;
  }),
});

const lineOf = ({ run, state, startedAt, report }: RunRecord): string =>
  `${run.padEnd(44)} ${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')}  ${state.padEnd(9)} ${report ? countsInWords(report) : ''}\n`;
