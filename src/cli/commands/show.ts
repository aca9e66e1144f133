import { grouped, countInWords } from '../../count-in-words.ts';
import { loadBatches, type Batch } from '../../run/state/batches.ts';
import { loadLog } from '../../run/log/run-log.ts';
import { statusesInWords } from '../../run/log/traffic.ts';
import { causeInWords, undoneBy } from '../../run/state/causes.ts';
import { loadHeldPlan, loadReview } from '../../run/state/held-plans.ts';
import { loadPlanned, type RunRecord } from '../../run/state/records.ts';
import { conflictsInWords, linkedInWords } from '../../sync/plan/plan-in-words.ts';
import type { Action, Outcome, Plan, Report } from '../../sync/model/plan.ts';
import { stageOf } from '../../sync/model/to-batches.ts';
import { actAsJson, actInWords, actsOfRuns, type Act } from '../../run/watch/acts.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { runNamed, RUN_USAGE } from '../open/run-named.ts';
import { withDatabase } from '../open/open-database.ts';
import { timesAtSites, zonesOfSites, type TimeAtSite } from '../../run/state/site-zones.ts';
import { reviewTitle, whatVisitorsNotice, whyHeld, type Reader } from '../../sync/review/review-in-words.ts';
import type { Review } from '../../sync/review/review.ts';
import { plainText } from '../../sync/review/emphasized-text.ts';
import { inSignColour, planLines } from '../terminal/plan-preview.ts';
import { printLines, printTable } from '../terminal/screen.ts';
import { indented, type Cell, type Line, type Row } from '../text/table.ts';
import { zonesNote } from '../text/time-column.ts';
import { countsInWords, decisionCommands, problemInWords, stateWord } from '../terminal/words.ts';

/** `show RUN`: prints a whole run, with every action and its result. */
export const command = commandOf({
  group: 'Runs',
  usage: `show ${RUN_USAGE}`,
  description: 'everything about a run: its plan, what became of each action, its problems',
  example: 'show last city-library',
  worksWithout: 'noted',
  act: async (call) =>
    withDatabase(call.config, call.io, async (database) => {
      const { io, config, options } = call;
      const query = database.query();
      const found = await runNamed(query, call, 'any');
      const batches = await loadBatches(query, found.run);
      const acts = (await actsOfRuns(query, [found.run])).get(found.run) ?? [];
      const held = await loadHeldPlan(query, found.run);
      const conflicts = (await loadPlanned(query, found.run))?.plan.conflicts ?? [];
      const review = await loadReview(query, found.run);
      if (options.json)
        printJson(io, {
          ...found,
          log: await loadLog(query, found.run),
          cause: causeInWords(found.cause),
          review,
          acts: acts.map(actAsJson),
          conflicts,
          actions: held
            ? held.actions.map((action) => ({ stage: stageOf(action), batch: null, ...action, outcome: null }))
            : batches.flatMap(actionsOf),
        });
      else {
        const { timezone } = config.builtin;
        const zoneOf = await zonesOfSites(query, timezone);
        const reader = { source: found.source, now: io.now(), zone: zoneOf(found.site), undoes: undoneBy(found.cause) };
        const why = review ? reviewInWords(review, found, reader) : [];
        const timeAt = await timesAtSites(query, timezone);
        printLines(io, headOf(found, acts, timeAt, why));
        printTable(io, { indent: 2, rows: batches.flatMap(rowsOfBatch) });
        printLines(io, [...restOf(found, held, conflicts, why.length > 0), zonesNote([found.site], zoneOf)]);
      }
      return EXIT.done;
    }),
});

const actionsOf = ({ stage, number, items, outcomes }: Batch): readonly object[] =>
  items.map(({ action }, index) => ({ stage, batch: number, ...action, outcome: outcomes[index] ?? null }));

