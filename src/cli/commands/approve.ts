import { approveRun } from '../../run/decisions/approve-run.ts';
import { commandOf } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { runNamed, RUN_USAGE } from '../open/run-named.ts';
import { setupFor } from '../terminal/source-named.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { textsOption } from '../terminal/option-values.ts';
import { slugNamed } from '../text/arguments.ts';
import { withApp } from '../open/open-context.ts';

/**
 * `approve RUN [--except SLUG…]`: carries out a held run for all events that are not excluded and still have the values
 * it showed.
 */
export const command = commandOf({
  group: 'Runs',
  usage: `approve ${RUN_USAGE}`,
  stopsItself: true,
  description: 'write what a held run planned; events that have changed since are left alone and listed',
  example: 'approve last --except summer-fair-abcd1234efgh56',
  options: [['--except <slugs...>', 'leave these events as they are, until the feed changes them again'], REASON],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const { run: name, source, site } = await runNamed(app.state.database.query(), call, 'held');
      const setup = setupFor(app.context, source, site);
      return runToEnd(app, setup, call, () =>
        approveRun(app.context, setup, name, {
          ...askedBy(call),
          except: textsOption(call.options['except']).map(slugNamed),
        }),
      );
    }),
});
