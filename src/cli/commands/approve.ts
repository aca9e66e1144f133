import { approveRun } from '../../run/decisions/approve-run.ts';
import { commandOf } from '../terminal/command.ts';
import { runNamed, runToEnd } from '../open/decided-run.ts';
import { setupFor } from '../terminal/source-named.ts';
import { withApp } from '../open/open-context.ts';

/** `approve RUN`: carries out a held run, for all events that still have the values it showed. */
export const command = commandOf({
  group: 'Runs',
  usage: 'approve <run>',
  stopsItself: true,
  description: 'write what a held run planned; events that have changed since are left alone and listed',
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const { run: name, source, site } = await runNamed(app, call.args[0]);
      const setup = setupFor(app.context, source, site);
      return runToEnd(app, setup, call, () => approveRun(app.context, setup, name));
    }),
});
