import { planAdoption, startAdoption } from '../../run/decisions/adopt-events.ts';
import { planAsJson, planInWords } from '../../sync/plan/plan-in-words.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { withApp } from '../open/open-context.ts';
import { sourceNamed } from '../terminal/source-named.ts';
import { problemInWords } from '../terminal/words.ts';
import { countInWords } from '../../count-in-words.ts';

/**
 * `adopt SOURCE [--yes]`: takes over events on the site that others made and that are in the source's feed. Lists them
 * first; `--yes` carries it out.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'adopt <source>',
  stopsItself: true,
  description: 'let a source take over events that others made; shows them first',
  options: [['--yes', 'do it'], ['--dry-run', 'only show it, even with --yes'], REASON],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const setup = sourceNamed(app.context, call.args[0]);
      if (call.options['yes'] === true && call.options['dryRun'] !== true)
        return runToEnd(
          app,
          setup,
          call,
          () => startAdoption(app.context, setup, askedBy(call)),
          ({ updated, unchanged }) => `Adopted ${countInWords(updated + unchanged, 'event')} that others made.`,
        );
      return show(call, await planAdoption(app.context, setup));
    }),
});

function show({ io, options, args: [source] }: Call<readonly [source: string]>, plan: Plan): ExitCode {
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
        ? 'No event of the site that others made is in this feed.\n'
        : `${countInWords(slugs.length, 'event')} that others made would be adopted:\n`,
    );
    io.out(
      Object.values(plan.ledger)
        .map(({ entry }) => `  = "${entry.title}" (${entry.slug})\n`)
        .join(''),
    );
    io.out(
      planInWords(plan)
        .map((line) => `    ${line}\n`)
        .join(''),
    );
    for (const problem of plan.problems) io.out(`  ! ${problemInWords(problem)}\n`);
    if (slugs.length > 0) io.out(`Nothing was written. npm run -s calsyncd -- adopt ${source} --yes   does it.\n`);
  }
  return slugs.length > 0 ? EXIT.needsPerson : EXIT.done;
}
