import type { DryRun } from '../../run/steps/dry-run.ts';
import { planAsJson, planInWords } from '../../sync/plan/plan-in-words.ts';
import { heldProblem, plannedCounts } from '../../sync/plan/report.ts';
import type { Plan, Report } from '../../sync/model/plan.ts';
import { EXIT, printJson, type ExitCode, type Io } from './io.ts';
import { printLines } from './screen.ts';
import { indented, type Line, type Style } from '../text/table.ts';
import { reportInWords } from './words.ts';

/** Prints what runs would do, for people or as JSON; exits with 2 if there is anything to do. */
export function tellPreviews(io: Io, json: boolean, previews: readonly DryRun[]): ExitCode {
  const told = previews.map(({ report, plan }) => ({ report: plan ? planned(report, plan) : report, plan }));
  if (json)
    printJson(io, {
      runs: told.map(({ report, plan }) =>
        plan
          ? { ...report, problems: [...report.problems, ...heldProblem(plan)], plan: planAsJson(plan) }
          : { ...report, plan: [] },
      ),
    });
  else
    for (const { report, plan } of told) {
      printLines(io, reportInWords(report));
      if (plan) printLines(io, planLines(plan));
    }
  if (told.some(({ report }) => report.state === 'failed')) return EXIT.failed;
  return told.some(({ plan }) => plan && plan.actions.length > 0) ? EXIT.needsPerson : EXIT.done;
}

const SIGN_STYLES: Readonly<Record<string, Style>> = { '+': 'good', '~': 'wait', '-': 'bad', '!': 'bad' };

/** A line of a plan in the colour of its sign. */
export function inSignColour(text: string): Line {
  const style = SIGN_STYLES[text.charAt(0)];
  return style === undefined ? text : { text, style };
}

/** The lines that describe a plan. */
export const planLines = (plan: Plan, indent = 4): readonly Line[] =>
  planInWords(plan).map((line) => indented(inSignColour(line), indent));

const planned = (report: Report, plan: Plan): Report => ({
  ...report,
  state: stateOf(plan),
  ...plannedCounts(plan),
  planned: true,
  unchanged: plan.unchanged,
  skipped: plan.skipped,
  conflicts: plan.conflicts.length,
  problems: plan.problems,
});

/** The state of a run that would carry out the plan. */
function stateOf({ held, actions }: Plan): Report['state'] {
  if (held !== null) return 'held';
  return actions.length > 0 ? 'done' : 'unchanged';
}
