import type { Command } from 'commander';
import { startRestore } from '../run/settle-event.ts';
import { addCommand, type Run } from './command.ts';
import { runToEnd } from './decided-run.ts';
import { eventNamed } from './event-named.ts';
import { withApp } from './open-context.ts';

/** `restore SLUG`: an event that a person removed from the site comes back, and is kept in step again. */
export const addRestore = (program: Command, run: Run): void => addCommand(program, run, {
  usage: 'restore <slug>',
  description: 'bring back an event that was removed on the site',
  act: async (call) => withApp(call.config, call.io, async (app) => {
    const { setup } = await eventNamed(app, call.args[0]!);
    return runToEnd(app, setup, call, () => startRestore(app.context, setup, call.args[0]!));
  }),
});
