import type { Command } from 'commander';
import { approveRun } from '../../run/decisions/approve-run.ts';
import { addCommand, type Run } from '../terminal/command.ts';
import { runNamed, runToEnd, setupFor } from '../open/decided-run.ts';
import { withApp } from '../open/open-context.ts';

/** `approve RUN`: carries out a held run, for all events that still have the values it showed. */
export const addApprove = (program: Command, run: Run): void =>
  addCommand(program, run, {
    usage: 'approve <run>',
    stopsItself: true,
    description: 'write what a held run planned; events that have changed since are left alone and listed',
    act: async (call) =>
      withApp(call.config, call.io, async (app) => {
        const { run: name, source, site } = await runNamed(app, call.args[0]);
        const setup = setupFor(app, source, site);
        return runToEnd(app, setup, call, () => approveRun(app.context, setup, name));
      }),
  });
