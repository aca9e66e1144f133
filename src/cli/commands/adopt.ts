import { planAdoption, startAdoption } from '../../run/decisions/adopt-events.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { planAsJson } from '../../sync/plan/plan-in-words.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { isAgreed, canAsk, YES } from '../terminal/confirmed.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { whileReading } from '../progress/while-reading.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { withApp, type App } from '../open/open-context.ts';
import { sourceNamed } from '../terminal/source-named.ts';
import { planLines } from '../terminal/plan-preview.ts';
import { printLines, printTable } from '../terminal/screen.ts';
import { problemInWords } from '../terminal/words.ts';
import { countInWords } from '../../count-in-words.ts';

type AdoptCall = Call<readonly [source: string]>;

/**
 * `adopt SOURCE [--yes]`: lets a source adopt events on the site that others made and that its feed has. Lists them
 * first, and asks.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'adopt <source>',
  stopsItself: true,
  description: 'let a source take over events that others made; shows them first',
  example: 'adopt city-library',
  options: [YES, ['--dry-run', 'only show them, even with --yes'], REASON],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const setup = sourceNamed(app.context, call.args[0]);
      const isDry = call.options['dryRun'] === true;
      if (call.options['yes'] === true && !isDry) return adopt(app, call, setup);
      const plan = await whileReading(app, call.io, 'comparing the feed with the site', () =>
        planAdoption(app.context, setup),
      );
      const count = Object.keys(plan.ledger).length;
      show(call, plan, isDry);
      if (count === 0) return EXIT.done;
      const what = `${setup.name} takes ${countInWords(count, 'event')} over, and changes ${count === 1 ? 'it' : 'them'} from now on.`;
      return !isDry && (await isAgreed(call, what)) ? adopt(app, call, setup) : EXIT.needsPerson;
    }),
});

const adopt = (app: App, call: AdoptCall, setup: SourceSetup): Promise<ExitCode> =>
  runToEnd(
    app,
    setup,
    call,
    () => startAdoption(app.context, setup, askedBy(call)),
    ({ updated, unchanged }) => `Adopted ${countInWords(updated + unchanged, 'event')} that others made.`,
  );

function show(call: AdoptCall, plan: Plan, isDry: boolean): void {
  const {
    io,
    options,
    args: [source],
  } = call;
  const slugs = Object.keys(plan.ledger);
  if (options.json)
    printJson(io, {
      source,
      adopted: slugs,
      plan: planAsJson(plan),
      conflicts: plan.conflicts,
      problems: plan.problems,
    });
  else {
    io.out(
      slugs.length === 0
        ? `${plan.problems.length === 0 ? 'No event of the site that others made is in this feed.' : 'Nothing can be adopted:'}\n`
        : `${countInWords(slugs.length, 'event')} that others made would be adopted:\n`,
    );
    printTable(io, {
      indent: 2,
      rows: Object.values(plan.ledger).map(({ entry }) => ({ cells: [`= "${entry.title}"`, entry.slug] })),
    });
    printLines(io, planLines(plan));
    printLines(
      io,
      plan.problems.map((problem) => ({ text: `  ! ${problemInWords(problem)}`, style: 'bad' })),
    );
    if (slugs.length > 0 && (isDry || !canAsk(call)))
      io.out(`Nothing was written. npm run -s calsyncd -- adopt ${source} --yes   does it.\n`);
  }
}