/** The lines about the run as a whole. */
function headOf(run: RunRecord, acts: readonly Act[], timeAt: TimeAtSite, why: readonly string[]): readonly string[] {
  const timeInWords = (time: Date): string => timeAt(run.site, time, { seconds: true });
  return [
    `Run ${run.run} of ${run.source} (${causeInWords(run.cause)})`,
    `  began ${timeInWords(run.startedAt)}${run.finishedAt ? `, ended ${timeInWords(run.finishedAt)}` : ', is still under way'}, state ${stateWord(run)}`,
    ...acts.map(
      (act) => `  ${actInWords(act)}, ${timeInWords(act.at)}${act.reason === null ? '' : `: "${act.reason}"`}`,
    ),
    ...(run.supersededBy === null ? [] : [`  out of date: ${run.supersededBy} has made a new plan`]),
    ...(run.since
      ? [`  the last of ${grouped(run.times)} in a row that found the same, since ${timeInWords(run.since)}`]
      : []),
    ...(run.report ? [`  ${countsInWords(run.report, run.state)}; ${requestsInWords(run, run.report)}`] : []),
    ...why.map((sentence) => `  ${sentence}`),
  ];
}

const rowsOfBatch = ({ items, outcomes }: Batch): readonly Row[] =>
  items.map(({ action }, index) => {
    const [what, why] = cellsOfAction(action);
    const outcome = outcomes[index] ?? null;
    return { cells: [what, outcomeSign(outcome), why], below: failureOf(outcome) };
  });

/** What is held, in conflict or wrong, and what a person can do about it. */
const restOf = (
  run: RunRecord,
  held: Plan | undefined,
  conflicts: Plan['conflicts'],
  isToldWhy: boolean,
): readonly Line[] => [
  ...(held ? planLines({ ...held, held: null, conflicts: [] }, 2) : []),
  ...conflictsInWords({ conflicts }).map((line) => indented(inSignColour(line), 2)),
  ...(conflicts.length > 0 && !run.report?.planned
    ? ['    npm run -s calsyncd -- settle   lists what is still open, and settles it']
    : []),
  ...(run.report?.problems ?? [])
    .filter(({ code }) => code !== 'held' || !isToldWhy)
    .map((problem): Line => ({ text: `  ! ${problemInWords(problem)}`, style: 'bad' })),
  ...(run.state === 'held' ? [`  ${decisionCommands(run.run)}`] : []),
];

/** "12 requests (11 × 200, 1 × 503), 3 writes". */
function requestsInWords({ statuses }: RunRecord, { requests, writes }: Report): string {
  const answers = statusesInWords(statuses);
  return `${countInWords(requests, 'request')}${answers === '' ? '' : ` (${answers})`}, ${countInWords(writes, 'write')}`;
}

/** For a held plan, what a person needs to know to decide; for one that was held, only why. */
function reviewInWords(review: Review, { state }: RunRecord, reader: Reader): readonly string[] {
  if (state !== 'held') return [`It was on hold: ${reviewTitle(review, reader)}.`];
  const sentences = [whyHeld(review, reader), ...whatVisitorsNotice(review, reader)];
  return sentences.map(plainText).filter((sentence) => sentence !== '');
}

const SIGNS = { create: '+', update: '~', remove: '-' } as const;

function cellsOfAction(action: Action): readonly [what: Cell, why: Cell] {
  const sign = SIGNS[action.kind];
  if ('ref' in action) return [inSignColour(`${sign} ${linkedInWords(action.ref)}`), ''];
  const changes = action.kind === 'update' ? ` (${Object.keys(action.changes).join(', ')})` : '';
  return [inSignColour(`${sign} ${action.slug}`), `${action.title}${changes}: ${action.because}`];
}

function outcomeSign(outcome: Outcome | null): Cell {
  if (outcome === null) return { text: '… not written yet', style: 'wait' };
  return outcome.kind === 'done' ? `→ ${outcome.id}` : { text: 'FAILED', style: 'bad' };
}

const failureOf = (outcome: Outcome | null): readonly Line[] =>
  outcome === null || outcome.kind === 'done' ? [] : [{ text: `! ${outcome.problem.message}`, style: 'bad' }];
