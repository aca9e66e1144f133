import { previewUndo, setupToUndo, startUndo } from '../../run/decisions/undo-run.ts';
import { newReport } from '../../run/steps/keep-plan.ts';
import { whileReading } from '../progress/while-reading.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { runNamed, RUN_USAGE } from '../open/run-named.ts';
import { setupFor } from '../terminal/source-named.ts';
import { tellPreviews } from '../terminal/plan-preview.ts';
import { textOption } from '../terminal/option-values.ts';
import { withApp } from '../open/open-context.ts';

/** `undo RUN [--event SLUG] [--dry-run]`: undoes a run by another run, which can be undone in turn. */
export const command = commandOf({
  group: 'Runs',
  usage: `undo ${RUN_USAGE}`,
  stopsItself: true,
  description: 'take back what a run wrote; what has changed since is left alone and listed',
  example: 'undo last city-library --dry-run',
  options: [
    ['--event <slug>', 'only what it did to this event'],
    ['--dry-run', 'print what it would do and write nothing; exits with 2 when there is anything'],
    REASON,
  ],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const { io, options } = call;
      const run = await runNamed(app.state.database.query(), call, 'changed');
      const { run: name, source, site } = run;
      const setup = (await setupToUndo(app.context, run)) ?? setupFor(app.context, source, site);
      const slug = textOption(options['event']);
      if (options['dryRun'] === true) {
        const plan = await whileReading(app, io, 'comparing the run with the site', () =>
          previewUndo(app.context, setup, name, slug),
        );
        return tellPreviews(io, options.json === true, [{ report: newReport('', source), plan }]);
      }
      return runToEnd(app, setup, call, () => startUndo(app.context, setup, name, slug, askedBy(call)));
    }),
});
