import { countInWords, grouped } from '../../count-in-words.ts';
import { whereInWords, type Problem } from '../../problem.ts';
import type { Line, Style } from '../text/table.ts';
import type { RunRecord, RunState } from '../../run/state/records.ts';
import type { Report } from '../../sync/model/plan.ts';
import { shortenedToWords } from '../../html/shortened.ts';
import { lostAnswersIn } from '../../sync/plan/report.ts';

const PROBLEMS_SHOWN_MAX = 10;

/** The style of each state of a run. */
export const STATE_STYLES: Readonly<Record<RunState, Style>> = {
  reading: 'strong',
  writing: 'strong',
  done: 'good',
  unchanged: 'dim',
  held: 'wait',
  failed: 'bad',
  rejected: 'dim',
  superseded: 'dim',
};

/** Whether a run was stopped on request before it was finished: its state is `done`, but not all of its plan is. */
export const wasStopped = ({ problems }: Pick<Report, 'problems'>): boolean =>
  problems.some(({ code }) => code === 'stopped');

/** The state of a run in one word. */
export const stateWord = ({ state, report }: Pick<RunRecord, 'state' | 'report'>): RunState | 'stopped' =>
  report && wasStopped(report) ? 'stopped' : state;

/** A report for people after a run: one line, plus one for each problem. */
export const reportInWords = (report: Report): readonly Line[] => [
  {
    text: `  ${report.source.padEnd(20)} ${countsInWords(report)}`,
    style: wasStopped(report) ? 'bad' : STATE_STYLES[report.state],
  },
  ...problemsInWords(report.problems, report.run),
  // A plan that has not been carried out has nothing to settle.
  ...(report.conflicts > 0 && !report.planned
    ? ['    npm run -s calsyncd -- settle   lists what feed and site have both changed, and settles it']
    : []),
  ...(report.state === 'held' && report.run !== ''
    ? [`    npm run -s calsyncd -- show ${report.run}   lists it`, `    ${decisionCommands(report.run)}`]
    : []),
];

/** The commands to decide about a held run. */
export const decisionCommands = (run: string): string =>
  `npm run -s calsyncd -- approve ${run}   writes it, reject ${run}   discards it`;

/** "12 created, 3 updated, 40 unchanged". `state` is the run's current state, which may no longer be `held`. */
export function countsInWords(report: Report, state: RunState = report.state): string {
  if (report.state === 'failed' && report.created + report.updated + report.removed === 0) return failedInWords(report);
  const [create, update, remove] = report.planned
    ? ['to create', 'to update', 'to remove']
    : ['created', 'updated', 'removed'];
  const counts = [
    [report.created, create],
    [report.updated, update],
    [report.removed, remove],
    [report.unchanged, 'unchanged'],
    [report.skipped, 'skipped'],
  ] as const;
  const said = counts
    .filter(([count, word]) => count > 0 || word === 'unchanged')
    .map(([count, word]) => `${grouped(count)} ${word}`)
    .join(', ');
  const conflicts = report.conflicts === 0 ? '' : `, ${grouped(report.conflicts)} in conflict`;
  return `${said}${conflicts}${endInWords(report, state)}`;
}

function failedInWords(report: Report): string {
  const lost = lostAnswersIn(report);
  return lost === 0
    ? 'failed, nothing was changed'
    : `failed: no answer came to ${countInWords(lost, 'write')}, so the next run asks the site what became of them`;
}

/** How a run ended, and its current state. A plan that is only shown has no run name. */
function endInWords(report: Report, now: RunState): string {
  const { run, state: ended } = report;
  if (now === 'held' && run === '') return '; would be ON HOLD and need review';
  if (now === 'held') return '; ON HOLD: nothing was written, needs review';
  if (ended === 'held') return '; nothing was written';
  if (wasStopped(report)) return '; stopped before its end';
  return ended === 'failed' ? '; some writes failed' : '';
}

/** Problems as indented lines; further ones are counted, with the command that shows them. */
function problemsInWords(problems: readonly Problem[], run: string): readonly string[] {
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => `    ! ${problemInWords(problem)}`);
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `    ! and ${grouped(more)} more: npm run -s calsyncd -- show ${run}`] : shown;
}

/** "Summer fair has no start (line 12, UID abc)". */
export function problemInWords({ message, where }: Problem): string {
  const place = whereInWords(where);
  return place === '' ? message : `${message} (${place})`;
}

const VALUE_MAX = 60;
/** Addresses and names are useless in pieces. */
const WORD_MAX = 200;

/** A value on one line; a long one is cut, with its length. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= (/\s/.test(text) ? VALUE_MAX : WORD_MAX)) return text;
  return `${shortenedToWords(text, VALUE_MAX)} (${countInWords(text.length, 'character')})`;
}
