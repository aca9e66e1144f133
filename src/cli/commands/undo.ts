import { startUndo } from '../../run/decisions/undo-run.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { runNamed, runToEnd } from '../open/decided-run.ts';
import { setupFor } from '../terminal/source-named.ts';
import { withApp } from '../open/open-context.ts';

/** `undo RUN [--event SLUG]`: undoes a run, as a run of its own, so that can be undone too. */
export const command = commandOf({
  group: 'Runs',
  usage: 'undo <run>',
  stopsItself: true,
  description: 'take back what a run wrote; what has changed since is left alone and listed',
  options: [['--event <slug>', 'only what it did to this event'], REASON],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const { run: name, source, site } = await runNamed(app, call.args[0]);
      const setup = setupFor(app.context, source, site);
      const slug = call.options['event'];
      return runToEnd(app, setup, call, () =>
        startUndo(app.context, setup, name, typeof slug === 'string' ? slug : undefined, askedBy(call)),
      );
    }),
});
