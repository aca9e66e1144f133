import { rejectRun } from '../../run/decisions/approve-run.ts';
import { loadRun } from '../../run/state/records.ts';
import { commandOf } from '../terminal/command.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { runNamed, RUN_USAGE } from '../open/run-named.ts';
import { withDatabase } from '../open/open-database.ts';

/** `reject RUN [--reason TEXT]`: discards a held run. */
export const command = commandOf({
  group: 'Runs',
  usage: `reject ${RUN_USAGE}`,
  description: 'discard a held run: none of it is written, and nobody is asked again until the feed changes',
  example: 'reject last --reason "the feed was cut"',
  options: [REASON],
  act: async (call) =>
    withDatabase(call.config, call.io, async (database) => {
      const { io, options } = call;
      const { run: name } = await runNamed(database.query(), call, 'held');
      await rejectRun({ database }, name, askedBy({ options }));
      const run = await loadRun(database.query(), name);
      // The report is from the time when the run was put on hold.
      if (options.json) printJson(io, { runs: run?.report ? [{ ...run.report, state: run.state }] : [] });
      else io.out(`Rejected ${name}: nothing of it was written.\n`);
      return EXIT.done;
    }),
});
