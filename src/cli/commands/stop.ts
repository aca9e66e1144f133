import { stopRun } from '../../run/decisions/stop-run.ts';
import { loadRun } from '../../run/state/records.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { runNamed, RUN_USAGE } from '../open/run-named.ts';
import { withDatabase } from '../open/open-database.ts';

/** `stop RUN`: ends a run after the batches in progress. */
export const command = commandOf({
  group: 'Runs',
  usage: `stop ${RUN_USAGE}`,
  description: 'end a run that is being written, after the batches under way; the next run plans the rest',
  example: 'stop last',
  worksWithout: 'noted',
  options: [REASON],
  act: async (call) =>
    withDatabase(call.config, call.io, async (database) => {
      const { io, options } = call;
      const { run: name } = await runNamed(database.query(), call, 'writing');
      await stopRun({ database }, name, askedBy({ options }));
      if (options.json) printJson(io, { run: name, state: (await loadRun(database.query(), name))?.state });
      else io.out(`Asked ${name} to stop: it ends after the batches under way.\n`);
      return EXIT.done;
    }),
});
